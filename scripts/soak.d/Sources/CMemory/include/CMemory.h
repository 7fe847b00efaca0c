#pragma once
#include <malloc.h>

// Bytes that are allocated now.
static inline size_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
