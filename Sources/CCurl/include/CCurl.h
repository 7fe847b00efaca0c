#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libcurl, opened on first use (loading it costs milliseconds), and the parts of a transfer that run once a chunk.

/// Opens libcurl, once in a process, whoever asks. NULL, or why it can't be used. From any thread; everything else here may
/// be called only after this has said NULL.
const char *ccurl_open(void);
/// The content encodings that it undoes, as `Accept-Encoding` lists them; perhaps none.
const char *ccurl_encodings(void);
/// Whether the environment named a proxy when it was opened. libcurl looks anew for every request, which takes its time.
bool ccurl_is_proxied(void);

/// Why a callback stopped a transfer.
typedef enum {
  CCURL_WENT_ON = 0,
  /// The body, decoded, is longer than it may be.
  CCURL_BODY_TOO_LONG,
  /// The lines before the body are.
  CCURL_HEAD_TOO_LONG,
  CCURL_OUT_OF_MEMORY,
  /// The connection broke, and the request may not be sent on another.
  CCURL_SENT_ONCE,
} ccurl_stop;

/// How the method and the body are told to libcurl.
typedef enum {
  CCURL_GET = 0,
  CCURL_HEAD,
  /// With a body, perhaps an empty one.
  CCURL_SEND,
} ccurl_shape;

/// What a request is. Everything pointed to is copied, but for the body.
typedef struct {
  const char *url;
  ccurl_shape shape;
  /// NULL where the shape says it: GET, HEAD, POST.
  const char *method;
  /// `header_count` texts as libcurl wants them, one after the other, each with a 0 at its end.
  const char *headers;
  size_t headers_size;
  size_t header_count;
  /// Must live until the transfer has ended.
  const void *body;
  int64_t body_count;
  /// At least 1.
  long timeout_ms;
  long connect_timeout_ms;
  size_t body_limit;
  /// A redirect is about to be followed: its body is read and dropped.
  bool follows;
  bool compressed;
  bool is_tls;
  /// Not to be sent again on another connection when a kept one breaks before the answer.
  bool once;
  /// A file, or NULL for the system's.
  const char *authorities;
} ccurl_request;

/// One transfer at a time, many one after the other. Only the fields that come before the line are for others.
typedef struct ccurl_transfer {
  /// The caller's.
  void *owner;
  CURLcode code;
  ccurl_stop stop;
  /// What `Content-Length` said when the body was stopped at its first byte, or -1.
  int64_t declared;
  /// The last response's status line and headers, as they came; trailers and interim responses are left out.
  char *head;
  size_t head_count;
  /// Whether the empty line after the head has come.
  bool head_ended;
  /// From malloc. Whoever takes it puts NULL.
  uint8_t *body;
  size_t body_count;
  char message[CURL_ERROR_SIZE];

  // ---
  CURL *easy;
  size_t head_capacity;
  bool encoded;
  bool located;
  int status;
  size_t body_capacity;
  size_t body_limit;
  size_t dropped;
  bool follows;
  bool proxied;
  bool once;
  bool was_sent;
  // Whether libcurl asks before it sends.
  bool asks;
  // What the handle was last told, so that only what changes is told again.
  ccurl_shape shape;
  bool has_method;
  bool compressed;
  bool is_tls;
  bool has_authorities;
  long timeout_ms;
  long connect_timeout_ms;
  // The header list: nodes and texts in one piece of memory each.
  struct curl_slist *nodes;
  size_t node_capacity;
  char *texts;
  size_t text_capacity;
} ccurl_transfer;

/// NULL when out of memory. `proxied`: the environment's proxies (`https_proxy`, `no_proxy` and so on) are used.
ccurl_transfer *ccurl_transfer_new(bool proxied);
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Starts a request in `multi`. CURLE_OK, or why not; then nothing was started.
CURLcode ccurl_transfer_start(ccurl_transfer *transfer, CURLM *multi, const ccurl_request *request);
/// Takes a started transfer that has not ended out of `multi`.
void ccurl_transfer_cancel(ccurl_transfer *transfer, CURLM *multi);
/// Gives memory back that the body does not need.
void ccurl_transfer_trim(ccurl_transfer *transfer);
/// Gives memory back that a handle between two transfers does not need.
void ccurl_transfer_rest(ccurl_transfer *transfer);

long ccurl_status(const ccurl_transfer *transfer);
/// What the operating system said last (errno), or 0.
long ccurl_system_error(const ccurl_transfer *transfer);
/// Whether the connection was ready for the request, TLS included.
bool ccurl_was_connected(const ccurl_transfer *transfer);
/// The absolute URL that the answer redirects to, or NULL; the transfer's.
const char *ccurl_redirect(const ccurl_transfer *transfer);
/// What libcurl says about the end, in its words.
const char *ccurl_message(const ccurl_transfer *transfer);

/// NULL when out of memory. Keeps up to `connections` open that nobody uses.
CURLM *ccurl_multi_new(long connections);
void ccurl_multi_free(CURLM *multi);
/// Moves every transfer on as far as it goes without waiting.
CURLMcode ccurl_multi_perform(CURLM *multi);
/// Waits until something can move, or somebody wakes it.
CURLMcode ccurl_multi_wait(CURLM *multi, int milliseconds);
/// From any thread.
void ccurl_multi_wake(CURLM *multi);
/// The next transfer that has ended, already taken out of `multi`, or NULL.
ccurl_transfer *ccurl_multi_finished(CURLM *multi);
