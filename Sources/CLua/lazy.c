// Lists and objects that are read when they are asked for: tables that stay empty over their text.
//
// Such a table holds nothing that a script could name. Under `place_key` is where its text begins, and under the
// address of their own texts are those of its lists and objects that were asked for. Because it is empty, whatever a
// script does to it goes through a metamethod of ours, or through a function of the library that fills it first; once
// filled it is a table like every other.
#include <stdlib.h>
#include <string.h>
#include "json.h"

static char place_key, count_key;

// A place: the number of the source, how many single values were read, the offset in the source.
enum { OFFSET_BITS = 32, READS_BITS = 4, NUMBER_BITS = 28 };
// So many single reads, so far into the text: beyond it filling the table is cheaper than to search again.
enum { MAXIMUM_READS = 6, MAXIMUM_SEARCH = 4096, MAXIMUM_INDEX = 16, MAXIMUM_NESTING = 180 };

static const uint64_t one_read = UINT64_C(1) << OFFSET_BITS;

enum { NO_SOURCE = UINT32_MAX };

// Twice as many places. No two of those that are there get in each other's way, since they did not before.
static void grow_sources(clua_state *state) {
  uint32_t capacity = state->source_capacity ? state->source_capacity * 2 : 8;
  source *sources = malloc(capacity * sizeof *sources);
  if (!sources) abort();
  for (uint32_t i = 0; i < capacity; i++) sources[i].number = NO_SOURCE;
  for (uint32_t i = 0; i < state->source_capacity; i++) {
    source it = state->sources[i];
    if (it.number != NO_SOURCE) sources[it.number & (capacity - 1)] = it;
  }
  free(state->sources);
  state->sources = sources;
  state->source_capacity = capacity;
}

// Takes the next number whose place is free: half of them are.
uint32_t clua_add_source(clua_state *state, const uint8_t *bytes, size_t count) {
  if (state->source_count >= state->source_capacity / 2) grow_sources(state);
  uint32_t number;
  source *place;
  do {
    number = state->next_source++ & ((UINT32_C(1) << NUMBER_BITS) - 1);
    place = &state->sources[number & (state->source_capacity - 1)];
  } while (place->number != NO_SOURCE);
  *place = (source){(const char *)bytes, (const char *)bytes + count, number};
  state->source_count++;
  return number;
}

void clua_forget_source(clua_state *state, uint32_t number) {
  source *place = (source *)find_source(state, number);
  if (!place) return;
  place->number = NO_SOURCE;
  state->source_count--;
}

const source *find_source(clua_state *state, uint32_t number) {
  if (state->source_capacity == 0) return NULL;
  const source *place = &state->sources[number & (state->source_capacity - 1)];
  return place->number == number ? place : NULL;
}

static uint64_t place_of(lua_State *L, int index) {
  lua_rawgetp(L, index, &place_key);
  uint64_t place = (uint64_t)lua_tointegerx(L, -1, NULL);
  lua_pop(L, 1);
  return place;
}

static void set_place(lua_State *L, int index, uint64_t place) {
  lua_pushinteger(L, (lua_Integer)place);
  lua_rawsetp(L, index, &place_key);
}

static int reads_of(uint64_t place) { return (int)(place >> OFFSET_BITS & ((1 << READS_BITS) - 1)); }

// Where the text of a place is: NULL if it belongs to a step that has ended.
static const char *text_of(lua_State *L, uint64_t place, const source **found) {
  *found = find_source(clua_of(L), (uint32_t)(place >> (OFFSET_BITS + READS_BITS)));
  return *found ? (*found)->start + (uint32_t)place : NULL;
}

static int refuse_late(lua_State *L) {
  return luaL_error(L, "the value belongs to a step that has ended");
}

