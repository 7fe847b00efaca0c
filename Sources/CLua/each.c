// A script's function called for each item of a list, in one coroutine.
#include <stdlib.h>
#include "json.h"

enum { LOOK_INTERVAL = 64, FUNCTION = 1, TABLE = 2 };

static bool push_item(lua_State *L, clua_each *each) {
  if (lua_type(L, TABLE) == LUA_TTABLE) {
    lua_rawgeti(L, TABLE, (lua_Integer)each->index + 1);
    return !lua_isnil(L, -1);
  }
  if (!each->at) {
    const source *in = find_source(clua_of(L), each->source);
    if (!in) return luaL_error(L, "the value belongs to a step that has ended");
    each->at = in->start + each->offset;
  }
  return push_next_item(L, each->source, &each->at);
}

static void append(lua_State *L, clua_bytes *output, char byte) {
  if (output->count == output->capacity) {
    size_t capacity = output->capacity * 2 + 256;
    char *bytes = realloc(output->bytes, capacity);
    if (!bytes) luaL_error(L, "not enough memory");
    output->bytes = bytes;
    output->capacity = capacity;
  }
  output->bytes[output->count++] = byte;
}

// Whether the value on top says yes. What is no value at all is refused, as it is anywhere.
static bool is_yes(lua_State *L, clua_each *each) {
  switch (lua_type(L, -1)) {
    case LUA_TNIL: return false;
    case LUA_TBOOLEAN: return lua_toboolean(L, -1);
    default: break;
  }
  if (clua_tag(L, -1) == CLUA_NULL) return false;
  if (lua_isinteger(L, -1)) return true;
  clua_bytes ignored = {0};
  each->outcome = CLUA_EACH_NO_VALUE;
  if (clua_write_json(L, -1, true, &ignored) != LUA_OK) lua_error(L);
  each->outcome = CLUA_EACH_DONE;
  free(ignored.bytes);
  return true;
}

// Takes the two results on top; false if they are an error that the function returned.
static bool take(lua_State *L, clua_each *each) {
  if (lua_isnil(L, -2) && !lua_isnil(L, -1)) {
    each->outcome = CLUA_EACH_RETURNED_ERROR;
    return false;
  }
  lua_pop(L, 1);
  if (each->is_filter) {
    append(L, &each->output, is_yes(L, each));
  } else {
    append(L, &each->output, each->index == 1 ? '[' : ',');
    each->outcome = CLUA_EACH_NO_VALUE;
    append_json(L, &each->output, true);
    each->outcome = CLUA_EACH_DONE;
  }
  lua_pop(L, 1);
  return true;
}

static int go_on(lua_State *L, int status, lua_KContext context);

static int start(lua_State *L, clua_each *each) {
  for (;;) {
    lua_pushvalue(L, FUNCTION);
    if (!push_item(L, each)) break;
    if (++each->index % LOOK_INTERVAL == 0) check_stop(L);
    lua_callk(L, 1, 2, (lua_KContext)each, go_on);
    if (!take(L, each)) return 2;
  }
  if (!each->is_filter) {
    if (each->index == 0) append(L, &each->output, '[');
    append(L, &each->output, ']');
  }
  return 0;
}

// Only so that the function may try to yield, and is told what is wrong with it.
static int go_on(lua_State *L, int status, lua_KContext context) {
  (void)status;
  clua_each *each = (clua_each *)context;
  return take(L, each) ? start(L, each) : 2;
}

static int each(lua_State *L) {
  clua_each *each = lua_touserdata(L, 3);
  lua_settop(L, 2);
  return start(L, each);
}

void clua_push_each(lua_State *L) { lua_pushcfunction(L, each); }
