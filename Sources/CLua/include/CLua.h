#pragma once
// The wall between Lua and Swift. A Lua error is a longjmp, and none may cross a Swift frame:
//
// - What Swift calls here can't raise: it is one of Lua's functions that never do, or it runs under lua_pcall or
//   lua_resume in C and returns a status.
// - What Lua calls of Swift's goes through a trampoline: the Swift function returns a code, and C raises or yields for
//   it, after it has returned.
// - While Swift runs, the allocator goes beyond the state's memory limit rather than fail; the trampoline, or the next
//   protected call, raises the memory error in its stead.
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A Lua state with its limits. Confined to one thread at a time, except for clua_stop.
typedef struct clua_state clua_state;

// A Swift function that Lua calls: it takes its arguments from the stack, pushes its results, and returns how many; or
// CLUA_ERROR with the error's value on top; or CLUA_YIELD minus the number of values that it yields to the engine.
typedef int (*clua_function)(lua_State *L);
enum { CLUA_ERROR = -1, CLUA_YIELD = -16 };

// Why a state stops what it runs, for good: no pcall in a script catches it.
enum { CLUA_RUNS = 0, CLUA_ABORTED = 1, CLUA_TIMED_OUT = 2, CLUA_OUT_OF_MEMORY = 3 };

// The first word of each userdata. A script gets no others to see.
enum { CLUA_NULL = 1, CLUA_HANDLE = 2, CLUA_NUMBER = 3 };

// The metatables of the values that are ours.
enum { CLUA_MT_NULL, CLUA_MT_HANDLE, CLUA_MT_NUMBER, CLUA_MT_ARRAY, CLUA_MT_OBJECT, CLUA_MT_FAILURE, CLUA_MT_GLOBALS,
       CLUA_MT_MODULE, CLUA_MT_LAZY_ARRAY, CLUA_MT_LAZY_OBJECT, CLUA_MT_COUNT };

// What a handle is: `kind` and `index` are whatever Swift makes of them, `serial` counts the handles of a state.
typedef struct {
  uint32_t tag, kind, index, serial;
} clua_handle;

// A place in a script: its chunk, by the address of its name, and the line; 0 if there is none.
typedef struct {
  const void *chunk;
  int line;
} clua_place;

// Bytes that malloc gave; the receiver frees them.
typedef struct {
  char *bytes;
  size_t count, capacity;
} clua_bytes;

// Writes the shortest text of a finite number, at most 32 bytes, and gives its length.
typedef int (*clua_double_writer)(double number, char *output);

// state.c
clua_state *clua_new(size_t limit, clua_double_writer write_double);
void clua_close(clua_state *state);
lua_State *clua_main(clua_state *state);
clua_state *clua_of(lua_State *L);
void *clua_owner(lua_State *L);
void clua_set_owner(clua_state *state, void *owner);
size_t clua_memory(clua_state *state);
// Stops what runs in the state, soon. From any thread.
void clua_stop(clua_state *state, int reason);
int clua_stopped(clua_state *state);
// Lets the state run again, until a time of CLOCK_MONOTONIC if that is not 0. On the state's thread.
void clua_restart(clua_state *state, int64_t deadline_ns);
// Whether what the state holds is beyond its limit even after a full collection.
bool clua_is_full(clua_state *state);
void clua_collect(clua_state *state);

// call.c
void clua_push_function(lua_State *L, clua_function function, lua_Integer tag);
lua_Integer clua_function_tag(lua_State *L);
int clua_load(lua_State *L, const char *text, size_t length, const char *name);
// What identifies the chunk of a Lua function as long as that lives; its lines go to `first` and `last`, 0 for a chunk.
const void *clua_chunk(lua_State *L, int index, int *first, int *last);
// How messages call the chunk of a Lua function.
void clua_short_name(lua_State *L, int index, char name[64]);
// A new coroutine that will run the function on top of the stack, which it pops; the coroutine is pushed.
lua_State *clua_new_body(lua_State *L);
// Runs a coroutine; LUA_OK, LUA_YIELD (only of an engine's yield), or an error whose value is on top of `body`.
int clua_resume(lua_State *body, lua_State *from, int arguments, int *results);
// The engine has taken what a coroutine yielded to it: the next yield is a script's own, unless Swift says otherwise.
void clua_take_yield(clua_state *state);
// Where the last error came from: the innermost function of a script.
clua_place clua_error_place(lua_State *body);
// The handle among the arguments of the C function in which a coroutine failed, or NULL.
const clua_handle *clua_blamed_handle(lua_State *body);
// Closes a coroutine that failed, or that waits for the engine, with all that it waits in.
void clua_end_body(lua_State *body);
// Whether a function of Swift's that L has called may yield to the engine: not where Lua's own C code, which can't be
// suspended, has called the script's function.
bool clua_can_wait(lua_State *L);
// What the coroutine that is resumed next is given is an error, which the function that has yielded raises.
void clua_raise_on_resume(clua_state *state);
// Pops a value and keeps it until clua_release of the number that this gives.
int clua_hold(lua_State *L);
void clua_release(lua_State *L, int number);
// The place of the script's line that calls: the line of the function at the nearest level that is a script's.
clua_place clua_caller(lua_State *L);
// Numbers the piece of work that runs from now on: iterators and coroutines of other numbers are refused.
void clua_set_epoch(clua_state *state, uint64_t epoch);

