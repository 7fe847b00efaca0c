// A state, its memory and its limits.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include "internal.h"

// Beyond the limit it fails, unless Swift is on the stack: then it goes beyond, and the trampoline raises.
static void *allocate(void *context, void *block, size_t before, size_t after) {
  clua_state *state = context;
  if (!block) before = 0;
  if (after == 0) {
    free(block);
    state->used -= before;
    return NULL;
  }
  if (after > before && state->used - before + after > state->limit && !state->in_swift) return NULL;
  void *memory = realloc(block, after);
  if (!memory) {
    if (!state->in_swift) return NULL;
    // An error would jump over Swift's frames, and nothing can go on without.
    fputs("tidegate: out of memory\n", stderr);
    abort();
  }
  state->used += after - before;
  return memory;
}

clua_state *clua_new(size_t limit, clua_double_writer write_double) {
  clua_state *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  state->limit = limit;
  state->write_double = write_double;
  state->in_swift = 1;
  state->main = lua_newstate(allocate, state);
  if (!state->main) {
    free(state);
    return NULL;
  }
  *(uint64_t *)lua_getextraspace(state->main) = 0;
  return state;
}

void clua_close(clua_state *state) {
  lua_close(state->main);
  free(state->sources);
  free(state);
}

lua_State *clua_main(clua_state *state) { return state->main; }

clua_state *clua_of(lua_State *L) {
  void *state;
  lua_getallocf(L, &state);
  return state;
}

void *clua_owner(lua_State *L) { return clua_of(L)->owner; }
void clua_set_owner(clua_state *state, void *owner) { state->owner = owner; }
size_t clua_memory(clua_state *state) { return state->used; }

void clua_stop(clua_state *state, int reason) {
  int runs = CLUA_RUNS;
  atomic_compare_exchange_strong(&state->stop, &runs, reason);
}

int clua_stopped(clua_state *state) { return atomic_load(&state->stop); }

void clua_restart(clua_state *state, int64_t deadline_ns) {
  atomic_store(&state->stop, CLUA_RUNS);
  state->deadline = deadline_ns;
  state->error = NULL;
  state->place.line = 0;
  state->engine_yields = false;
  state->raises = false;
}

bool clua_is_full(clua_state *state) {
  if (state->used <= state->limit) return false;
  lua_gc(state->main, LUA_GCCOLLECT);
  return state->used > state->limit;
}

void clua_collect(clua_state *state) { lua_gc(state->main, LUA_GCCOLLECT); }

// The number lies in each coroutine's extra space, which a new one copies from the main one's.
static uint64_t *extra(lua_State *L) { return (uint64_t *)lua_getextraspace(L); }
static const uint64_t waits_bit = UINT64_C(1) << 63;

void clua_set_epoch(clua_state *state, uint64_t epoch) { *extra(state->main) = epoch; }
uint64_t epoch_of(lua_State *L) { return *extra(L) & ~waits_bit; }
uint64_t current_epoch(lua_State *L) { return epoch_of(clua_of(L)->main); }
bool is_waiting(lua_State *L) { return *extra(L) & waits_bit; }
void set_waiting(lua_State *L, bool waits) { *extra(L) = epoch_of(L) | (waits ? waits_bit : 0); }
