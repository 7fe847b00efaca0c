#include "Library.h"

#include "CMicroHTTPD.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

struct cmhd_library cmhd;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char complaint[256];

static void open_library(void) {
  // The name of the interface's version 12, which Debian has had since 2018; never unloaded.
  void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    snprintf(complaint, sizeof complaint, "%s", error ? error : "libmicrohttpd.so.12 can't be opened");
    return;
  }
#define FIND(name)                                                                                     \
  cmhd.name = (__typeof__(cmhd.name))dlsym(library, "MHD_" #name);                                     \
  if (!cmhd.name) {                                                                                    \
    snprintf(complaint, sizeof complaint, "libmicrohttpd.so.12 is too old: it has no MHD_%s", #name); \
    return;                                                                                            \
  }
  CMHD_FUNCTIONS(FIND)
#undef FIND
}

const char *cmhd_open(void) {
  pthread_once(&once, open_library);
  return complaint[0] ? complaint : NULL;
}
