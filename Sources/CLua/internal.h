#pragma once
// What the files of the wall know of each other. All of it may raise, unless it says that it does not.
#include "CLua.h"

// Bytes that lists and objects of a step lie in, and the number by which those know it.
typedef struct {
  const char *start, *end;
  uint32_t number;
} source;

struct clua_state {
  lua_State *main;
  void *owner;
  clua_double_writer write_double;
  size_t used, limit;
  // Whether the innermost frame that is not Lua's is one of Swift's: then nothing may raise.
  int in_swift;
  // Why it stops; set from any thread.
  _Atomic int stop;
  int64_t deadline;
  // The coroutine that runs.
  lua_State *running;
  // The error that `place` belongs to, and where it was raised.
  const void *error;
  clua_place place;
  uint32_t handles;
  int kept;
  bool engine_yields;
  // Whether what the engine gives to the coroutine that it resumes is an error to be raised there.
  bool raises;
  bool is_frozen;
  // How many of the frames that run can't be suspended, and have resumed a coroutine.
  int walls;
  void *null;
  const void *metatables[CLUA_MT_COUNT];
  // Those of the steps that run or are suspended. One lies where the last bits of its number say.
  source *sources;
  uint32_t source_count, source_capacity, next_source;
};

// call.c
// Raises if the state is to stop.
void check_stop(lua_State *L);
void install_hook(lua_State *L);
// Notes where the error on top of `L` was raised, unless that is known of it. Does not raise.
void note_error(lua_State *L);
// After a protected call failed: raises again if it is an error that no script may catch.
void pass_stop(lua_State *L, int status);
int call_swift(lua_State *L, clua_function function);
// The number of the piece of work that a coroutine belongs to, and of the one that runs.
uint64_t epoch_of(lua_State *L);
uint64_t current_epoch(lua_State *L);
// Whether a coroutine waits for the engine: then nobody else may resume or close it.
bool is_waiting(lua_State *L);
void set_waiting(lua_State *L, bool waits);

// base.c
// Closes a coroutine that waits for the engine, and before it those that it waits in. Does not raise.
void close_waiting(lua_State *L);

// freeze.c
// Pushes the table that really holds the content. Does not raise.
#define push_content clua_push_content
int sandbox_setmetatable(lua_State *L);
int sandbox_getmetatable(lua_State *L);
int sandbox_rawget(lua_State *L);
int sandbox_rawset(lua_State *L);
int sandbox_rawlen(lua_State *L);

// lazy.c
void open_lazy(lua_State *L);
// Makes an ordinary table of one that is still empty over its text: its lists and objects are such ones in turn. Raises
// only for want of memory, and so not while Swift is on the stack.
void fill_lazy(lua_State *L, int index);
// The text of a list or an object in which nothing was changed; NULL for every other value. Does not raise.
const char *untouched_text(lua_State *L, int index, size_t *length);
// CLUA_MT_LAZY_ARRAY, CLUA_MT_LAZY_OBJECT, or -1. Does not raise.
int lazy_kind(lua_State *L, int index);
// NULL if it belongs to a step that has ended. Does not raise.
const source *find_source(clua_state *state, uint32_t number);
// Pushes the value of the list whose text goes on at `*at` with an item, and goes to the next: false at its end.
bool push_next_item(lua_State *L, uint32_t number, const char **at);

// order.c
int sandbox_next(lua_State *L);
int sandbox_pairs(lua_State *L);
// Pushes a list of the keys of the table at `index` other than 1...n, in order.
void push_other_keys(lua_State *L, int index, lua_Integer n);
// Raises for a handle, or anything else that is no table.
void check_table(lua_State *L, int argument, const char *what);

// Pushes the value at an absolute index as a text in which no address shows.
void push_text(lua_State *L, int index);

// The table of the modules that `require` knows.
void push_modules(lua_State *L);

// The rest of the library.
extern const luaL_Reg base_functions[], coroutine_functions[], string_functions[], table_functions[];
int sandbox_require(lua_State *L);
