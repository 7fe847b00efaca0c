#pragma once
// What the readers and the writer of JSON know of each other. The text that is read is known to be valid.
#include "internal.h"

enum { HINTS = 16 };

typedef struct {
  lua_State *L;
  const char *at, *end;
  int depth;
  // How many fields the last object of each depth had: the next one probably has as many.
  int hints[HINTS];
} reader;

// json_read.c: pushes what is read and goes behind it.
void read_value(reader *r);
// At the quote.
void read_string(reader *r);

// json_write.c
// Appends the value on top as clua_write_json does; raises if it is none.
void append_json(lua_State *L, clua_bytes *output, bool is_verbatim);
