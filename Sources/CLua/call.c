// Calls from Swift into Lua and back, errors, and how a script is stopped.
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include "internal.h"

// Virtual instructions between two looks at whether to stop: some 50 microseconds.
enum { HOOK_INTERVAL = 10000 };

static bool place_at(lua_State *L, lua_Debug *ar, clua_place *place) {
  lua_getinfo(L, "Sl", ar);
  if (ar->what[0] == 'C' || ar->currentline <= 0) return false;
  place->chunk = ar->source;
  place->line = ar->currentline;
  return true;
}

static clua_place innermost_place(lua_State *L) {
  clua_place place = {.line = 0};
  lua_Debug ar;
  for (int level = 0; lua_getstack(L, level, &ar); level++)
    if (place_at(L, &ar, &place)) break;
  return place;
}

clua_place clua_caller(lua_State *L) { return innermost_place(L); }

void note_error(lua_State *L) {
  clua_state *state = clua_of(L);
  const void *error = lua_topointer(L, -1);
  if (lua_type(L, -1) == LUA_TSTRING) error = lua_tostring(L, -1);
  if (error && state->error == error && state->place.line > 0) return;
  clua_place place = innermost_place(L);
  if (place.line == 0) return;
  state->error = error;
  state->place = place;
}

clua_place clua_error_place(lua_State *body) { return clua_of(body)->place; }

static const char *const stop_messages[] = {
  "", "the step was stopped", "the time limit for declaring has passed", "not enough memory"};

static void raise_stop(lua_State *L) {
  clua_state *state = clua_of(L);
  // From here on every instruction looks: what closes on the way out gets no time either.
  lua_sethook(L, lua_gethook(L), LUA_MASKCOUNT, 1);
  lua_pushstring(L, stop_messages[atomic_load(&state->stop)]);
  note_error(L);
  lua_error(L);
}

void check_stop(lua_State *L) {
  clua_state *state = clua_of(L);
  if (atomic_load_explicit(&state->stop, memory_order_relaxed) != CLUA_RUNS) raise_stop(L);
  if (state->deadline == 0) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < state->deadline) return;
  clua_stop(state, CLUA_TIMED_OUT);
  raise_stop(L);
}

static void hook(lua_State *L, lua_Debug *ar) {
  (void)ar;
  check_stop(L);
}

// A coroutine gets the hook of the one that makes it.
void install_hook(lua_State *L) { lua_sethook(L, hook, LUA_MASKCOUNT, HOOK_INTERVAL); }

void pass_stop(lua_State *L, int status) {
  clua_state *state = clua_of(L);
  if (status == LUA_ERRMEM) clua_stop(state, CLUA_OUT_OF_MEMORY);
  if (atomic_load(&state->stop) != CLUA_RUNS) lua_error(L);
}

// Runs when the engine resumes a yield of Swift's: what it was given is the result, or an error.
static int after_yield(lua_State *L, int status, lua_KContext context) {
  (void)status;
  clua_state *state = clua_of(L);
  if (state->raises) {
    state->raises = false;
    note_error(L);
    return lua_error(L);
  }
  return lua_gettop(L) - (int)context;
}

// Calls a Swift function, and raises or yields for it once it has returned.
int call_swift(lua_State *L, clua_function function) {
  clua_state *state = clua_of(L);
  state->in_swift = 1;
  int code = function(L);
  state->in_swift = 0;
  if (state->used > state->limit && clua_is_full(state)) {
    clua_stop(state, CLUA_OUT_OF_MEMORY);
    raise_stop(L);
  }
  if (code >= 0) return code;
  if (code <= CLUA_YIELD) {
    int count = CLUA_YIELD - code;
    if (!clua_can_wait(L)) return luaL_error(L, "attempt to wait in a function that can't be suspended");
    state->engine_yields = true;
    return lua_yieldk(L, count, lua_gettop(L) - count, after_yield);
  }
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_rotate(L, -2, 1);
    lua_concat(L, 2);
  }
  note_error(L);
  return lua_error(L);
}

static int trampoline(lua_State *L) {
  return call_swift(L, (clua_function)lua_touserdata(L, lua_upvalueindex(1)));
}

void clua_push_function(lua_State *L, clua_function function, lua_Integer tag) {
  lua_pushlightuserdata(L, (void *)function);
  lua_pushinteger(L, tag);
  lua_pushcclosure(L, trampoline, 2);
}

lua_Integer clua_function_tag(lua_State *L) { return lua_tointegerx(L, lua_upvalueindex(2), NULL); }

// Protected by itself; precompiled code is refused.
int clua_load(lua_State *L, const char *text, size_t length, const char *name) {
  clua_state *state = clua_of(L);
  int in_swift = state->in_swift;
  state->in_swift = 0;
  int status = luaL_loadbufferx(L, text, length, name, "t");
  state->in_swift = in_swift;
  return status;
}

const void *clua_chunk(lua_State *L, int index, int *first, int *last) {
  lua_Debug ar;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &ar);
  *first = ar.linedefined;
  *last = ar.lastlinedefined;
  return ar.source;
}

void clua_short_name(lua_State *L, int index, char name[64]) {
  lua_Debug ar;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &ar);
  strncpy(name, ar.short_src, 63);
  name[63] = 0;
}

lua_State *clua_new_body(lua_State *L) {
  lua_State *body = lua_newthread(L);
  lua_rotate(L, -2, 1);
  lua_xmove(L, body, 1);
  return body;
}

int clua_resume(lua_State *body, lua_State *from, int arguments, int *results) {
  clua_state *state = clua_of(body);
  int in_swift = state->in_swift;
  lua_State *running = state->running;
  state->in_swift = 0;
  state->running = body;
  set_waiting(body, false);
  int status = lua_resume(body, from, arguments, results);
  state->in_swift = in_swift;
  state->running = running;
  state->raises = false;
  if (status == LUA_ERRMEM) clua_stop(state, CLUA_OUT_OF_MEMORY);
  if (status != LUA_OK && status != LUA_YIELD) note_error(body);
  if (status == LUA_YIELD && !state->engine_yields) {
    lua_settop(body, 0);
    lua_pushliteral(body, "coroutine.yield outside of a coroutine: only what coroutine.wrap or coroutine.create runs "
                          "can yield");
    note_error(body);
    return LUA_ERRRUN;
  }
  if (status == LUA_YIELD) set_waiting(body, true);
  return status;
}

bool clua_can_wait(lua_State *L) { return lua_isyieldable(L) && clua_of(L)->walls == 0; }

void clua_raise_on_resume(clua_state *state) { state->raises = true; }

void clua_take_yield(clua_state *state) { state->engine_yields = false; }

const clua_handle *clua_blamed_handle(lua_State *body) {
  lua_Debug ar;
  if (!lua_getstack(body, 0, &ar) || !lua_checkstack(body, 1)) return NULL;
  lua_getinfo(body, "S", &ar);
  if (ar.what[0] != 'C') return NULL;
  for (int place = 1; lua_getlocal(body, &ar, place); place++) {
    const clua_handle *handle = clua_to_handle(body, -1);
    clua_pop(body, 1);
    if (handle) return handle;
  }
  return NULL;
}

// What waits to be closed is closed, unless the state stops: then nothing more of the script runs.
void clua_end_body(lua_State *body) {
  clua_state *state = clua_of(body);
  if (atomic_load(&state->stop) != CLUA_RUNS || lua_status(body) == LUA_OK) return;
  int in_swift = state->in_swift;
  state->in_swift = 0;
  close_waiting(body);
  state->in_swift = in_swift;
}
