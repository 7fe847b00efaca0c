// Functions that take anything and make a text of it.
#include <stdlib.h>
#include "internal.h"

int string_format(lua_State *L);

// Pushes a value as a line shows it: a table as JSON, if it can be, a handle by its description.
static void push_shown(lua_State *L, int index) {
  if (clua_to_handle(L, index)) {
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    return;
  }
  bool is_plain = lua_type(L, index) == LUA_TTABLE && luaL_getmetafield(L, index, "__tostring") == LUA_TNIL;
  if (!is_plain) {
    push_text(L, index);
    return;
  }
  clua_bytes json;
  if (clua_write_json(L, index, false, &json) != LUA_OK) {
    lua_pop(L, 1);
    push_text(L, index);
    return;
  }
  lua_pushlstring(L, json.bytes, json.count);
  free(json.bytes);
}

// Upvalues: separator, describe, sink.
static int say(lua_State *L) {
  int count = lua_gettop(L);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int i = 1; i <= count; i++) {
    if (i > 1) {
      lua_pushvalue(L, lua_upvalueindex(1));
      luaL_addvalue(&buffer);
    }
    push_shown(L, i);
    lua_replace(L, i);
    lua_pushvalue(L, i);
    luaL_addvalue(&buffer);
  }
  luaL_pushresult(&buffer);
  lua_pushvalue(L, lua_upvalueindex(3));
  lua_insert(L, -2);
  lua_call(L, 1, 0);
  return 0;
}

void clua_push_sayer(lua_State *L, const char *separator, clua_function describe, clua_function sink) {
  lua_pushstring(L, separator);
  clua_push_function(L, describe, 0);
  clua_push_function(L, sink, 0);
  lua_pushcclosure(L, say, 3);
}

// Upvalues: Lua's string.format, and what joins handles.
static int format(lua_State *L) {
  for (int i = 2; i <= lua_gettop(L); i++)
    if (clua_to_handle(L, i)) return call_swift(L, (clua_function)lua_touserdata(L, lua_upvalueindex(2)));
  return string_format(L);
}

// The library's `format` is our string_format, whose upvalue is Lua's own.
void clua_push_format(lua_State *L, clua_function join) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushliteral(L, "__index");
  lua_rawget(L, -2);
  lua_pushliteral(L, "format");
  lua_rawget(L, -2);
  lua_getupvalue(L, -1, 1);
  lua_rotate(L, -5, 1);
  lua_pop(L, 4);
  lua_pushlightuserdata(L, (void *)join);
  lua_pushcclosure(L, format, 2);
}
