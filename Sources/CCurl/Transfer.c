#include "Library.h"

#include <stdlib.h>
#include <string.h>

// The masks of protocols are deprecated, and the only way in libcurl before 7.85.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define SET(option, value) \
  if (code == CURLE_OK) code = ccurl.easy_setopt(transfer->easy, CURLOPT_##option, value)
/// For what an older libcurl may not know, and can do without.
#define PREFER(option, value) ccurl.easy_setopt(transfer->easy, CURLOPT_##option, value)

/// What a handle that rests keeps of its memory for texts.
enum { KEPT_LIMIT = 16384 };

/// What holds for every request on this handle.
static CURLcode prepare(ccurl_transfer *transfer) {
  CURLcode code = CURLE_OK;
  SET(PRIVATE, (void *)transfer);
  SET(WRITEFUNCTION, ccurl_take_body);
  SET(WRITEDATA, (void *)transfer);
  SET(HEADERFUNCTION, ccurl_take_head);
  SET(HEADERDATA, (void *)transfer);
  SET(ERRORBUFFER, transfer->message);
  SET(PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  SET(NOSIGNAL, 1L);
  SET(SSL_VERIFYPEER, 1L);
  SET(SSL_VERIFYHOST, 2L);
  PREFER(SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  SET(FOLLOWLOCATION, 0L);
  SET(NETRC, (long)CURL_NETRC_IGNORED);
  if (!transfer->proxied) SET(PROXY, "");
  PREFER(SUPPRESS_CONNECT_HEADERS, 1L);
  PREFER(HTTP09_ALLOWED, 0L);
  PREFER(BUFFERSIZE, 32768L);
#if LIBCURL_VERSION_NUM >= 0x075000
  transfer->asks = PREFER(PREREQFUNCTION, ccurl_allow_request) == CURLE_OK &&
                   PREFER(PREREQDATA, (void *)transfer) == CURLE_OK;
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  // A transfer that ends while its host's name is being looked up must not wait for the look-up.
  PREFER(QUICK_EXIT, 1L);
#endif
  return code;
}

ccurl_transfer *ccurl_transfer_new(bool proxied) {
  ccurl_transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->proxied = proxied;
  transfer->easy = ccurl.easy_init();
  if (!transfer->easy || prepare(transfer) != CURLE_OK) {
    ccurl_transfer_free(transfer);
    return NULL;
  }
  return transfer;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
  if (transfer->easy) ccurl.easy_cleanup(transfer->easy);
  free(transfer->head);
  free(transfer->body);
  free(transfer->nodes);
  free(transfer->texts);
  free(transfer);
}

/// A list over copies of the request's texts. libcurl only reads it.
static CURLcode set_headers(ccurl_transfer *transfer, const ccurl_request *request) {
  size_t count = request->header_count;
  if (count == 0) return PREFER(HTTPHEADER, (struct curl_slist *)NULL);
  if (count > transfer->node_capacity) {
    struct curl_slist *nodes = realloc(transfer->nodes, count * sizeof *nodes);
    if (!nodes) return CURLE_OUT_OF_MEMORY;
    transfer->nodes = nodes;
    transfer->node_capacity = count;
  }
  if (request->headers_size > transfer->text_capacity) {
    char *texts = realloc(transfer->texts, request->headers_size);
    if (!texts) return CURLE_OUT_OF_MEMORY;
    transfer->texts = texts;
    transfer->text_capacity = request->headers_size;
  }
  memcpy(transfer->texts, request->headers, request->headers_size);
  char *text = transfer->texts;
  for (size_t i = 0; i < count; i++) {
    transfer->nodes[i].data = text;
    transfer->nodes[i].next = i + 1 < count ? &transfer->nodes[i + 1] : NULL;
    text += strlen(text) + 1;
  }
  return PREFER(HTTPHEADER, transfer->nodes);
}

static CURLcode set_method(ccurl_transfer *transfer, const ccurl_request *request) {
  CURLcode code = CURLE_OK;
  if (request->shape != transfer->shape) {
    // In this order: taking a body back makes a POST of the handle.
    if (transfer->shape == CCURL_SEND) SET(POSTFIELDS, (void *)NULL);
    if (transfer->shape == CCURL_HEAD) SET(NOBODY, 0L);
    if (request->shape == CCURL_GET) SET(HTTPGET, 1L);
    if (request->shape == CCURL_HEAD) SET(NOBODY, 1L);
    if (request->shape == CCURL_SEND) SET(POST, 1L);
    transfer->shape = request->shape;
  }
  if (request->shape == CCURL_SEND) {
    SET(POSTFIELDSIZE_LARGE, (curl_off_t)request->body_count);
    // Without a pointer libcurl would read from the standard input.
    SET(POSTFIELDS, request->body ? request->body : "");
  }
  if (request->method || transfer->has_method) {
    SET(CUSTOMREQUEST, request->method);
    transfer->has_method = request->method != NULL;
  }
  return code;
}

/// A new handle in the old one's place: the system's certificates can't be named, only be left in place.
static CURLcode forget_authorities(ccurl_transfer *transfer) {
  CURL *easy = ccurl.easy_init();
  if (!easy) return CURLE_OUT_OF_MEMORY;
  ccurl.easy_cleanup(transfer->easy);
  transfer->easy = easy;
  transfer->shape = CCURL_GET;
  transfer->has_method = transfer->compressed = transfer->is_tls = transfer->has_authorities = false;
  transfer->timeout_ms = transfer->connect_timeout_ms = 0;
  return prepare(transfer);
}

static CURLcode set_request(ccurl_transfer *transfer, const ccurl_request *request) {
  CURLcode code = CURLE_OK;
  if (transfer->has_authorities && !request->authorities) code = forget_authorities(transfer);
  if (code == CURLE_OK) code = set_method(transfer, request);
  SET(URL, request->url);
  if (code == CURLE_OK) code = set_headers(transfer, request);
  if (request->timeout_ms != transfer->timeout_ms) {
    SET(TIMEOUT_MS, request->timeout_ms);
    transfer->timeout_ms = request->timeout_ms;
  }
  if (request->connect_timeout_ms != transfer->connect_timeout_ms) {
    SET(CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    transfer->connect_timeout_ms = request->connect_timeout_ms;
  }
  if (request->compressed != transfer->compressed) {
    SET(ACCEPT_ENCODING, request->compressed ? "" : NULL);
    transfer->compressed = request->compressed;
  }
  if (request->is_tls != transfer->is_tls) {
    // Over TLS the handshake agrees on HTTP/2 or not; without it there is nothing to agree with.
    SET(HTTP_VERSION, request->is_tls ? (long)CURL_HTTP_VERSION_2TLS : (long)CURL_HTTP_VERSION_1_1);
    transfer->is_tls = request->is_tls;
  }
  // An older one can't be asked: it keeps to one attempt on a connection that is new.
  if (!transfer->asks) PREFER(FRESH_CONNECT, request->once ? 1L : 0L);
  if (request->authorities) {
    // The system's directory would be trusted beside the file.
    SET(CAINFO, request->authorities);
    SET(CAPATH, NULL);
    transfer->has_authorities = true;
  }
  return code;
}

CURLcode ccurl_transfer_start(ccurl_transfer *transfer, CURLM *multi, const ccurl_request *request) {
  transfer->code = CURLE_OK;
  transfer->stop = CCURL_WENT_ON;
  transfer->declared = -1;
  transfer->head_count = 0;
  transfer->head_ended = false;
  transfer->encoded = transfer->located = false;
  transfer->status = 0;
  free(transfer->body);
  transfer->body = NULL;
  transfer->body_count = transfer->body_capacity = transfer->dropped = 0;
  transfer->body_limit = request->body_limit;
  transfer->follows = request->follows;
  transfer->once = request->once;
  transfer->was_sent = false;
  transfer->message[0] = 0;
  transfer->code = set_request(transfer, request);
  if (transfer->code == CURLE_OK && ccurl.multi_add_handle(multi, transfer->easy) != CURLM_OK) {
    transfer->code = CURLE_OUT_OF_MEMORY;
  }
  return transfer->code;
}

void ccurl_transfer_cancel(ccurl_transfer *transfer, CURLM *multi) {
  ccurl.multi_remove_handle(multi, transfer->easy);
}

void ccurl_transfer_trim(ccurl_transfer *transfer) {
  size_t count = transfer->body_count;
  if (count == 0 || transfer->body_capacity - count <= count / 8 + 256) return;
  uint8_t *body = realloc(transfer->body, count);
  if (!body) return;
  transfer->body = body;
  transfer->body_capacity = count;
}

void ccurl_transfer_rest(ccurl_transfer *transfer) {
  free(transfer->body);
  transfer->body = NULL;
  transfer->body_count = transfer->body_capacity = 0;
  if (transfer->head_capacity > KEPT_LIMIT) {
    free(transfer->head);
    transfer->head = NULL;
    transfer->head_count = transfer->head_capacity = 0;
  }
  if (transfer->text_capacity > KEPT_LIMIT) {
    // libcurl may look at the list no more.
    PREFER(HTTPHEADER, (struct curl_slist *)NULL);
    free(transfer->texts);
    transfer->texts = NULL;
    transfer->text_capacity = 0;
  }
}

long ccurl_status(const ccurl_transfer *transfer) {
  long status = 0;
  ccurl.easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

long ccurl_system_error(const ccurl_transfer *transfer) {
  long number = 0;
  ccurl.easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &number);
  return number;
}

bool ccurl_was_connected(const ccurl_transfer *transfer) {
  curl_off_t microseconds = 0;
  ccurl.easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds > 0;
}

const char *ccurl_redirect(const ccurl_transfer *transfer) {
  char *url = NULL;
  ccurl.easy_getinfo(transfer->easy, CURLINFO_REDIRECT_URL, &url);
  return url;
}

const char *ccurl_message(const ccurl_transfer *transfer) {
  return transfer->message[0] ? transfer->message : ccurl.easy_strerror(transfer->code);
}
