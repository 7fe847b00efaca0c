#pragma once

#include <arpa/inet.h>
#include <microhttpd.h>

#define CMHD_FUNCTIONS(EACH)       \
  EACH(start_daemon)               \
  EACH(stop_daemon)                \
  EACH(get_connection_values)      \
  EACH(get_connection_info)        \
  EACH(create_response_from_buffer) \
  EACH(add_response_header)        \
  EACH(queue_response)             \
  EACH(destroy_response)           \
  EACH(suspend_connection)         \
  EACH(resume_connection)

#define CMHD_FIELD(name) __typeof__(MHD_##name) *name;

/// The functions of libmicrohttpd that are used, by their names without `MHD_`.
extern struct cmhd_library {
  CMHD_FUNCTIONS(CMHD_FIELD)
} cmhd;
