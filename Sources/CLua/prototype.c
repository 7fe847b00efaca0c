// The code of a function, to be looked through.
#include <stdlib.h>
#include <string.h>
#include "internal.h"

static int append(lua_State *L, const void *bytes, size_t count, void *context) {
  (void)L;
  clua_bytes *output = context;
  if (output->capacity - output->count < count) {
    size_t capacity = (output->capacity + count) * 2;
    char *grown = realloc(output->bytes, capacity);
    if (!grown) return 1;
    output->bytes = grown;
    output->capacity = capacity;
  }
  if (count > 0) memcpy(output->bytes + output->count, bytes, count);
  output->count += count;
  return 0;
}

int clua_dump(lua_State *L, int index, clua_bytes *output) {
  *output = (clua_bytes){0};
  lua_pushvalue(L, index);
  int status = lua_dump(L, append, output, 0);
  lua_pop(L, 1);
  if (status != 0) {
    free(output->bytes);
    *output = (clua_bytes){0};
  }
  return status;
}

void clua_free(void *bytes) { free(bytes); }
