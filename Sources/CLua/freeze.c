// Tables that can't be written to any more: what a script has captured when its declaring ends.
//
// A table is made read-only in place, for whoever has it has it: its content moves into another table, and it stays
// behind empty, with a metatable of ours over it that reads from there and refuses to write.
#include <string.h>
#include "internal.h"

// Keys of our metatable over a read-only table: what it holds, what it is called, the metatable it had.
static char content_key, name_key, original_key;
// In the registry: the read-only table of a content.
static char frozen_of_key;

// Pushes our metatable over a read-only table; false, and pushes nothing, if it is none. Does not raise.
static bool push_ours(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  if (lua_rawgetp(L, -1, &content_key) == LUA_TTABLE) {
    lua_pop(L, 1);
    return true;
  }
  lua_pop(L, 2);
  return false;
}

void clua_push_content(lua_State *L, int index) {
  index = lua_absindex(L, index);
  fill_lazy(L, index);
  if (push_ours(L, index)) {
    lua_rawgetp(L, -1, &content_key);
    lua_remove(L, -2);
  } else {
    lua_pushvalue(L, index);
  }
}

// Replaces a content on top by the table that the script knows. Does not raise.
static void show(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &frozen_of_key) == LUA_TTABLE) {
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) != LUA_TNIL) lua_replace(L, -3);
    else lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static int refuse(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) lua_pushfstring(L, "'%s'", lua_tostring(L, 2));
  else {
    push_text(L, 2);
    lua_pushfstring(L, "[%s]", lua_tostring(L, -1));
  }
  if (!push_ours(L, 1)) return luaL_error(L, "the table is read-only");
  lua_rawgetp(L, -1, &name_key);
  const char *name = lua_tostring(L, -1), *key = lua_tostring(L, -3);
  if (!name)
    return luaL_error(L, "%s can't be assigned: the step captured its table, and what a step captures is read-only; "
                         "assign to a local table of the step's own", key);
  if (strcmp(name, LUA_GNAME) == 0)
    return luaL_error(L, "the global %s can't be assigned in a step: globals are read-only once the script has "
                         "declared; use a local", key);
  return luaL_error(L, "%s can't be assigned: '%s' is read-only", key, name);
}

static int length_of_content(lua_State *L) {
  push_content(L, 1);
  lua_len(L, -1);
  return 1;
}

// Moves the content of the table at `index` into a new one, which is pushed.
static void move_content(lua_State *L, int index) {
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, index);
  }
}

// Puts our metatable over the table at `index`, and leaves its content behind, pushed.
static void cover(lua_State *L, int index, const char *name) {
  bool had_metatable = lua_getmetatable(L, index);
  if (!had_metatable) lua_pushnil(L);
  move_content(L, index);
  int content = lua_gettop(L), original = content - 1;
  lua_createtable(L, 0, 8);
  lua_pushvalue(L, content);
  lua_rawsetp(L, -2, &content_key);
  lua_pushvalue(L, original);
  lua_rawsetp(L, -2, &original_key);
  lua_pushstring(L, name);
  lua_rawsetp(L, -2, &name_key);
  lua_pushvalue(L, content);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, refuse);
  lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, length_of_content);
  lua_setfield(L, -2, "__len");
  lua_setmetatable(L, index);
  if (had_metatable) {
    lua_pushvalue(L, original);
    lua_setmetatable(L, content);
  }
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &frozen_of_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &frozen_of_key);
  }
  lua_pushvalue(L, content);
  lua_pushvalue(L, index);
  lua_rawset(L, -3);
  lua_settop(L, content);
  lua_remove(L, original);
}

void clua_freeze_table(lua_State *L, const char *what) {
  cover(L, lua_gettop(L), what);
  lua_pop(L, 1);
}

static bool is_ours(clua_state *state, const void *metatable) {
  for (int which = 0; which < CLUA_MT_COUNT; which++)
    if (state->metatables[which] == metatable) return true;
  return false;
}

// What is still to be looked at, and what was seen, while the reachable is walked: stack positions.
enum { PENDING = 1, SEEN, FUNCTIONS, HANDLES, COVERED };

typedef struct {
  lua_Integer pending, functions, handles, covered;
} walk;

// Pops a value, and notes it if it can hold or be something that matters.
static void visit(lua_State *L, walk *w) {
  int type = lua_type(L, -1);
  if (type == LUA_TTABLE || type == LUA_TFUNCTION || clua_tag(L, -1) == CLUA_HANDLE) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, SEEN) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_pushboolean(L, 1);
      lua_rawset(L, SEEN);
      lua_pushvalue(L, -2);
      lua_rawseti(L, PENDING, ++w->pending);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void walk_table(lua_State *L, walk *w, int table) {
  if (push_ours(L, table)) {
    lua_pop(L, 1);
    return;
  }
  bool is_globals = false;
  if (lua_getmetatable(L, table)) {
    is_globals = lua_topointer(L, -1) == clua_of(L)->metatables[CLUA_MT_GLOBALS];
    if (is_ours(clua_of(L), lua_topointer(L, -1))) lua_pop(L, 1);
    else visit(L, w);
  }
  lua_pushvalue(L, table);
  lua_rawseti(L, COVERED, ++w->covered);
  cover(L, table, is_globals ? LUA_GNAME : NULL);
  int content = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, content)) {
    visit(L, w);
    lua_pushvalue(L, -1);
    visit(L, w);
  }
  lua_pop(L, 1);
}

