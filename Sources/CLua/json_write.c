// From Lua to JSON: lists, objects with their keys in byte order, texts that are UTF-8, numbers exactly.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "json.h"

enum { MAXIMUM_DEPTH = 1000, KEYS_ON_STACK = 64, LOOK_INTERVAL = 4096, PIECE = 4096 };

// A table that is being written, and what leads into it.
typedef struct frame {
  const struct frame *parent;
  const void *table;
  const char *key;
  size_t key_length;
  lua_Integer index;
} frame;

typedef struct {
  lua_State *L;
  clua_bytes *output;
  size_t limit;
  unsigned steps;
  int depth;
  // Whether what is untouched is written as it came.
  bool is_verbatim;
} writer;

typedef struct {
  const char *text;
  size_t length;
  int place;
} name;

static const char mixed_keys[] = "has keys of both kinds: it is neither a list (1...n) nor an object (texts)";

static void write_value(writer *w, const frame *at);

static char *room(writer *w, size_t count) {
  clua_bytes *o = w->output;
  if (o->capacity - o->count < count) {
    size_t capacity = o->capacity + o->capacity / 2 + count + 64;
    if (o->count + count > w->limit) luaL_error(w->L, "the value is too large: its JSON has more than %d MB",
                                                (int)(w->limit >> 20));
    char *bytes = realloc(o->bytes, capacity);
    if (!bytes) luaL_error(w->L, "not enough memory");
    o->bytes = bytes;
    o->capacity = capacity;
  }
  return o->bytes + o->count;
}

static void put(writer *w, const char *bytes, size_t count) {
  memcpy(room(w, count), bytes, count);
  w->output->count += count;
}

static void put_byte(writer *w, char byte) {
  *room(w, 1) = byte;
  w->output->count++;
}

static void add_path(luaL_Buffer *buffer, const frame *at) {
  if (!at || !at->parent) return;
  add_path(buffer, at->parent);
  char digits[32];
  if (at->key) {
    if (at->parent->parent) luaL_addchar(buffer, '.');
    luaL_addlstring(buffer, at->key, at->key_length < 80 ? at->key_length : 80);
  } else {
    snprintf(digits, sizeof digits, "[%lld]", (long long)at->index);
    luaL_addstring(buffer, digits);
  }
}

// Raises: 'items[2].name' is a function ...
static void refuse(writer *w, const frame *at, const char *what) {
  luaL_Buffer buffer;
  lua_State *L = w->L;
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  luaL_buffinit(L, &buffer);
  if (at->parent) {
    luaL_addchar(&buffer, '\'');
    add_path(&buffer, at);
    luaL_addstring(&buffer, "' ");
  } else {
    luaL_addstring(&buffer, "the value ");
  }
  luaL_addstring(&buffer, what);
  luaL_pushresult(&buffer);
  lua_error(L);
}

// The length of the UTF-8 sequence at `s`, 0 if it is none (RFC 3629).
static size_t sequence(const unsigned char *s, const unsigned char *end) {
  unsigned char lead = s[0];
  size_t count = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || (size_t)(end - s) < count) return 0;
  for (size_t i = 1; i < count; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  bool is_bad = (lead == 0xE0 && s[1] < 0xA0) || (lead == 0xED && s[1] > 0x9F) || (lead == 0xF0 && s[1] < 0x90)
                || (lead == 0xF4 && s[1] > 0x8F);
  return is_bad ? 0 : count;
}

// Writes a byte of a text, and gives one past it.
static char *escaped(char *out, unsigned char c) {
  static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";
  for (const char *e = escapes; *e; e += 2) {
    if ((unsigned char)*e != c) continue;
    *out++ = '\\';
    *out++ = e[1];
    return out;
  }
  return out + sprintf(out, "\\u%04x", c);
}

