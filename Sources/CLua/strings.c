#define _GNU_SOURCE
// The functions of `string` that could run for long in C, or show an address. After lstrlib.c of Lua 5.4, Copyright (C)
// 1994-2022 Lua.org, PUC-Rio (MIT license).
#include <string.h>
#include "pattern.h"

static int string_rep(lua_State *L) {
  size_t length, separator_length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_length);
  size_t unit = length + separator_length;
  if (count <= 0 || unit == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if ((lua_Unsigned)count > (lua_Unsigned)(PTRDIFF_MAX / 2) / unit) return luaL_error(L, "resulting string too large");
  size_t total = (size_t)count * unit - separator_length;
  luaL_Buffer buffer;
  char *bytes = luaL_buffinitsize(L, &buffer, total + separator_length);
  memcpy(bytes, text, length);
  memcpy(bytes + length, separator, separator_length);
  // Doubles what is there, until it is enough.
  for (size_t done = unit; done < total;) {
    size_t piece = done < total - done ? done : total - done;
    memcpy(bytes + done, bytes, piece);
    done += piece;
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

static bool has_specials(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (memchr("^$*+?.([%-", pattern[i], 10)) return true;
  return false;
}

// 0-based place of a start that may count from the end.
static size_t start_of(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position - 1;
  if (position == 0 || position < -(lua_Integer)length) return 0;
  return length - (size_t)(-position);
}

static int find_plain(lua_State *L, const char *subject, size_t length, const char *text, size_t text_length,
                      size_t start) {
  const char *found = memmem(subject + start, length - start, text, text_length);
  if (!found) {
    luaL_pushfail(L);
    return 1;
  }
  lua_pushinteger(L, found - subject + 1);
  lua_pushinteger(L, found - subject + (lua_Integer)text_length);
  return 2;
}

static int find(lua_State *L, bool gives_place) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t start = start_of(luaL_optinteger(L, 3, 1), length);
  if (start > length) {
    luaL_pushfail(L);
    return 1;
  }
  if (gives_place && (lua_toboolean(L, 4) || !has_specials(pattern, pattern_length)))
    return find_plain(L, subject, length, pattern, pattern_length, start);
  bool is_anchored = pattern_length > 0 && *pattern == '^';
  matcher m;
  matcher_begin(&m, L, subject, length, pattern, pattern_length);
  for (const char *s = subject + start; s <= m.subject_end; s++) {
    const char *end = matcher_match(&m, s, pattern + is_anchored);
    if (end && !gives_place) return matcher_push_captures(&m, s, end);
    if (end) {
      lua_pushinteger(L, s - subject + 1);
      lua_pushinteger(L, end - subject);
      return matcher_push_captures(&m, NULL, NULL) + 2;
    }
    if (is_anchored) break;
  }
  luaL_pushfail(L);
  return 1;
}

static int string_find(lua_State *L) { return find(L, true); }
static int string_match(lua_State *L) { return find(L, false); }

// Upvalues: subject, pattern, where to go on, where the last match ended, the piece of work it was made in.
static int gmatch_next(lua_State *L) {
  if ((uint64_t)lua_tointeger(L, lua_upvalueindex(5)) != current_epoch(L))
    return luaL_error(L, "the iterator was made before this step began, and a step can't go on with it");
  size_t length, pattern_length;
  const char *subject = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
  lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
  matcher m;
  matcher_begin(&m, L, subject, length, pattern, pattern_length);
  for (const char *s = subject + lua_tointeger(L, lua_upvalueindex(3)); s <= m.subject_end; s++) {
    const char *end = matcher_match(&m, s, pattern);
    if (!end || end - subject == last) continue;
    lua_pushinteger(L, end - subject);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_copy(L, -1, lua_upvalueindex(4));
    return matcher_push_captures(&m, s, end);
  }
  return 0;
}

static int string_gmatch(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t start = start_of(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  lua_pushinteger(L, (lua_Integer)(start > length ? length + 1 : start));
  lua_pushinteger(L, -1);
  lua_pushinteger(L, (lua_Integer)current_epoch(L));
  lua_pushcclosure(L, gmatch_next, 5);
  return 1;
}

static void add_replacement_text(matcher *m, luaL_Buffer *buffer, const char *start, const char *end) {
  size_t length;
  const char *text = lua_tolstring(m->L, 3, &length);
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '%') {
      luaL_addchar(buffer, text[i]);
      continue;
    }
    char escaped = ++i < length ? text[i] : 0;
    if (escaped == '%') {
      luaL_addchar(buffer, '%');
    } else if (escaped == '0') {
      luaL_addlstring(buffer, start, (size_t)(end - start));
    } else if (escaped >= '1' && escaped <= '9') {
      matcher_push_capture(m, escaped - '1', start, end);
      luaL_tolstring(m->L, -1, NULL);
      lua_remove(m->L, -2);
      luaL_addvalue(buffer);
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
  }
}

// Adds what replaces a match; false if it stays as it is.
static bool add_replacement(matcher *m, luaL_Buffer *buffer, const char *start, const char *end, int type) {
  lua_State *L = m->L;
  switch (type) {
    case LUA_TFUNCTION:
      lua_pushvalue(L, 3);
      lua_call(L, matcher_push_captures(m, start, end), 1);
      break;
    case LUA_TTABLE:
      matcher_push_capture(m, 0, start, end);
      lua_gettable(L, 3);
      break;
    default: add_replacement_text(m, buffer, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(buffer, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(buffer);
  return true;
}

static int string_gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  int type = lua_type(L, 3);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                   "string/function/table");
  if (type == LUA_TNUMBER) lua_tostring(L, 3);
  lua_Integer maximum = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  bool is_anchored = pattern_length > 0 && *pattern == '^', is_changed = false;
  const char *last = NULL;
  matcher m;
  matcher_begin(&m, L, s, length, pattern, pattern_length);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (count < maximum) {
    const char *end = matcher_match(&m, s, pattern + is_anchored);
    if (end && end != last) {
      count++;
      is_changed = add_replacement(&m, &buffer, s, end, type) || is_changed;
      s = last = end;
    } else if (s < m.subject_end) {
      luaL_addchar(&buffer, *s++);
    } else {
      break;
    }
    if (is_anchored) break;
  }
  if (is_changed) {
    luaL_addlstring(&buffer, s, (size_t)(m.subject_end - s));
    luaL_pushresult(&buffer);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

// Goes on as Lua's own, the upvalue, after it has seen to it that no address is written.
int string_format(lua_State *L) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length), *end = format + length;
  int argument = 1;
  for (const char *c = format; c < end; c++) {
    if (*c != '%') continue;
    if (++c < end && *c == '%') continue;
    while (c < end && memchr("-+ #0.123456789", *c, 15)) c++;
    argument++;
    if (c < end && *c == 'p') return luaL_error(L, "'%%p' is not to be had: an address is different in every run");
    if (c >= end || *c != 's' || argument > lua_gettop(L)) continue;
    push_text(L, argument);
    lua_replace(L, argument);
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Wraps the `format` of the library on top.
void wrap_format(lua_State *L) {
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, string_format, 1);
  lua_setfield(L, -2, "format");
}

const luaL_Reg string_functions[] = {
  {"find", string_find}, {"gmatch", string_gmatch}, {"gsub", string_gsub}, {"match", string_match},
  {"rep", string_rep}, {NULL, NULL}};
