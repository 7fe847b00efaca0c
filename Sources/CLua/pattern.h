#pragma once
#include "internal.h"

// A match of a Lua pattern, by the rules of the Lua 5.4 manual, section 6.4.1. Unlike Lua's own it can be stopped.
enum { MAXIMUM_CAPTURES = 32 };

typedef struct {
  const char *subject, *subject_end, *pattern_end;
  lua_State *L;
  int depth;
  unsigned steps;
  int level;
  struct {
    const char *start;
    ptrdiff_t length;
  } captures[MAXIMUM_CAPTURES];
} matcher;

void matcher_begin(matcher *m, lua_State *L, const char *subject, size_t subject_length, const char *pattern,
                   size_t pattern_length);
// Where the match at `s` ends, or NULL.
const char *matcher_match(matcher *m, const char *s, const char *pattern);
// Pushes the captures, or the whole match if there are none; returns how many.
int matcher_push_captures(matcher *m, const char *start, const char *end);
void matcher_push_capture(matcher *m, int index, const char *start, const char *end);