static void walk_function(lua_State *L, walk *w, int function) {
  // What those in C hold is an iterator's or a coroutine's, and an epoch keeps the steps from it.
  if (lua_iscfunction(L, function)) return;
  lua_pushvalue(L, function);
  lua_rawseti(L, FUNCTIONS, ++w->functions);
  for (int i = 1; lua_getupvalue(L, function, i); i++) visit(L, w);
}

// Now that all are read-only: a metatable works by what it really holds, and ours takes its metamethods over.
static void rewire(lua_State *L, int table) {
  push_ours(L, table);
  int ours = lua_gettop(L);
  if (lua_rawgetp(L, ours, &original_key) == LUA_TTABLE) {
    push_content(L, -1);
    int metatable = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, metatable)) {
      const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
      bool is_taken = strncmp(name, "__", 2) == 0 && strcmp(name, "__index") != 0 && strcmp(name, "__newindex") != 0
                      && strcmp(name, "__gc") != 0 && strcmp(name, "__mode") != 0;
      if (is_taken) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, ours);
      }
      lua_pop(L, 1);
    }
    lua_rawgetp(L, ours, &content_key);
    lua_pushvalue(L, metatable);
    lua_setmetatable(L, -2);
  }
  lua_settop(L, ours - 1);
}

static int freeze(lua_State *L) {
  const int *roots = lua_touserdata(L, 1);
  lua_Integer count = lua_tointeger(L, 2);
  lua_settop(L, 0);
  for (int i = PENDING; i <= COVERED; i++) lua_newtable(L);
  walk w = {0};
  clua_push_globals(L);
  visit(L, &w);
  push_modules(L);
  lua_pushnil(L);
  while (lua_next(L, -2)) visit(L, &w);
  lua_pop(L, 1);
  for (lua_Integer i = 0; i < count; i++) {
    clua_push_kept(L, roots[i]);
    visit(L, &w);
  }
  while (w.pending > 0) {
    lua_rawgeti(L, PENDING, w.pending);
    lua_pushnil(L);
    lua_rawseti(L, PENDING, w.pending--);
    int value = lua_gettop(L);
    switch (lua_type(L, value)) {
      case LUA_TTABLE: walk_table(L, &w, value); break;
      case LUA_TFUNCTION: walk_function(L, &w, value); break;
      default:
        lua_pushvalue(L, value);
        lua_rawseti(L, HANDLES, ++w.handles);
    }
    lua_settop(L, COVERED);
  }
  for (lua_Integer i = 1; i <= w.covered; i++) {
    lua_rawgeti(L, COVERED, i);
    rewire(L, lua_gettop(L));
    lua_settop(L, COVERED);
  }
  clua_of(L)->is_frozen = true;
  lua_pushvalue(L, FUNCTIONS);
  lua_pushvalue(L, HANDLES);
  return 2;
}

int clua_freeze(lua_State *L, const int *roots, int count) {
  lua_pushcfunction(L, freeze);
  lua_pushlightuserdata(L, (void *)roots);
  lua_pushinteger(L, count);
  return lua_pcall(L, 2, 2, 0);
}

// As Lua's own, except that a metatable that is read-only does its work by what it holds, and that nothing of a
// script's runs inside of the garbage collector.
int sandbox_setmetatable(lua_State *L) {
  int type = lua_type(L, 2);
  check_table(L, 1, "setmetatable");
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (push_ours(L, 1)) return luaL_error(L, "the metatable of a read-only table can't be changed");
  fill_lazy(L, 1);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  if (type == LUA_TTABLE) {
    push_content(L, 2);
    lua_replace(L, 2);
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL)
      return luaL_error(L, "'__gc' is not to be had: nothing runs when a table is freed");
    lua_settop(L, 2);
  }
  lua_setmetatable(L, 1);
  return 1;
}

int sandbox_getmetatable(lua_State *L) {
  luaL_checkany(L, 1);
  push_content(L, 1);
  if (lua_type(L, 1) == LUA_TTABLE) lua_replace(L, 1);
  if (!lua_getmetatable(L, 1)) {
    lua_pushnil(L);
    return 1;
  }
  // What marks our own values is nobody's business.
  if (is_ours(clua_of(L), lua_topointer(L, -1))) {
    lua_pushnil(L);
    return 1;
  }
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return 1;
  show(L);
  return 1;
}

int sandbox_rawget(lua_State *L) {
  check_table(L, 1, "rawget");
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  push_content(L, 1);
  lua_replace(L, 1);
  lua_rawget(L, 1);
  return 1;
}

int sandbox_rawset(lua_State *L) {
  check_table(L, 1, "rawset");
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (push_ours(L, 1)) {
    lua_pop(L, 1);
    return refuse(L);
  }
  fill_lazy(L, 1);
  lua_rawset(L, 1);
  return 1;
}

int sandbox_rawlen(lua_State *L) {
  luaL_argexpected(L, lua_type(L, 1) == LUA_TTABLE || lua_type(L, 1) == LUA_TSTRING, 1, "table or string");
  push_content(L, 1);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
  return 1;
}
