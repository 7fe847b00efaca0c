// The functions of `table` that loop in C: theirs look at whether to stop, so that no length (`__len` gives any) can
// keep a step from being stopped.
#include "internal.h"

enum { LOOK_INTERVAL = 1024 };

static void look(lua_State *L, lua_Integer step) {
  if (step % LOOK_INTERVAL == 0) check_stop(L);
}

static lua_Integer length(lua_State *L, const char *what) {
  check_table(L, 1, what);
  return luaL_len(L, 1);
}

static int table_insert(lua_State *L) {
  lua_Integer end = luaL_intop(+, length(L, "table.insert"), 1);
  switch (lua_gettop(L)) {
    case 2:
      lua_seti(L, 1, end);
      return 0;
    case 3: {
      lua_Integer position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
      for (lua_Integer i = end; i > position; i--) {
        look(L, i);
        lua_geti(L, 1, i - 1);
        lua_seti(L, 1, i);
      }
      lua_seti(L, 1, position);
      return 0;
    }
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
}

static int table_remove(lua_State *L) {
  lua_Integer size = length(L, "table.remove");
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size)
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  lua_geti(L, 1, position);
  for (; position < size; position++) {
    look(L, position);
    lua_geti(L, 1, position + 1);
    lua_seti(L, 1, position);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), target = luaL_checkinteger(L, 4);
  int destination = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, "table.move");
  check_table(L, destination, "table.move");
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, target <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool forwards = target > last || target <= first || (destination != 1 && !lua_compare(L, 1, destination, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      look(L, i);
      lua_Integer step = forwards ? i : count - 1 - i;
      lua_geti(L, 1, first + step);
      lua_seti(L, destination, target + step);
    }
  }
  lua_pushvalue(L, destination);
  return 1;
}

static int table_concat(lua_State *L) {
  lua_Integer size = length(L, "table.concat");
  size_t separator_length;
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  size = luaL_optinteger(L, 4, size);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (lua_Integer i = first; i <= size; i++) {
    look(L, i);
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1))
      luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1), (LUAI_UACINT)i);
    luaL_addvalue(&buffer);
    if (i == size) break;
    luaL_addlstring(&buffer, separator, separator_length);
  }
  luaL_pushresult(&buffer);
  return 1;
}

// Whether b must stand before a.
static bool is_before(lua_State *L, int b, int a) {
  if (lua_isnil(L, 2)) return lua_compare(L, b, a, LUA_OPLT);
  b = lua_absindex(L, b);
  a = lua_absindex(L, a);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, b);
  lua_pushvalue(L, a);
  lua_call(L, 2, 1);
  bool result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

// Merges [low, middle) and [middle, high) of the table at `from` into the one at `to`.
static void merge(lua_State *L, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer left = low, right = middle;
  for (lua_Integer i = low; i < high; i++) {
    look(L, i);
    bool takes_right = left == middle;
    if (left < middle && right < high) {
      lua_rawgeti(L, from, left);
      lua_rawgeti(L, from, right);
      takes_right = is_before(L, -1, -2);
      lua_pop(L, 2);
    }
    lua_rawgeti(L, from, takes_right ? right++ : left++);
    lua_rawseti(L, to, i);
  }
}

// A merge sort: stable, and an order that contradicts itself does no harm. An error leaves the table as it was.
static int table_sort(lua_State *L) {
  lua_Integer size = length(L, "table.sort");
  if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  lua_newtable(L);
  lua_newtable(L);
  for (lua_Integer i = 1; i <= size; i++) {
    look(L, i);
    lua_geti(L, 1, i);
    lua_rawseti(L, 3, i);
  }
  int from = 3, to = 4;
  for (lua_Integer width = 1; width < size; width *= 2) {
    for (lua_Integer low = 1; low <= size; low += 2 * width) {
      lua_Integer middle = low + width <= size + 1 ? low + width : size + 1;
      lua_Integer high = low + 2 * width <= size + 1 ? low + 2 * width : size + 1;
      merge(L, from, to, low, middle, high);
    }
    int other = from;
    from = to;
    to = other;
  }
  for (lua_Integer i = 1; i <= size; i++) {
    look(L, i);
    lua_rawgeti(L, from, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

const luaL_Reg table_functions[] = {
  {"concat", table_concat}, {"insert", table_insert}, {"move", table_move}, {"remove", table_remove},
  {"sort", table_sort}, {NULL, NULL}};
