#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int socket;
  uint16_t port;
  bool is_loopback;
} cmhd_listener;

/// A socket that listens; false, with a complaint, if there can't be one.
bool cmhd_listen(const char *host, uint16_t port, cmhd_listener *listener, char *complaint, size_t size);