static void push_at(lua_State *L, uint32_t number, uint32_t offset, char bracket) {
  lua_createtable(L, 0, 1);
  set_place(L, lua_gettop(L), (uint64_t)number << (OFFSET_BITS + READS_BITS) | offset);
  clua_push_metatable(L, bracket == '[' ? CLUA_MT_LAZY_ARRAY : CLUA_MT_LAZY_OBJECT);
  lua_setmetatable(L, -2);
}

void clua_push_lazy(lua_State *L, uint32_t number, uint32_t offset) {
  const source *found = find_source(clua_of(L), number);
  push_at(L, number, offset, found ? found->start[offset] : '{');
}

int lazy_kind(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return -1;
  const void *metatable = lua_topointer(L, -1);
  lua_pop(L, 1);
  clua_state *state = clua_of(L);
  if (metatable == state->metatables[CLUA_MT_LAZY_OBJECT]) return CLUA_MT_LAZY_OBJECT;
  return metatable == state->metatables[CLUA_MT_LAZY_ARRAY] ? CLUA_MT_LAZY_ARRAY : -1;
}

static const char *skip_space(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) p++;
  return p;
}

// From the quote on, to behind the other one.
static const char *skip_text(const char *p) {
  for (p++; *p != '"'; p++)
    if (*p == '\\') p++;
  return p + 1;
}

static const char *skip_brackets(const char *p) {
  for (int depth = 0;;) {
    switch (*p++) {
      case '"': p = skip_text(p - 1); break;
      case '[': case '{': depth++; break;
      case ']': case '}':
        if (--depth == 0) return p;
        break;
      default: break;
    }
  }
}

static const char *skip_value(const char *p, const char *end) {
  if (*p == '"') return skip_text(p);
  if (*p == '[' || *p == '{') return skip_brackets(p);
  while (p < end && *p != ',' && *p != ']' && *p != '}' && *p != ' ' && *p != '\n' && *p != '\t' && *p != '\r') p++;
  return p;
}

// Behind a value: to the next one, or to the closing bracket.
static const char *to_next(const char *p, const char *end) {
  p = skip_space(p, end);
  return *p == ',' ? skip_space(p + 1, end) : p;
}

// Of what has an identity, the value on top: what the table at `table` was asked for before is the same again.
static void keep_same(lua_State *L, int table, const char *p, bool keeps) {
  if (lua_rawgetp(L, table, p) != LUA_TNIL) {
    lua_replace(L, -2);
    if (keeps) return;
    lua_pushnil(L);
    lua_rawsetp(L, table, p);
  } else {
    lua_pop(L, 1);
    if (!keeps) return;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, table, p);
  }
}

// Pushes the value at `p`, and gives its end, or NULL if `keeps` and it is a list or an object. `keeps` says whether the
// table must remember it, and not, that it is being filled.
static const char *push_value(lua_State *L, int table, uint64_t place, const source *in, const char *p, bool keeps) {
  if (*p != '[' && *p != '{') {
    reader r = {.L = L, .at = p, .end = in->end};
    read_value(&r);
    if (clua_tag(L, -1) == CLUA_NUMBER) keep_same(L, table, p, keeps);
    return r.at;
  }
  push_at(L, (uint32_t)(place >> (OFFSET_BITS + READS_BITS)), (uint32_t)(p - in->start), *p);
  // Most tables are filled without having been asked for a part of them.
  if (keeps || reads_of(place) > 0) keep_same(L, table, p, keeps);
  return keeps ? NULL : skip_brackets(p);
}

static void fill_array(lua_State *L, int table, uint64_t place, const source *in, const char *p) {
  p = skip_space(p + 1, in->end);
  for (lua_Integer i = 1; *p != ']'; i++) {
    p = push_value(L, table, place, in, p, false);
    lua_rawseti(L, table, i);
    p = to_next(p, in->end);
  }
}

static void fill_object(lua_State *L, int table, uint64_t place, const source *in, const char *p) {
  p = skip_space(p + 1, in->end);
  while (*p != '}') {
    reader r = {.L = L, .at = p, .end = in->end};
    read_string(&r);
    p = skip_space(skip_space(r.at, in->end) + 1, in->end);
    p = push_value(L, table, place, in, p, false);
    lua_rawset(L, table);
    p = to_next(p, in->end);
  }
}

