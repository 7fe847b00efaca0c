// From JSON to Lua. The text is known to be valid, so that nothing is checked twice.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"

// What TideValue's parser lets through, too.
enum { MAXIMUM_DEPTH = 1000 };

static void skip_space(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static unsigned read_hex(const char *digits) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++) {
    char c = digits[i];
    code = code << 4 | (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return code;
}

static size_t write_utf8(unsigned code, char *out) {
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800) return out[0] = (char)(0xC0 | code >> 6), out[1] = (char)(0x80 | (code & 0x3F)), 2;
  if (code < 0x10000) {
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
  }
  out[0] = (char)(0xF0 | code >> 18);
  out[1] = (char)(0x80 | (code >> 12 & 0x3F));
  out[2] = (char)(0x80 | (code >> 6 & 0x3F));
  out[3] = (char)(0x80 | (code & 0x3F));
  return 4;
}

// Decodes the escape after a backslash; a surrogate without its partner becomes U+FFFD.
static const char *decode_escape(const char *p, const char *end, char *out, size_t *count) {
  char c = *p++;
  if (c != 'u') {
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *place = strchr(from, c);
    *out = place ? to[place - from] : c;
    *count = 1;
    return p;
  }
  unsigned code = read_hex(p);
  p += 4;
  if (code >= 0xD800 && code < 0xE000) {
    unsigned low = code < 0xDC00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? read_hex(p + 2) : 0;
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      p += 6;
    } else {
      code = 0xFFFD;
    }
  }
  *count = write_utf8(code, out);
  return p;
}

// At the quote.
void read_string(reader *r) {
  const char *start = ++r->at, *p = start;
  while (*p != '"' && *p != '\\') p++;
  if (*p == '"') {
    lua_pushlstring(r->L, start, (size_t)(p - start));
    r->at = p + 1;
    return;
  }
  const char *end = p;
  while (*end != '"') end += *end == '\\' ? 2 : 1;
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(r->L, &buffer, (size_t)(end - start));
  size_t length = (size_t)(p - start);
  memcpy(out, start, length);
  while (p < end) {
    if (*p != '\\') {
      out[length++] = *p++;
      continue;
    }
    size_t count;
    p = decode_escape(p + 1, end, out + length, &count);
    length += count;
  }
  luaL_pushresultsize(&buffer, length);
  r->at = end + 1;
}

// Whole numbers of 64 bits are integers, -0 is not; what no Lua number holds, even nearly, keeps its text.
static void read_number(reader *r) {
  const char *start = r->at, *p = start + (*start == '-');
  uint64_t whole = 0;
  bool fits = true;
  for (; p < r->end && *p >= '0' && *p <= '9'; p++) {
    fits = fits && !__builtin_mul_overflow(whole, 10, &whole) && !__builtin_add_overflow(whole, *p - '0', &whole);
  }
  bool is_whole = p == r->end || (*p != '.' && *p != 'e' && *p != 'E');
  bool is_negative = *start == '-';
  while (p < r->end && strchr("0123456789+-.eE", *p) && *p) p++;
  r->at = p;
  if (is_whole && fits && whole <= (uint64_t)INT64_MAX + is_negative && !(is_negative && whole == 0)) {
    lua_pushinteger(r->L, is_negative ? (lua_Integer)(0 - whole) : (lua_Integer)whole);
    return;
  }
  // strtod wants an end: a number at the end of the text may have none.
  char digits[64];
  size_t length = (size_t)(p - start);
  double number = HUGE_VAL;
  if (length < sizeof digits) {
    memcpy(digits, start, length);
    digits[length] = 0;
    number = strtod(digits, NULL);
  } else if (!is_whole) {
    lua_pushlstring(r->L, start, length);
    number = strtod(lua_tostring(r->L, -1), NULL);
    lua_pop(r->L, 1);
  }
  bool is_lost = (is_whole && whole != 0) || number == HUGE_VAL || number == -HUGE_VAL;
  if (is_lost) clua_push_number_text(r->L, start, length);
  else lua_pushnumber(r->L, number);
}

static void enter(reader *r) {
  if (++r->depth > MAXIMUM_DEPTH) luaL_error(r->L, "the value is nested deeper than %d levels", (int)MAXIMUM_DEPTH);
  luaL_checkstack(r->L, 8, "the value is nested too deep");
  r->at++;
  skip_space(r);
}

static void read_array(reader *r) {
  enter(r);
  lua_createtable(r->L, 0, 0);
  if (*r->at == ']') {
    clua_mark(r->L, -1, CLUA_MT_ARRAY);
  } else {
    for (lua_Integer i = 1;; i++) {
      read_value(r);
      lua_rawseti(r->L, -2, i);
      skip_space(r);
      if (*r->at == ']') break;
      r->at++;
    }
  }
  r->at++;
  r->depth--;
}

static void read_object(reader *r) {
  enter(r);
  int depth = r->depth < HINTS ? r->depth : HINTS - 1, count = 0;
  lua_createtable(r->L, 0, r->hints[depth]);
  clua_mark(r->L, -1, CLUA_MT_OBJECT);
  while (*r->at != '}') {
    read_string(r);
    skip_space(r);
    r->at++;
    read_value(r);
    lua_rawset(r->L, -3);
    count++;
    skip_space(r);
    if (*r->at == ',') {
      r->at++;
      skip_space(r);
    }
  }
  r->hints[depth] = count < 1024 ? count : 1024;
  r->at++;
  r->depth--;
}

void read_value(reader *r) {
  skip_space(r);
  switch (*r->at) {
    case '{': read_object(r); break;
    case '[': read_array(r); break;
    case '"': read_string(r); break;
    case 'n':
      clua_push_null(r->L);
      r->at += 4;
      break;
    case 't':
      lua_pushboolean(r->L, 1);
      r->at += 4;
      break;
    case 'f':
      lua_pushboolean(r->L, 0);
      r->at += 5;
      break;
    default: read_number(r);
  }
}

static int push_json(lua_State *L) {
  reader r = {.L = L, .at = lua_touserdata(L, 1)};
  r.end = r.at + lua_tointeger(L, 2);
  lua_settop(L, 0);
  read_value(&r);
  return 1;
}

int clua_push_json(lua_State *L, const char *text, size_t length) {
  clua_state *state = clua_of(L);
  int in_swift = state->in_swift;
  lua_pushcfunction(L, push_json);
  lua_pushlightuserdata(L, (void *)text);
  lua_pushinteger(L, (lua_Integer)length);
  // There is no garbage in what grows here; at the memory limit Lua collects all the same.
  int was_collecting = lua_gc(L, LUA_GCISRUNNING);
  lua_gc(L, LUA_GCSTOP);
  state->in_swift = 0;
  int status = lua_pcall(L, 2, 1, 0);
  if (was_collecting) lua_gc(L, LUA_GCRESTART);
  state->in_swift = in_swift;
  return status;
}
