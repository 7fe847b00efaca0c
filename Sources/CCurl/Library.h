#pragma once

#include "CCurl.h"

// The macros that check arguments call the functions by name, and nothing here links them.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define CCURL_FUNCTIONS(EACH) \
  EACH(global_init)           \
  EACH(version_info)          \
  EACH(easy_init)             \
  EACH(easy_cleanup)          \
  EACH(easy_setopt)           \
  EACH(easy_getinfo)          \
  EACH(easy_strerror)         \
  EACH(multi_init)            \
  EACH(multi_cleanup)         \
  EACH(multi_setopt)          \
  EACH(multi_add_handle)      \
  EACH(multi_remove_handle)   \
  EACH(multi_perform)         \
  EACH(multi_poll)            \
  EACH(multi_wakeup)          \
  EACH(multi_info_read)

#define CCURL_FIELD(name) __typeof__(curl_##name) *name;

/// The functions of libcurl that are used, by their names without `curl_`.
extern struct ccurl_library {
  CCURL_FUNCTIONS(CCURL_FIELD)
} ccurl;

// Callbacks.c
size_t ccurl_take_head(char *line, size_t size, size_t count, void *owner);
size_t ccurl_take_body(char *bytes, size_t size, size_t count, void *owner);
int ccurl_allow_request(void *owner, char *local, char *remote, int local_port, int remote_port);