void fill_lazy(lua_State *L, int index) {
  int kind = lazy_kind(L, index);
  if (kind < 0) return;
  index = lua_absindex(L, index);
  if (!lua_checkstack(L, 12)) {
    if (!clua_of(L)->in_swift) luaL_error(L, "the value is nested too deep");
    return;
  }
  const source *in;
  uint64_t place = place_of(L, index);
  const char *p = text_of(L, place, &in);
  lua_pushnil(L);
  lua_rawsetp(L, index, &place_key);
  lua_pushnil(L);
  lua_rawsetp(L, index, &count_key);
  bool is_list = kind == CLUA_MT_LAZY_ARRAY;
  if (!is_list) clua_push_metatable(L, CLUA_MT_OBJECT);
  else if (p && *skip_space(p + 1, in->end) == ']') clua_push_metatable(L, CLUA_MT_ARRAY);
  else lua_pushnil(L);
  lua_setmetatable(L, index);
  if (!p) return;
  if (is_list) fill_array(L, index, place, in, p);
  else fill_object(L, index, place, in, p);
}

// The last field of this name, `MISSING` if there is none, or `FAR` if it is better to fill the table.
static const char missing = 'm', far_away = 'f';
#define MISSING (&missing)
#define FAR (&far_away)

static const char *find_field(const char *start, const char *end, const char *key, size_t length) {
  const char *p = skip_space(start + 1, end), *found = MISSING;
  while (*p != '}') {
    if (p - start > MAXIMUM_SEARCH) return FAR;
    const char *name = p + 1;
    for (p = name; *p != '"'; p++)
      if (*p == '\\') return FAR;
    bool is_it = (size_t)(p - name) == length && memcmp(name, key, length) == 0;
    p = skip_space(skip_space(p + 1, end) + 1, end);
    if (is_it) found = p;
    p = to_next(skip_value(p, end), end);
  }
  return found;
}

// Each single step may go over many megabytes of text: it looks before it does.
static int index_object(lua_State *L) {
  check_stop(L);
  lua_settop(L, 2);
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  const source *in;
  uint64_t place = place_of(L, 1);
  const char *start = text_of(L, place, &in);
  if (!start) return refuse_late(L);
  if (reads_of(place) < MAXIMUM_READS) {
    size_t length;
    const char *key = lua_tolstring(L, 2, &length), *found = find_field(start, in->end, key, length);
    if (found != FAR) {
      set_place(L, 1, place + one_read);
      if (found == MISSING) return 0;
      push_value(L, 1, place, in, found, true);
      return 1;
    }
  }
  fill_lazy(L, 1);
  lua_rawget(L, 1);
  return 1;
}

static const char *find_item(const char *start, const char *end, lua_Integer index) {
  const char *p = skip_space(start + 1, end);
  for (; *p != ']'; index--) {
    if (p - start > MAXIMUM_SEARCH) return FAR;
    if (index == 1) return p;
    p = to_next(skip_value(p, end), end);
  }
  return MISSING;
}

static int index_array(lua_State *L) {
  int is_whole = 0;
  check_stop(L);
  lua_settop(L, 2);
  lua_Integer index = lua_type(L, 2) == LUA_TNUMBER ? lua_tointegerx(L, 2, &is_whole) : 0;
  if (!is_whole || index < 1) return 0;
  const source *in;
  uint64_t place = place_of(L, 1);
  const char *start = text_of(L, place, &in);
  if (!start) return refuse_late(L);
  if (index <= MAXIMUM_INDEX && reads_of(place) < MAXIMUM_READS) {
    const char *found = find_item(start, in->end, index);
    if (found != FAR) {
      set_place(L, 1, place + one_read);
      if (found == MISSING) return 0;
      push_value(L, 1, place, in, found, true);
      return 1;
    }
  }
  fill_lazy(L, 1);
  lua_rawgeti(L, 1, index);
  return 1;
}

