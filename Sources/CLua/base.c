// The base library and coroutines, where Lua's own would let a script see addresses, swallow a stop, or keep state
// from one piece of work to the next.
#include "internal.h"

// Pushes the value at the absolute `index` as text, as Lua's tostring would, except that no address shows.
void push_text(lua_State *L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TTABLE: case LUA_TUSERDATA: case LUA_TFUNCTION: case LUA_TTHREAD: case LUA_TLIGHTUSERDATA:
      if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        lua_pop(L, 1);
        break;
      }
      switch (luaL_getmetafield(L, index, "__name")) {
        case LUA_TSTRING: return;
        case LUA_TNIL: break;
        default: lua_pop(L, 1);
      }
      lua_pushstring(L, luaL_typename(L, index));
      return;
    default: break;
  }
  luaL_tolstring(L, index, NULL);
}

static int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

static int finish_pcall(lua_State *L, int status, lua_KContext extra) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)extra;
  pass_stop(L, status);
  lua_pushboolean(L, 0);
  lua_pushvalue(L, -2);
  return 2;
}

static int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return finish_pcall(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_pcall), 0);
}

// A handler sees nothing of the stack (there is no debug library), so it may as well run after it has unwound: then it
// can be stopped like everything else.
static int finish_xpcall(lua_State *L, int status, lua_KContext extra) {
  if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)extra;
  pass_stop(L, status);
  lua_pushvalue(L, 1);
  lua_insert(L, -2);
  lua_call(L, 1, 1);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

static int base_xpcall(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_insert(L, 1);
  lua_remove(L, 3);
  lua_pushboolean(L, 1);
  lua_insert(L, 2);
  return finish_xpcall(L, lua_pcallk(L, lua_gettop(L) - 3, LUA_MULTRET, 0, 1, finish_xpcall), 1);
}

const luaL_Reg base_functions[] = {
  {"getmetatable", sandbox_getmetatable}, {"next", sandbox_next}, {"pairs", sandbox_pairs}, {"pcall", base_pcall},
  {"rawget", sandbox_rawget}, {"rawlen", sandbox_rawlen}, {"rawset", sandbox_rawset},
  {"setmetatable", sandbox_setmetatable}, {"tostring", base_tostring}, {"xpcall", base_xpcall}, {NULL, NULL}};

static void check_resumable(lua_State *L, lua_State *body) {
  if (epoch_of(body) != current_epoch(L))
    luaL_error(L, "the coroutine was made before this step began, and a step can't go on with it: make it in the step");
  if (is_waiting(body))
    luaL_error(L, "the coroutine waits (for tide.fetch, tide.sleep or tide.all), and goes on by itself");
}

static lua_State *check_coroutine(lua_State *L) {
  lua_State *body = lua_tothread(L, 1);
  luaL_argexpected(L, body, 1, "coroutine");
  check_resumable(L, body);
  return body;
}

static int resume(lua_State *L, lua_State *body, int base, lua_KFunction again);

// The engine's yields go through every coroutine to the engine: what it answers is passed down again.
static int pass_down(lua_State *L, int status, lua_KContext base) {
  (void)status;
  lua_State *body = lua_tothread(L, base == 0 ? lua_upvalueindex(1) : 1);
  set_waiting(body, false);
  return resume(L, body, (int)base, pass_down);
}

// Resumes with what lies above `base`; the results are pushed, and counted; -1 if it failed, with the error pushed.
static int run(lua_State *L, lua_State *body, int base, bool *passes) {
  clua_state *state = clua_of(L);
  int count = lua_gettop(L) - base;
  *passes = false;
  if (!lua_checkstack(body, count)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, body, count);
  int results, walls = state->walls;
  if (!lua_isyieldable(L)) state->walls++;
  int status = lua_resume(body, L, count, &results);
  state->walls = walls;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (!lua_checkstack(L, results + 1)) {
      lua_pop(body, results);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(body, L, results);
    *passes = status == LUA_YIELD && state->engine_yields;
    if (*passes) set_waiting(body, true);
    return results;
  }
  if (lua_status(body) != LUA_OK) note_error(body);
  lua_xmove(body, L, 1);
  pass_stop(L, status);
  return -1;
}

static int resume(lua_State *L, lua_State *body, int base, lua_KFunction again) {
  bool passes;
  int count = run(L, body, base, &passes);
  if (passes) return lua_yieldk(L, count, base, again);
  if (base > 0) {
    lua_pushboolean(L, count >= 0);
    lua_insert(L, count >= 0 ? -count - 1 : -2);
    return count >= 0 ? count + 1 : 2;
  }
  if (count >= 0) return count;
  // A wrapped coroutine that failed is closed, and its error goes on.
  if (lua_status(body) != LUA_OK && lua_status(body) != LUA_YIELD && lua_resetthread(body) != LUA_OK) {
    lua_xmove(body, L, 1);
  }
  return lua_error(L);
}

static int coroutine_resume(lua_State *L) { return resume(L, check_coroutine(L), 1, pass_down); }

static int call_wrapped(lua_State *L) {
  lua_State *body = lua_tothread(L, lua_upvalueindex(1));
  check_resumable(L, body);
  return resume(L, body, 0, pass_down);
}

// The coroutine whose engine's yield the one at `L` has passed on, or NULL: its innermost frame has resumed it.
static lua_State *waits_in(lua_State *L) {
  lua_Debug ar;
  if (lua_status(L) != LUA_YIELD || !lua_getstack(L, 0, &ar) || !lua_checkstack(L, 2)) return NULL;
  lua_getinfo(L, "f", &ar);
  lua_CFunction function = lua_tocfunction(L, -1);
  bool is_found = function == call_wrapped && lua_getupvalue(L, -1, 1);
  if (function == coroutine_resume) is_found = lua_getlocal(L, &ar, 1);
  lua_State *inner = is_found ? lua_tothread(L, -1) : NULL;
  lua_pop(L, is_found ? 2 : 1);
  return inner;
}

void close_waiting(lua_State *L) {
  lua_State *inner = waits_in(L);
  if (inner && is_waiting(inner)) close_waiting(inner);
  set_waiting(L, false);
  lua_resetthread(L);
}

static int coroutine_create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_State *body = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, body, 1);
  return 1;
}

static int coroutine_wrap(lua_State *L) {
  coroutine_create(L);
  lua_pushcclosure(L, call_wrapped, 1);
  return 1;
}

static int coroutine_close(lua_State *L) {
  lua_State *body = check_coroutine(L);
  int status = lua_status(body);
  lua_Debug ar;
  bool is_alive = body == L || (status == LUA_OK && lua_getstack(body, 0, &ar));
  if (is_alive) return luaL_error(L, "cannot close a running coroutine");
  status = lua_resetthread(body);
  pass_stop(L, status);
  lua_pushboolean(L, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(body, L, 1);
  return 2;
}

const luaL_Reg coroutine_functions[] = {
  {"close", coroutine_close}, {"create", coroutine_create}, {"resume", coroutine_resume}, {"wrap", coroutine_wrap},
  {NULL, NULL}};
