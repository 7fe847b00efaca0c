#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An HTTP server over GNU libmicrohttpd, opened on first use, with the ways of not answering that a test wants.

typedef struct cmhd_server cmhd_server;

/// Opens libmicrohttpd, once in a process, whoever asks. NULL, or why it can't be used. From any thread.
const char *cmhd_open(void);

/// How a request is answered.
typedef enum {
  CMHD_RESPOND = 0,
  /// The connection is closed without a byte.
  CMHD_CLOSE,
  /// It is reset (RST).
  CMHD_RESET,
  /// A head that promises more than comes.
  CMHD_TRUNCATE,
  /// Something that is not HTTP.
  CMHD_GARBAGE,
} cmhd_way;

/// A request that has come in whole, and its answer. Texts end with a 0.
typedef struct cmhd_request {
  const char *method;
  /// As the request line has it: a path with its query, or an absolute URL.
  const char *target;
  /// Names and values, one after the other, `header_count` of each.
  char *headers;
  size_t headers_size;
  size_t header_count;
  uint8_t *body;
  size_t body_count;
  /// The body was longer than it may be, and is not here.
  bool is_too_long;

  // What `decide` fills in.
  cmhd_way way;
  unsigned int status;
  /// From malloc, as the request's: the library takes them over.
  char *answer_headers;
  size_t answer_header_count;
  uint8_t *answer;
  size_t answer_count;

  // ---
  struct MHD_Connection *connection;
  size_t headers_capacity;
  size_t body_capacity;
  bool has_begun;
  bool is_decided;
} cmhd_request;

typedef struct {
  void *owner;
  /// Fills in the answer. 0: it is sent at once. Else `wait` is called, and the answer is sent after `cmhd_resume`.
  /// Called on the server's thread, as `wait` is.
  int (*decide)(void *owner, cmhd_request *request);
  void (*wait)(void *owner, cmhd_request *request);
} cmhd_delegate;

/// Starts a server at an address (numeric, or a name that resolves) and a port, 0 for any that is free.
///
/// NULL, with a complaint of at most `size` bytes, if it can't. `body_limit` is of a request's body.
cmhd_server *cmhd_start(const char *host, uint16_t port, size_t body_limit, cmhd_delegate delegate, char *complaint, size_t size);
uint16_t cmhd_port(const cmhd_server *server);
/// Whether it listens on loopback only.
bool cmhd_is_loopback(const cmhd_server *server);
/// Lets a request that waits go on to its answer; each one once.
void cmhd_resume(cmhd_request *request);
/// Stops it and waits for its thread. Every request that waits must have been resumed.
void cmhd_stop(cmhd_server *server);
