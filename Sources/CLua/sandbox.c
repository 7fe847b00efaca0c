// What a script finds: the libraries that are left, and the values that are ours.
#include <string.h>
#include "internal.h"

// The keys of the registry, by their addresses.
static char null_key, globals_key, kept_key, held_key, modules_key, resolver_key;
static char metatable_keys[CLUA_MT_COUNT];

static void open_library(lua_State *L, lua_CFunction open, const char *name, const luaL_Reg *replaced,
                         const char *const *removed) {
  lua_pushcfunction(L, open);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  for (; *removed; removed++) {
    lua_pushnil(L);
    lua_setfield(L, -2, *removed);
  }
  if (replaced) luaL_setfuncs(L, replaced, 0);
}

static const char *const nothing[] = {NULL};
static const char *const from_base[] = {"assert", "error", "ipairs", "rawequal", "select", "tonumber", "type", NULL};
static const char *const not_in_string[] = {"dump", NULL};

void wrap_format(lua_State *L);

static int no_randomness(lua_State *L) {
  return luaL_error(L, "there is no randomness in a script: the same inputs must give the same run");
}

static const luaL_Reg math_functions[] = {{"random", no_randomness}, {"randomseed", no_randomness}, {NULL, NULL}};

// Puts the library on top, made read-only, among the globals, which lie below it.
static void publish(lua_State *L, const char *name) {
  clua_freeze_table(L, name);
  // Lua looks here, raw, for the names of functions that messages are about.
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  push_content(L, -2);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  lua_setfield(L, -2, name);
}

static void open_base(lua_State *L) {
  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  for (const char *const *name = from_base; *name; name++) {
    lua_getfield(L, -1, *name);
    lua_setfield(L, -3, *name);
  }
  lua_pop(L, 1);
  // Nobody may find Lua's own table of globals, or of modules.
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  luaL_setfuncs(L, base_functions, 0);
  lua_pushcfunction(L, sandbox_require);
  lua_setfield(L, -2, "require");
  lua_pushliteral(L, LUA_VERSION);
  lua_setfield(L, -2, "_VERSION");
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, LUA_GNAME);
}

static void open_string(lua_State *L) {
  open_library(L, luaopen_string, LUA_STRLIBNAME, string_functions, not_in_string);
  wrap_format(L);
  // ("x"):upper() goes by the metatable of strings, which nobody may get hold of.
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

// `__index` of strings must be the content, not the read-only table over it.
static void point_strings_at_content(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_getfield(L, -3, LUA_STRLIBNAME);
  push_content(L, -1);
  lua_setfield(L, -3, "__index");
  lua_pop(L, 3);
}

static int open_sandbox(lua_State *L) {
  clua_state *state = clua_of(L);
  lua_gc(L, LUA_GCSTOP);
  install_hook(L);
  for (int which = 0; which < CLUA_MT_COUNT; which++) {
    lua_createtable(L, 0, 8);
    state->metatables[which] = lua_topointer(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &metatable_keys[which]);
  }
  open_lazy(L);
  *(uint32_t *)lua_newuserdatauv(L, sizeof(clua_handle), 0) = CLUA_NULL;
  state->null = lua_touserdata(L, -1);
  clua_push_metatable(L, CLUA_MT_NULL);
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &null_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &held_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &modules_key);

  lua_newtable(L);
  open_base(L);
  open_string(L);
  publish(L, LUA_STRLIBNAME);
  point_strings_at_content(L);
  open_library(L, luaopen_table, LUA_TABLIBNAME, table_functions, nothing);
  publish(L, LUA_TABLIBNAME);
  open_library(L, luaopen_math, LUA_MATHLIBNAME, math_functions, nothing);
  publish(L, LUA_MATHLIBNAME);
  open_library(L, luaopen_utf8, LUA_UTF8LIBNAME, NULL, nothing);
  publish(L, LUA_UTF8LIBNAME);
  open_library(L, luaopen_coroutine, LUA_COLIBNAME, coroutine_functions, nothing);
  publish(L, LUA_COLIBNAME);
  clua_push_metatable(L, CLUA_MT_GLOBALS);
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &globals_key);
  lua_gc(L, LUA_GCRESTART);
  return 0;
}

int clua_open_sandbox(lua_State *L) {
  lua_pushcfunction(L, open_sandbox);
  return lua_pcall(L, 0, 0, 0);
}

void clua_push_globals(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &globals_key); }

