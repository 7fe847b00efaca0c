#include "Library.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  // More than any server sends in good faith; libcurl has limits of its own, which differ from version to version.
  HEAD_LIMIT = 1 << 20,
  // So that a promise alone costs no memory.
  FIRST_ALLOCATION_LIMIT = 1 << 20,
  FIRST_ALLOCATION = 4096,
  // A redirect's body that is dropped may be this long, at least.
  DROPPED_LIMIT = 1 << 20,
};

static size_t halt(ccurl_transfer *transfer, ccurl_stop stop) {
  transfer->stop = stop;
  return 0;
}

static bool begins(const char *line, size_t count, const char *name, size_t name_count) {
  return count > name_count && strncasecmp(line, name, name_count) == 0;
}
#define BEGINS(line, count, name) begins(line, count, name, sizeof(name) - 1)

/// The three digits after the first space of `HTTP/1.1 200 OK`, or 0.
static int status_of(const char *line, size_t count) {
  const char *space = memchr(line, ' ', count);
  if (!space || line + count - space < 4) return 0;
  int status = 0;
  for (int i = 1; i <= 3; i++) {
    if (space[i] < '0' || space[i] > '9') return 0;
    status = status * 10 + (space[i] - '0');
  }
  return status;
}

static void begin_head(ccurl_transfer *transfer, const char *line, size_t count) {
  transfer->head_count = 0;
  transfer->head_ended = false;
  transfer->encoded = false;
  transfer->located = false;
  transfer->status = status_of(line, count);
}

static bool is_identity(const char *line, size_t count) {
  const char *value = line + sizeof("content-encoding:") - 1, *end = line + count;
  while (value < end && (*value == ' ' || *value == '\t')) value++;
  return end - value >= 8 && strncasecmp(value, "identity", 8) == 0;
}

/// Every response begins with a status line, interim ones (1xx) and those of redirects too: only the last one's lines are
/// kept. What comes after the empty line and is no status line is a trailer.
size_t ccurl_take_head(char *line, size_t size, size_t count, void *owner) {
  ccurl_transfer *transfer = owner;
  count *= size;
  if (transfer->head_ended || transfer->head_count == 0) {
    if (!BEGINS(line, count, "HTTP/")) return count;
    begin_head(transfer, line, count);
  }
  size_t needed = transfer->head_count + count;
  if (needed > HEAD_LIMIT) return halt(transfer, CCURL_HEAD_TOO_LONG);
  if (needed > transfer->head_capacity) {
    size_t capacity = transfer->head_capacity ? transfer->head_capacity : 512;
    while (capacity < needed) capacity *= 2;
    char *head = realloc(transfer->head, capacity);
    if (!head) return halt(transfer, CCURL_OUT_OF_MEMORY);
    transfer->head = head;
    transfer->head_capacity = capacity;
  }
  memcpy(transfer->head + transfer->head_count, line, count);
  transfer->head_count = needed;
  if (count <= 2) {
    transfer->head_ended = true;
  } else if (BEGINS(line, count, "content-encoding:")) {
    if (!is_identity(line, count)) transfer->encoded = true;
  } else if (BEGINS(line, count, "location:")) {
    transfer->located = true;
  }
  return count;
}

static bool is_followed(const ccurl_transfer *transfer) {
  if (!transfer->follows || !transfer->located) return false;
  switch (transfer->status) {
    case 301: case 302: case 303: case 307: case 308: return true;
    default: return false;
  }
}

/// Makes room for `count` more bytes: exactly as much as the server says will come, or twice what there was.
static bool grow(ccurl_transfer *transfer, size_t count) {
  size_t needed = transfer->body_count + count;
  size_t capacity = transfer->body_capacity;
  if (capacity == 0) {
    capacity = FIRST_ALLOCATION;
    if (transfer->declared > 0) {
      capacity = transfer->declared < FIRST_ALLOCATION_LIMIT ? (size_t)transfer->declared : FIRST_ALLOCATION_LIMIT;
    }
  } else {
    capacity *= 2;
    if (transfer->declared > 0 && capacity > (size_t)transfer->declared) capacity = (size_t)transfer->declared;
  }
  if (capacity > transfer->body_limit) capacity = transfer->body_limit;
  if (capacity < needed) capacity = needed;
  uint8_t *body = realloc(transfer->body, capacity);
  if (!body) return false;
  transfer->body = body;
  transfer->body_capacity = capacity;
  return true;
}

size_t ccurl_take_body(char *bytes, size_t size, size_t count, void *owner) {
  ccurl_transfer *transfer = owner;
  count *= size;
  if (count == 0) return 0;
  if (is_followed(transfer)) {
    size_t limit = transfer->body_limit > DROPPED_LIMIT ? transfer->body_limit : DROPPED_LIMIT;
    transfer->dropped += count;
    return transfer->dropped > limit ? halt(transfer, CCURL_BODY_TOO_LONG) : count;
  }
  if (transfer->body_count == 0 && !transfer->encoded) {
    curl_off_t declared = -1;
    ccurl.easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &declared);
    transfer->declared = declared;
    if (declared > 0 && (uint64_t)declared > transfer->body_limit) return halt(transfer, CCURL_BODY_TOO_LONG);
  }
  if (count > transfer->body_limit - transfer->body_count) return halt(transfer, CCURL_BODY_TOO_LONG);
  if (count > transfer->body_capacity - transfer->body_count && !grow(transfer, count)) {
    return halt(transfer, CCURL_OUT_OF_MEMORY);
  }
  memcpy(transfer->body + transfer->body_count, bytes, count);
  transfer->body_count += count;
  return count;
}

/// libcurl sends a request again when a connection that it had kept breaks before the first byte of the answer, whatever
/// the server may have done about it. It asks before each time.
int ccurl_allow_request(void *owner, char *local, char *remote, int local_port, int remote_port) {
  (void)local, (void)remote, (void)local_port, (void)remote_port;
  ccurl_transfer *transfer = owner;
  if (transfer->once && transfer->was_sent) {
    transfer->stop = CCURL_SENT_ONCE;
    return 1;
  }
  transfer->was_sent = true;
  return 0;
}