static int length_of_array(lua_State *L) {
  if (lua_rawgetp(L, 1, &count_key) != LUA_TNIL) return 1;
  check_stop(L);
  const source *in;
  const char *p = text_of(L, place_of(L, 1), &in);
  if (!p) return refuse_late(L);
  lua_Integer count = 0;
  for (p = skip_space(p + 1, in->end); *p != ']'; count++) p = to_next(skip_value(p, in->end), in->end);
  lua_pushinteger(L, count);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, 1, &count_key);
  return 1;
}

static int length_of_object(lua_State *L) {
  lua_pushinteger(L, 0);
  return 1;
}

static int assign(lua_State *L) {
  lua_settop(L, 3);
  // Said here, so that it is the line of the assignment that is blamed.
  if (lua_isnil(L, 2)) return luaL_error(L, "table index is nil");
  if (lua_type(L, 2) == LUA_TNUMBER && !lua_rawequal(L, 2, 2)) return luaL_error(L, "table index is NaN");
  fill_lazy(L, 1);
  lua_settable(L, 1);
  return 0;
}

static bool is_untouched(lua_State *L, int index, int nesting) {
  if (lazy_kind(L, index) < 0) return false;
  if (nesting > MAXIMUM_NESTING || !lua_checkstack(L, 4)) return false;
  index = lua_absindex(L, index);
  bool result = true;
  lua_pushnil(L);
  while (result && lua_next(L, index)) {
    result = lua_type(L, -1) != LUA_TTABLE || is_untouched(L, -1, nesting + 1);
    lua_pop(L, 1);
  }
  if (!result) lua_pop(L, 1);
  return result;
}

const char *untouched_text(lua_State *L, int index, size_t *length) {
  const source *in;
  index = lua_absindex(L, index);
  if (!is_untouched(L, index, 0)) return NULL;
  const char *start = text_of(L, place_of(L, index), &in);
  if (start) *length = (size_t)(skip_brackets(start) - start);
  return start;
}

bool clua_is_lazy(lua_State *L, int index) { return lazy_kind(L, index) >= 0; }

bool clua_find_untouched(lua_State *L, int index, uint32_t *number, size_t *offset, size_t *length) {
  const source *in;
  const char *text = untouched_text(L, index, length);
  if (!text) return false;
  text_of(L, place_of(L, lua_absindex(L, index)), &in);
  *number = in->number;
  *offset = (size_t)(text - in->start);
  return true;
}

bool push_next_item(lua_State *L, uint32_t number, const char **at) {
  const source *in = find_source(clua_of(L), number);
  if (!in) return refuse_late(L);
  const char *p = skip_space(*at, in->end);
  if (*p == ',' || *p == '[') p = skip_space(p + 1, in->end);
  if (*p == ']') return false;
  if (*p == '[' || *p == '{') {
    push_at(L, number, (uint32_t)(p - in->start), *p);
    *at = skip_brackets(p);
  } else {
    reader r = {.L = L, .at = p, .end = in->end};
    read_value(&r);
    *at = r.at;
  }
  return true;
}

static void set_functions(lua_State *L, int which, const luaL_Reg *functions) {
  clua_push_metatable(L, which);
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}

void open_lazy(lua_State *L) {
  static const luaL_Reg of_array[] = {
    {"__index", index_array}, {"__len", length_of_array}, {"__newindex", assign}, {NULL, NULL}};
  static const luaL_Reg of_object[] = {
    {"__index", index_object}, {"__len", length_of_object}, {"__newindex", assign}, {NULL, NULL}};
  set_functions(L, CLUA_MT_LAZY_ARRAY, of_array);
  set_functions(L, CLUA_MT_LAZY_OBJECT, of_object);
}
