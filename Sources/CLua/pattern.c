// Matching by Lua's patterns. After lstrlib.c of Lua 5.4, Copyright (C) 1994-2022 Lua.org, PUC-Rio (MIT license);
// what is different is that it looks, now and then, at whether to stop.
#include <ctype.h>
#include <string.h>
#include "pattern.h"

enum { OPEN = -1, POSITION = -2, MAXIMUM_DEPTH = 200, LOOK_INTERVAL = 1 << 14 };

static const char *match(matcher *m, const char *s, const char *p);

void matcher_begin(matcher *m, lua_State *L, const char *subject, size_t subject_length, const char *pattern,
                   size_t pattern_length) {
  m->L = L;
  m->subject = subject;
  m->subject_end = subject + subject_length;
  m->pattern_end = pattern + pattern_length;
  m->steps = 0;
  m->level = 0;
  m->depth = MAXIMUM_DEPTH;
}

const char *matcher_match(matcher *m, const char *s, const char *pattern) {
  m->level = 0;
  m->depth = MAXIMUM_DEPTH;
  return match(m, s, pattern);
}

static void step(matcher *m) {
  if (++m->steps % LOOK_INTERVAL == 0) check_stop(m->L);
}

static int capture_named(matcher *m, int digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->level || m->captures[index].length == OPEN)
    return luaL_error(m->L, "invalid capture index %%%d", index + 1);
  return index;
}

static int capture_to_close(matcher *m) {
  for (int level = m->level - 1; level >= 0; level--)
    if (m->captures[level].length == OPEN) return level;
  return luaL_error(m->L, "invalid pattern capture");
}

// One past the single-character class that begins at `p`.
static const char *class_end(matcher *m, const char *p) {
  switch (*p++) {
    case '%':
      if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
      return p + 1;
    case '[':
      if (*p == '^') p++;
      do {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p++ == '%' && p < m->pattern_end) p++;
      } while (*p != ']' || p == m->pattern_end);
      return p + 1;
    default: return p;
  }
}

static bool is_in_class(int c, int class) {
  bool result;
  switch (tolower(class)) {
    case 'a': result = isalpha(c); break;
    case 'c': result = iscntrl(c); break;
    case 'd': result = isdigit(c); break;
    case 'g': result = isgraph(c); break;
    case 'l': result = islower(c); break;
    case 'p': result = ispunct(c); break;
    case 's': result = isspace(c); break;
    case 'u': result = isupper(c); break;
    case 'w': result = isalnum(c); break;
    case 'x': result = isxdigit(c); break;
    default: return class == c;
  }
  return isupper(class) ? !result : result;
}

// `p` is at the '[', `end` at the ']'.
static bool is_in_set(int c, const char *p, const char *end) {
  bool is_wanted = true;
  if (p[1] == '^') {
    is_wanted = false;
    p++;
  }
  while (++p < end) {
    if (*p == '%') {
      p++;
      if (is_in_class(c, (unsigned char)*p)) return is_wanted;
    } else if (p[1] == '-' && p + 2 < end) {
      p += 2;
      if ((unsigned char)p[-2] <= c && c <= (unsigned char)*p) return is_wanted;
    } else if ((unsigned char)*p == c) {
      return is_wanted;
    }
  }
  return !is_wanted;
}

static bool matches_one(matcher *m, const char *s, const char *p, const char *end) {
  if (s >= m->subject_end) return false;
  step(m);
  int c = (unsigned char)*s;
  switch (*p) {
    case '.': return true;
    case '%': return is_in_class(c, (unsigned char)p[1]);
    case '[': return is_in_set(c, p, end - 1);
    default: return (unsigned char)*p == c;
  }
}

static const char *match_balance(matcher *m, const char *s, const char *p) {
  if (p >= m->pattern_end - 1) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->subject_end || *s != *p) return NULL;
  int depth = 1;
  for (const char *c = s + 1; c < m->subject_end; c++) {
    step(m);
    if (*c == p[1]) {
      if (--depth == 0) return c + 1;
    } else if (*c == *p) {
      depth++;
    }
  }
  return NULL;
}

static const char *match_most(matcher *m, const char *s, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (matches_one(m, s + count, p, end)) count++;
  for (; count >= 0; count--) {
    const char *result = match(m, s + count, end + 1);
    if (result) return result;
  }
  return NULL;
}

