#define _GNU_SOURCE
#include "Library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct ccurl_library ccurl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char complaint[256];

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
  }
}

const char *ccurl_open(void) {
  pthread_once(&once, open_library);
  return complaint[0] ? complaint : NULL;
}
