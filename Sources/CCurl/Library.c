#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ccurl_library ccurl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char complaint[256];

static char encodings[64];
static bool proxied;

static void add_encodings(const char *names) {
  if (encodings[0]) strcat(encodings, ", ");
  strcat(encodings, names);
}

static void find_encodings(void) {
  int features = ccurl.version_info(CURLVERSION_NOW)->features;
  if (features & CURL_VERSION_LIBZ) add_encodings("gzip, deflate");
  if (features & CURL_VERSION_BROTLI) add_encodings("br");
  if (features & CURL_VERSION_ZSTD) add_encodings("zstd");
}

static void find_proxies(void) {
  static const char *const names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value) proxied = true;
  }
}

static void open_library(void) {
  // The name of the interface's version 4, which libcurl has kept since 2006; never unloaded.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    snprintf(complaint, sizeof complaint, "%s", error ? error : "libcurl.so.4 can't be opened");
    return;
  }
#define FIND(name)                                                                    \
  ccurl.name = (__typeof__(ccurl.name))dlsym(library, "curl_" #name);                 \
  if (!ccurl.name) {                                                                  \
    snprintf(complaint, sizeof complaint, "libcurl.so.4 is too old: it has no curl_%s", #name); \
    return;                                                                           \
  }
  CCURL_FUNCTIONS(FIND)
#undef FIND
  CURLcode code = ccurl.global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    snprintf(complaint, sizeof complaint, "libcurl does not start: %s", ccurl.easy_strerror(code));
    return;
  }
  find_encodings();
  find_proxies();
}

const char *ccurl_open(void) {
  pthread_once(&once, open_library);
  return complaint[0] ? complaint : NULL;
}

const char *ccurl_encodings(void) { return encodings; }

bool ccurl_is_proxied(void) { return proxied; }
