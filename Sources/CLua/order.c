// `next` and `pairs` in an order that is the same in every state: 1...n, then the other keys: numbers by value, texts
// byte by byte, false and true, and handles in the order of their making.
#include <stdlib.h>
#include <string.h>
#include "internal.h"

typedef struct {
  int rank;
  lua_Number number;
  lua_Integer integer;
  const char *text;
  size_t length;
  lua_Integer place;
} key;

enum { NUMBER_RANK, TEXT_RANK, BOOLEAN_RANK, HANDLE_RANK, OTHER_RANK };

void check_table(lua_State *L, int argument, const char *what) {
  if (lua_type(L, argument) == LUA_TTABLE) return;
  // A handle says itself what is wrong with it.
  if (clua_tag(L, argument) && luaL_getmetafield(L, argument, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, argument);
    lua_pushstring(L, what);
    lua_call(L, 2, 0);
  }
  luaL_checktype(L, argument, LUA_TTABLE);
}

// The texts stay where they are as long as the table holds them. Does not raise.
static key key_at(lua_State *L, int index) {
  key k = {.rank = OTHER_RANK};
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      k.rank = NUMBER_RANK;
      k.number = lua_tonumber(L, index);
      if (lua_isinteger(L, index)) k.integer = lua_tointeger(L, index);
      break;
    case LUA_TSTRING:
      k.rank = TEXT_RANK;
      k.text = lua_tolstring(L, index, &k.length);
      break;
    case LUA_TBOOLEAN:
      k.rank = BOOLEAN_RANK;
      k.integer = lua_toboolean(L, index);
      break;
    case LUA_TUSERDATA: {
      const clua_handle *handle = lua_touserdata(L, index);
      k.rank = HANDLE_RANK;
      k.integer = handle->tag == CLUA_HANDLE ? (lua_Integer)handle->serial : -1;
      if (handle->tag == CLUA_NUMBER) k.rank = OTHER_RANK;
    }
  }
  return k;
}

static int compare(const void *left, const void *right) {
  const key *a = left, *b = right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->rank == TEXT_RANK) {
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
  }
  if (a->rank == NUMBER_RANK && a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->integer > b->integer) - (a->integer < b->integer);
}

static bool is_listed(lua_State *L, int index, lua_Integer n) {
  if (!lua_isinteger(L, index)) return false;
  lua_Integer i = lua_tointeger(L, index);
  return i >= 1 && i <= n;
}

void push_other_keys(lua_State *L, int index, lua_Integer n) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 8, "too many nested tables");
  lua_Integer count = 0, others = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (!is_listed(L, -1, n)) count++;
  }
  lua_createtable(L, (int)(count < 1 << 20 ? count : 1 << 20), 0);
  int list = lua_gettop(L);
  if (count == 0) return;
  key *keys = lua_newuserdatauv(L, (size_t)count * sizeof *keys, 0);
  // All keys are put into the list in any order, then sorted by `place`.
  lua_Integer i = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (is_listed(L, -1, n)) continue;
    keys[i] = key_at(L, -1);
    if (keys[i].rank == OTHER_RANK && ++others == 2)
      luaL_error(L, "the table can't be walked in a repeatable order: two of its keys are no numbers and no texts");
    lua_pushvalue(L, -1);
    lua_rawseti(L, list, i + 1);
    keys[i].place = i + 1;
    i++;
  }
  qsort(keys, (size_t)count, sizeof *keys, compare);
  lua_createtable(L, (int)(count < 1 << 20 ? count : 1 << 20), 0);
  for (i = 0; i < count; i++) {
    lua_rawgeti(L, list, keys[i].place);
    lua_rawseti(L, -2, i + 1);
  }
  lua_replace(L, list);
  lua_settop(L, list);
}

// Upvalues of an iterator: the table's content, how many keys are listed, the other keys (from when they are wanted),
// the next place, and the piece of work that it was made in.
enum { CONTENT = 1, LISTED, OTHERS, PLACE, EPOCH };

static int iterate(lua_State *L) {
  lua_Integer n = lua_tointeger(L, lua_upvalueindex(LISTED));
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(PLACE));
  if ((uint64_t)lua_tointeger(L, lua_upvalueindex(EPOCH)) != current_epoch(L))
    return luaL_error(L, "the iterator was made before this step began, and a step can't go on with it");
  lua_settop(L, 0);
  for (place++;; place++) {
    if (place <= n) {
      lua_pushinteger(L, place);
    } else {
      if (lua_isnil(L, lua_upvalueindex(OTHERS))) {
        push_other_keys(L, lua_upvalueindex(CONTENT), n);
        lua_replace(L, lua_upvalueindex(OTHERS));
      }
      if (lua_rawgeti(L, lua_upvalueindex(OTHERS), place - n) == LUA_TNIL) return 1;
    }
    lua_pushvalue(L, 1);
    if (lua_rawget(L, lua_upvalueindex(CONTENT)) != LUA_TNIL) break;
    lua_settop(L, 0);
  }
  lua_pushinteger(L, place);
  lua_replace(L, lua_upvalueindex(PLACE));
  return 2;
}

int sandbox_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  push_content(L, 1);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
  lua_pushnil(L);
  lua_pushinteger(L, 0);
  lua_pushinteger(L, (lua_Integer)current_epoch(L));
  lua_pushcclosure(L, iterate, 5);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

// In the registry: the table that `next` was last asked about, its other keys, and the place of the last answer.
static char last_table_key, last_keys_key, last_place_key;

// Pushes the other keys of the content at 1, and gives the place of the key at 2 among them.
static lua_Integer find_place(lua_State *L, lua_Integer n) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &last_table_key);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &last_keys_key);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &last_place_key);
  lua_Integer place = lua_tointeger(L, -1);
  lua_pop(L, 1);
  bool is_known = lua_rawequal(L, -2, 1) && lua_rawgeti(L, -1, place) != LUA_TNIL && lua_rawequal(L, -1, 2);
  if (is_known) {
    lua_pop(L, 1);
    lua_remove(L, -2);
    return place;
  }
  lua_settop(L, 2);
  push_other_keys(L, 1, n);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_table_key);
  lua_pushvalue(L, 3);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &last_keys_key);
  if (lua_isnil(L, 2) || is_listed(L, 2, n)) return 0;
  for (place = 1; lua_rawgeti(L, 3, place) != LUA_TNIL; place++) {
    if (lua_rawequal(L, -1, 2)) {
      lua_settop(L, 3);
      return place;
    }
    lua_pop(L, 1);
  }
  return luaL_error(L, "invalid key to 'next'");
}

int sandbox_next(lua_State *L) {
  check_table(L, 1, "next");
  lua_settop(L, 2);
  push_content(L, 1);
  lua_replace(L, 1);
  lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  lua_Integer listed = is_listed(L, 2, n) ? lua_tointeger(L, 2) : 0;
  if (lua_isnil(L, 2) || listed > 0) {
    while (++listed <= n) {
      if (lua_rawgeti(L, 1, listed) != LUA_TNIL) {
        lua_pushinteger(L, listed);
        lua_insert(L, -2);
        return 2;
      }
      lua_pop(L, 1);
    }
  }
  lua_Integer place = find_place(L, n);
  while (lua_rawgeti(L, 3, ++place) != LUA_TNIL) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) {
      lua_pushinteger(L, place);
      lua_rawsetp(L, LUA_REGISTRYINDEX, &last_place_key);
      return 2;
    }
    lua_settop(L, 3);
  }
  return 1;
}