// False if it is not UTF-8.
static bool write_text(writer *w, const char *text, size_t length) {
  const unsigned char *s = (const unsigned char *)text, *end = s + length;
  put_byte(w, '"');
  while (s < end) {
    // A byte becomes six at most, and a sequence may reach over the piece's end.
    const unsigned char *piece_end = (size_t)(end - s) > PIECE ? s + PIECE : end;
    char *start = room(w, (size_t)(piece_end - s) * 6 + 8), *out = start;
    while (s < piece_end) {
      unsigned char c = *s;
      if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
        *out++ = (char)c;
        s++;
      } else if (c < 0x80) {
        out = escaped(out, c);
        s++;
      } else {
        size_t count = sequence(s, end);
        if (count == 0) return false;
        memcpy(out, s, count);
        out += count;
        s += count;
      }
    }
    w->output->count += (size_t)(out - start);
  }
  put_byte(w, '"');
  return true;
}

static void write_number(writer *w, const frame *at) {
  if (lua_isinteger(w->L, -1)) {
    char *out = room(w, 24);
    w->output->count += (size_t)sprintf(out, "%lld", (long long)lua_tointeger(w->L, -1));
    return;
  }
  double number = lua_tonumber(w->L, -1);
  if (isnan(number)) refuse(w, at, "is NaN, which no JSON number is");
  if (isinf(number)) refuse(w, at, "is infinite, which no JSON number is");
  char *out = room(w, 40);
  w->output->count += (size_t)clua_of(w->L)->write_double(number, out);
}

static int compare_names(const void *left, const void *right) {
  const name *a = left, *b = right;
  int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

static void write_field(writer *w, const frame *at, const char *key, size_t length, bool is_first) {
  if (!is_first) put_byte(w, ',');
  frame inner = {.parent = at, .key = key, .key_length = length};
  if (!write_text(w, key, length)) refuse(w, at, "has a key that is not UTF-8");
  put_byte(w, ':');
  write_value(w, &inner);
  lua_pop(w->L, 1);
}

static void check_key(writer *w, const frame *at, int index) {
  switch (lua_type(w->L, index)) {
    case LUA_TSTRING: return;
    case LUA_TNUMBER: refuse(w, at, mixed_keys); return;
    default:
      lua_pushfstring(w->L, "has a key that is a %s: the keys of an object are texts", luaL_typename(w->L, index));
      refuse(w, at, lua_tostring(w->L, -1));
  }
}

// An object of many fields: its keys go through a list.
static void write_large_object(writer *w, const frame *at, int table) {
  lua_State *L = w->L;
  push_other_keys(L, table, 0);
  int keys = lua_gettop(L);
  for (lua_Integer i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
    check_key(w, at, -1);
    size_t length;
    const char *key = lua_tolstring(L, -1, &length);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    write_field(w, at, key, length, i == 1);
    lua_pop(L, 1);
  }
  lua_settop(L, keys - 1);
}

// The keys stand on Lua's stack while they are put in order.
static void write_object(writer *w, const frame *at, int table) {
  lua_State *L = w->L;
  name names[KEYS_ON_STACK];
  int count = 0, base = lua_gettop(L);
  luaL_checkstack(L, KEYS_ON_STACK + 8, "the value is nested too deep");
  put_byte(w, '{');
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    check_key(w, at, -1);
    if (count == KEYS_ON_STACK) break;
    names[count].text = lua_tolstring(L, -1, &names[count].length);
    names[count].place = lua_gettop(L);
    count++;
    lua_pushvalue(L, -1);
  }
  if (lua_gettop(L) > base + count) {
    lua_settop(L, base);
    write_large_object(w, at, table);
  } else {
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 0; i < count; i++) {
      lua_pushvalue(L, names[i].place);
      lua_rawget(L, table);
      write_field(w, at, names[i].text, names[i].length, i == 0);
    }
  }
  lua_settop(L, base);
  put_byte(w, '}');
}

static void write_array(writer *w, const frame *at, int table, lua_Integer n) {
  lua_State *L = w->L;
  lua_Integer count = 0, whole = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    count++;
    if (lua_isinteger(L, -1)) whole++;
  }
  frame inner = {.parent = at};
  if (whole < count) refuse(w, at, mixed_keys);
  put_byte(w, '[');
  for (inner.index = 1; inner.index <= n; inner.index++) {
    if (inner.index > 1) put_byte(w, ',');
    if (lua_rawgeti(L, table, inner.index) == LUA_TNIL) break;
    write_value(w, &inner);
    lua_pop(L, 1);
  }
  if (inner.index <= n || count > n)
    refuse(w, &inner, "is missing: a list has no holes, and tide.null stands for nothing");
  put_byte(w, ']');
}