static const char *match_fewest(matcher *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *result = match(m, s, end + 1);
    if (result) return result;
    if (!matches_one(m, s, p, end)) return NULL;
  }
}

static const char *open_capture(matcher *m, const char *s, const char *p, ptrdiff_t kind) {
  if (m->level >= MAXIMUM_CAPTURES) luaL_error(m->L, "too many captures");
  m->captures[m->level].start = s;
  m->captures[m->level].length = kind;
  m->level++;
  const char *result = match(m, s, p);
  if (!result) m->level--;
  return result;
}

static const char *close_capture(matcher *m, const char *s, const char *p) {
  int level = capture_to_close(m);
  m->captures[level].length = s - m->captures[level].start;
  const char *result = match(m, s, p);
  if (!result) m->captures[level].length = OPEN;
  return result;
}

static const char *match_capture(matcher *m, const char *s, int digit) {
  int index = capture_named(m, digit);
  if (m->captures[index].length == POSITION) return NULL;
  size_t length = (size_t)m->captures[index].length;
  if ((size_t)(m->subject_end - s) < length || memcmp(m->captures[index].start, s, length) != 0) return NULL;
  return s + length;
}

static const char *match_frontier(matcher *m, const char **s, const char *p) {
  if (p >= m->pattern_end || *p != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
  const char *end = class_end(m, p);
  int before = *s == m->subject ? 0 : (unsigned char)(*s)[-1];
  int here = *s == m->subject_end ? 0 : (unsigned char)**s;
  return !is_in_set(before, p, end - 1) && is_in_set(here, p, end - 1) ? end : NULL;
}

// A class with its suffix. True: go on at *s and *p; false: *s is the result.
static bool match_suffixed(matcher *m, const char **s, const char **p) {
  const char *end = class_end(m, *p);
  char suffix = end < m->pattern_end ? *end : 0;
  switch (suffix) {
    case '?':
      if (matches_one(m, *s, *p, end)) {
        const char *result = match(m, *s + 1, end + 1);
        if (result) {
          *s = result;
          return false;
        }
      }
      *p = end + 1;
      return true;
    case '+': *s = matches_one(m, *s, *p, end) ? match_most(m, *s + 1, *p, end) : NULL; return false;
    case '*': *s = match_most(m, *s, *p, end); return false;
    case '-': *s = match_fewest(m, *s, *p, end); return false;
    default:
      if (!matches_one(m, *s, *p, end)) {
        *s = NULL;
        return false;
      }
      ++*s;
      *p = end;
      return true;
  }
}

static const char *match(matcher *m, const char *s, const char *p) {
  if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
  bool goes_on = true;
  while (goes_on && s && p != m->pattern_end) {
    step(m);
    if (*p == '(') {
      bool is_position = p + 1 < m->pattern_end && p[1] == ')';
      s = is_position ? open_capture(m, s, p + 2, POSITION) : open_capture(m, s, p + 1, OPEN);
      break;
    }
    if (*p == ')') {
      s = close_capture(m, s, p + 1);
      break;
    }
    if (*p == '$' && p + 1 == m->pattern_end) {
      if (s != m->subject_end) s = NULL;
      break;
    }
    char escaped = *p == '%' && p + 1 < m->pattern_end ? p[1] : 0;
    if (escaped == 'b') {
      s = match_balance(m, s, p + 2);
      p += 4;
    } else if (escaped == 'f') {
      p = match_frontier(m, &s, p + 2);
      if (!p) s = NULL;
    } else if (escaped >= '0' && escaped <= '9') {
      s = match_capture(m, s, (unsigned char)escaped);
      p += 2;
    } else {
      goes_on = match_suffixed(m, &s, &p);
    }
  }
  m->depth++;
  return s;
}

void matcher_push_capture(matcher *m, int index, const char *start, const char *end) {
  if (index >= m->level) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  ptrdiff_t length = m->captures[index].length;
  if (length == OPEN) luaL_error(m->L, "unfinished capture");
  if (length == POSITION) lua_pushinteger(m->L, m->captures[index].start - m->subject + 1);
  else lua_pushlstring(m->L, m->captures[index].start, (size_t)length);
}

int matcher_push_captures(matcher *m, const char *start, const char *end) {
  int count = m->level == 0 && start ? 1 : m->level;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) matcher_push_capture(m, i, start, end);
  return count;
}