void clua_set_global(lua_State *L, const char *name) {
  clua_push_globals(L);
  lua_pushstring(L, name);
  lua_rotate(L, -3, -1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void clua_push_metatable(lua_State *L, int which) { lua_rawgetp(L, LUA_REGISTRYINDEX, &metatable_keys[which]); }

void clua_set_metafield(lua_State *L, int which, const char *name) {
  clua_push_metatable(L, which);
  lua_pushstring(L, name);
  lua_rotate(L, -3, -1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void clua_mark(lua_State *L, int index, int which) {
  index = lua_absindex(L, index);
  fill_lazy(L, index);
  clua_push_metatable(L, which);
  lua_setmetatable(L, index);
}

int clua_marked(lua_State *L, int index) {
  int lazy = lazy_kind(L, index);
  if (lazy >= 0) return lazy == CLUA_MT_LAZY_ARRAY ? CLUA_MT_ARRAY : CLUA_MT_OBJECT;
  push_content(L, index);
  int marked = -1;
  if (lua_getmetatable(L, -1)) {
    const void *metatable = lua_topointer(L, -1);
    clua_state *state = clua_of(L);
    for (int which = CLUA_MT_ARRAY; which <= CLUA_MT_FAILURE; which++)
      if (state->metatables[which] == metatable) marked = which;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return marked;
}

void clua_push_null(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &null_key); }

int clua_tag(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? (int)*(const uint32_t *)lua_touserdata(L, index) : 0;
}

clua_handle *clua_push_handle(lua_State *L, uint32_t kind, uint32_t index) {
  clua_handle *handle = lua_newuserdatauv(L, sizeof *handle, 0);
  *handle = (clua_handle){CLUA_HANDLE, kind, index, ++clua_of(L)->handles};
  clua_push_metatable(L, CLUA_MT_HANDLE);
  lua_setmetatable(L, -2);
  return handle;
}

const clua_handle *clua_to_handle(lua_State *L, int index) {
  return clua_tag(L, index) == CLUA_HANDLE ? lua_touserdata(L, index) : NULL;
}

// The text follows the tag.
void clua_push_number_text(lua_State *L, const char *text, size_t length) {
  uint32_t *block = lua_newuserdatauv(L, sizeof(uint32_t) + length, 0);
  *block = CLUA_NUMBER;
  memcpy(block + 1, text, length);
  clua_push_metatable(L, CLUA_MT_NUMBER);
  lua_setmetatable(L, -2);
}

const char *clua_to_number_text(lua_State *L, int index, size_t *length) {
  if (clua_tag(L, index) != CLUA_NUMBER) return NULL;
  *length = (size_t)lua_rawlen(L, index) - sizeof(uint32_t);
  return (const char *)((const uint32_t *)lua_touserdata(L, index) + 1);
}

int clua_keep(lua_State *L, int index) {
  lua_pushvalue(L, index);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_rotate(L, -2, 1);
  lua_rawseti(L, -2, ++clua_of(L)->kept);
  lua_pop(L, 1);
  return clua_of(L)->kept;
}

void clua_push_kept(lua_State *L, int number) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_rawgeti(L, -1, number);
  lua_remove(L, -2);
}

void clua_set_kept(lua_State *L, int number) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_rotate(L, -2, 1);
  lua_rawseti(L, -2, number);
  lua_pop(L, 1);
}

int clua_hold(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &held_key);
  lua_rotate(L, -2, 1);
  int number = luaL_ref(L, -2);
  lua_pop(L, 1);
  return number;
}

void clua_release(lua_State *L, int number) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &held_key);
  luaL_unref(L, -1, number);
  lua_pop(L, 1);
}

void push_modules(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &modules_key); }

void clua_set_module(lua_State *L, const char *name, clua_function resolver) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &modules_key);
  lua_rotate(L, -2, 1);
  lua_pushstring(L, name);
  lua_rotate(L, -2, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  clua_push_function(L, resolver, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &resolver_key);
}

// A module is run once, in the sandbox. The resolver gives its function and its key: one file has one, however it is
// called; a key without a function is a module that was loaded under it.
int sandbox_require(lua_State *L) {
  luaL_checkstring(L, 1);
  lua_settop(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &modules_key);
  lua_pushvalue(L, 1);
  lua_rawget(L, 2);
  if (!lua_isnil(L, 3)) return 1;
  lua_settop(L, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &resolver_key);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  if (lua_isnil(L, -1)) {
    lua_pushboolean(L, 1);
    lua_replace(L, -2);
  }
  lua_pushvalue(L, 1);
  lua_pushvalue(L, -2);
  lua_rawset(L, 2);
  return 1;
}