// sandbox.c
int clua_open_sandbox(lua_State *L);
void clua_push_globals(lua_State *L);
void clua_set_global(lua_State *L, const char *name);
void clua_push_metatable(lua_State *L, int which);
// Pops a value and puts it under `name` into one of our metatables.
void clua_set_metafield(lua_State *L, int which, const char *name);
void clua_mark(lua_State *L, int index, int which);
// CLUA_MT_ARRAY, CLUA_MT_OBJECT, CLUA_MT_FAILURE, or -1.
int clua_marked(lua_State *L, int index);
void clua_push_null(lua_State *L);
// The tag of a userdata of ours, or 0.
int clua_tag(lua_State *L, int index);
clua_handle *clua_push_handle(lua_State *L, uint32_t kind, uint32_t index);
const clua_handle *clua_to_handle(lua_State *L, int index);
void clua_push_number_text(lua_State *L, const char *text, size_t length);
const char *clua_to_number_text(lua_State *L, int index, size_t *length);
// Remembers a value for good, and gives its number.
int clua_keep(lua_State *L, int index);
void clua_push_kept(lua_State *L, int number);
void clua_set_kept(lua_State *L, int number);
// Replaces the module `require` finds under `name`.
void clua_set_module(lua_State *L, const char *name, clua_function resolver);

// say.c
// Pushes a function that makes one text of its arguments and hands it to `sink`; `describe` makes a text of a handle.
void clua_push_sayer(lua_State *L, const char *separator, clua_function describe, clua_function sink);
// Pushes string.format, except that `join` gets the arguments if a handle is among them.
void clua_push_format(lua_State *L, clua_function join);

// freeze.c
// Makes the table on top read-only, in place; it stays there.
void clua_freeze_table(lua_State *L, const char *what);
// Makes all that the functions and the globals can reach read-only. Pushes a list of the Lua functions among it and one
// of the handles.
int clua_freeze(lua_State *L, const int *roots, int count);
// Pushes what a read-only table holds, or the table itself.
void clua_push_content(lua_State *L, int index);

// json.c
// Pushes the value of a valid JSON text. LUA_OK, or an error's status and its message.
int clua_push_json(lua_State *L, const char *text, size_t length);
// Writes the value at `index` as JSON, keys in byte order, or what a step has received and not touched as it came. LUA_OK,
// or an error's status and its message is pushed.
int clua_write_json(lua_State *L, int index, bool is_verbatim, clua_bytes *output);

// lazy.c
// A list or an object of a step is a table that stays empty over its text until something is asked of it that an empty
// one can't answer: what is not looked at is never read.
//
// Takes in bytes that stay where they are until clua_forget_source, and gives their number.
uint32_t clua_add_source(clua_state *state, const uint8_t *bytes, size_t count);
// What still lies in them is lost to who comes too late for it: an error, no more.
void clua_forget_source(clua_state *state, uint32_t number);
// Pushes the list or the object whose valid text begins at `offset`.
void clua_push_lazy(lua_State *L, uint32_t source, uint32_t offset);
// Whether the value at `index` is such a one, and still empty: what lies in it may have been changed.
bool clua_is_lazy(lua_State *L, int index);
// Whether the value at `index` is such a one in which nothing was changed, and where it lies.
bool clua_find_untouched(lua_State *L, int index, uint32_t *source, size_t *offset, size_t *length);

// each.c
enum { CLUA_EACH_DONE, CLUA_EACH_RETURNED_ERROR, CLUA_EACH_NO_VALUE };
// A function that is called for each item of a list.
typedef struct {
  // Whether it is asked which items to keep, rather than for other items.
  bool is_filter;
  // Where the text of the list lies, if the coroutine is not given a table.
  uint32_t source, offset;
  // A byte for each item, 1 if it is kept; or the other items as a JSON list. The receiver frees them.
  clua_bytes output;
  // The item that it is at, from 1.
  size_t index;
  // How it ended, if not by an error of the function's.
  int outcome;
  const char *at;
} clua_each;
// Pushes a function that does it, for a coroutine with three arguments: the script's function, a table or nil, and the
// clua_each as light userdata. After CLUA_EACH_RETURNED_ERROR it has the two results of the script's function.
void clua_push_each(lua_State *L);

// prototype.c
int clua_dump(lua_State *L, int index, clua_bytes *output);
void clua_free(void *bytes);

// Macros of Lua's, as functions.
static inline void clua_pop(lua_State *L, int count) { lua_settop(L, -count - 1); }
static inline const char *clua_to_bytes(lua_State *L, int index, size_t *length) {
  return lua_tolstring(L, index, length);
}
static inline bool clua_is_integer(lua_State *L, int index) { return lua_isinteger(L, index); }
static inline lua_Integer clua_to_integer(lua_State *L, int index) { return lua_tointegerx(L, index, NULL); }
static inline double clua_to_double(lua_State *L, int index) { return lua_tonumberx(L, index, NULL); }
static inline void clua_replace(lua_State *L, int index) { lua_copy(L, -1, index); clua_pop(L, 1); }
static inline void clua_insert(lua_State *L, int index) { lua_rotate(L, index, 1); }
static inline void clua_remove(lua_State *L, int index) { lua_rotate(L, index, -1); clua_pop(L, 1); }