static void write_table(writer *w, const frame *at) {
  lua_State *L = w->L;
  luaL_checkstack(L, 12, "the value is nested too deep");
  size_t length;
  const char *text = untouched_text(L, -1, &length);
  if (text && w->is_verbatim) {
    put(w, text, length);
    return;
  }
  if (text) {
    // A copy is read, so that what is only looked at stays untouched.
    reader r = {.L = L, .at = text, .end = text + length};
    read_value(&r);
    lua_replace(L, -2);
  }
  if (++w->depth > MAXIMUM_DEPTH) refuse(w, at, "is nested too deep");
  int marked = clua_marked(L, -1);
  push_content(L, -1);
  int table = lua_gettop(L);
  frame here = *at;
  here.table = lua_topointer(L, table);
  for (const frame *f = at->parent; f; f = f->parent)
    if (f->table == here.table) refuse(w, at, "is a table that it lies in itself: a cycle");
  lua_Integer n = (lua_Integer)lua_rawlen(L, table);
  lua_pushnil(L);
  bool is_empty = !lua_next(L, table);
  bool starts_with_index = !is_empty && lua_isinteger(L, -2);
  lua_settop(L, table);
  if (is_empty) put(w, marked == CLUA_MT_OBJECT ? "{}" : "[]", 2);
  else if (n > 0 || starts_with_index) write_array(w, &here, table, n);
  else write_object(w, &here, table);
  lua_settop(L, table - 1);
  w->depth--;
}

// The value on top.
static void write_value(writer *w, const frame *at) {
  lua_State *L = w->L;
  if (++w->steps % LOOK_INTERVAL == 0) check_stop(L);
  size_t length;
  switch (lua_type(L, -1)) {
    case LUA_TNIL: put(w, "null", 4); return;
    case LUA_TBOOLEAN: lua_toboolean(L, -1) ? put(w, "true", 4) : put(w, "false", 5); return;
    case LUA_TNUMBER: write_number(w, at); return;
    case LUA_TTABLE: write_table(w, at); return;
    case LUA_TSTRING: {
      const char *text = lua_tolstring(L, -1, &length);
      if (!write_text(w, text, length)) refuse(w, at, "is a text that is not UTF-8: tide.base64 makes a text of bytes");
      return;
    }
    case LUA_TUSERDATA:
      if (clua_tag(L, -1) == CLUA_NULL) {
        put(w, "null", 4);
        return;
      }
      const char *number = clua_to_number_text(L, -1, &length);
      if (number) put(w, number, length);
      else refuse(w, at, "is a handle: a step gets the value as an input of its own");
      return;
    default:
      lua_pushfstring(L, "is a %s, which is no value", luaL_typename(L, -1));
      refuse(w, at, lua_tostring(L, -1));
  }
}

void append_json(lua_State *L, clua_bytes *output, bool is_verbatim) {
  size_t limit = clua_of(L)->limit;
  writer w = {.L = L, .output = output, .is_verbatim = is_verbatim};
  w.limit = output->count > SIZE_MAX - limit ? SIZE_MAX : output->count + limit;
  frame root = {.parent = NULL};
  write_value(&w, &root);
}

static int write_json(lua_State *L) {
  clua_bytes *output = lua_touserdata(L, 2);
  bool is_verbatim = lua_toboolean(L, 3);
  lua_settop(L, 1);
  append_json(L, output, is_verbatim);
  return 0;
}

int clua_write_json(lua_State *L, int index, bool is_verbatim, clua_bytes *output) {
  clua_state *state = clua_of(L);
  int in_swift = state->in_swift;
  *output = (clua_bytes){0};
  lua_pushvalue(L, index);
  lua_pushcfunction(L, write_json);
  lua_insert(L, -2);
  lua_pushlightuserdata(L, output);
  lua_pushboolean(L, is_verbatim);
  state->in_swift = 0;
  int status = lua_pcall(L, 3, 0, 0);
  state->in_swift = in_swift;
  if (status != LUA_OK) {
    free(output->bytes);
    *output = (clua_bytes){0};
  }
  return status;
}
