#define _GNU_SOURCE
#include "CMicroHTTPD.h"
#include "Library.h"
#include "Listen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct cmhd_server {
  struct MHD_Daemon *daemon;
  cmhd_listener listener;
  size_t body_limit;
  cmhd_delegate delegate;
};

/// Makes room for `more` bytes; false if there is no memory.
static bool reserve(void **bytes, size_t count, size_t *capacity, size_t more) {
  if (more <= *capacity - count) return true;
  size_t wanted = *capacity * 2 > count + more ? *capacity * 2 : count + more;
  void *larger = realloc(*bytes, wanted);
  if (!larger) return false;
  *bytes = larger;
  *capacity = wanted;
  return true;
}

// The request line, before libmicrohttpd takes it apart and decodes it. What this gives is the request from here on.
static void *begin(void *server, const char *uri, struct MHD_Connection *connection) {
  (void)server;
  cmhd_request *request = calloc(1, sizeof *request);
  char *target = strdup(uri);
  if (!request || !target) {
    free(request);
    free(target);
    return NULL;
  }
  request->target = target;
  request->connection = connection;
  return request;
}

static void end(void *server, struct MHD_Connection *connection, void **held, enum MHD_RequestTerminationCode code) {
  (void)server, (void)connection, (void)code;
  cmhd_request *request = *held;
  if (!request) return;
  free((char *)request->target);
  free(request->headers);
  free(request->body);
  free(request->answer_headers);
  free(request->answer);
  free(request);
  *held = NULL;
}

static enum MHD_Result take_header(void *held, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  cmhd_request *request = held;
  if (!value) value = "";
  size_t name_size = strlen(name) + 1, value_size = strlen(value) + 1;
  void *headers = request->headers;
  bool has_room = reserve(&headers, request->headers_size, &request->headers_capacity, name_size + value_size);
  request->headers = headers;
  if (!has_room) return MHD_NO;
  memcpy(request->headers + request->headers_size, name, name_size);
  memcpy(request->headers + request->headers_size + name_size, value, value_size);
  request->headers_size += name_size + value_size;
  request->header_count++;
  return MHD_YES;
}

static bool take_body(cmhd_request *request, const char *bytes, size_t count, size_t limit) {
  if (request->is_too_long) return true;
  if (count > limit - request->body_count) {
    request->is_too_long = true;
    request->body_count = 0;
    return true;
  }
  void *body = request->body;
  bool has_room = reserve(&body, request->body_count, &request->body_capacity, count);
  request->body = body;
  if (!has_room) return false;
  memcpy(request->body + request->body_count, bytes, count);
  request->body_count += count;
  return true;
}

static enum MHD_Result respond(cmhd_request *request) {
  struct MHD_Response *response =
      cmhd.create_response_from_buffer(request->answer_count, request->answer, MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  const char *text = request->answer_headers;
  for (size_t i = 0; i < request->answer_header_count; i++) {
    const char *value = text + strlen(text) + 1;
    // Refused are an empty value, and what the server itself says about the message's length.
    (void)cmhd.add_response_header(response, text, value);
    text = value + strlen(value) + 1;
  }
  enum MHD_Result result = cmhd.queue_response(request->connection, request->status, response);
  cmhd.destroy_response(response);
  return result;
}

/// Writes past libmicrohttpd, and lets it close the connection.
static enum MHD_Result spoil(cmhd_request *request) {
  const union MHD_ConnectionInfo *info =
      cmhd.get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (!info) return MHD_NO;
  static const char promise[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"trun";
  static const char garbage[] = "\x16\x03\x01 this is not HTTP\r\n\r\n";
  switch (request->way) {
  case CMHD_TRUNCATE: (void)!send(info->connect_fd, promise, sizeof promise - 1, MSG_NOSIGNAL); break;
  case CMHD_GARBAGE: (void)!send(info->connect_fd, garbage, sizeof garbage - 1, MSG_NOSIGNAL); break;
  case CMHD_RESET: {
    // To dissolve an association sends RST at once (Linux); closing with no time to linger does it elsewhere.
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    setsockopt(info->connect_fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    (void)!connect(info->connect_fd, &nowhere, sizeof nowhere);
    break;
  }
  default: break;
  }
  return MHD_NO;
}

static enum MHD_Result handle(void *held_server, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_count, void **held) {
  (void)url, (void)version;
  cmhd_server *server = held_server;
  cmhd_request *request = *held;
  if (!request) return MHD_NO;
  if (!request->has_begun) {
    request->has_begun = true;
    cmhd.get_connection_values(connection, MHD_HEADER_KIND, take_header, request);
    return MHD_YES;
  }
  if (*upload_count > 0) {
    bool is_taken = take_body(request, upload, *upload_count, server->body_limit);
    *upload_count = 0;
    return is_taken ? MHD_YES : MHD_NO;
  }
  if (!request->is_decided) {
    request->is_decided = true;
    request->method = method;
    if (server->delegate.decide(server->delegate.owner, request) != 0) {
      // First, so that whoever resumes it, on whichever thread, finds it suspended.
      cmhd.suspend_connection(connection);
      server->delegate.wait(server->delegate.owner, request);
      return MHD_YES;
    }
  }
  return request->way == CMHD_RESPOND ? respond(request) : spoil(request);
}

cmhd_server *cmhd_start(const char *host, uint16_t port, size_t body_limit, cmhd_delegate delegate, char *complaint, size_t size) {
  cmhd_server *server = calloc(1, sizeof *server);
  if (!server) {
    snprintf(complaint, size, "%s", strerror(ENOMEM));
    return NULL;
  }
  server->body_limit = body_limit;
  server->delegate = delegate;
  if (!cmhd_listen(host, port, &server->listener, complaint, size)) {
    free(server);
    return NULL;
  }
  server->daemon = cmhd.start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, server,
      MHD_OPTION_LISTEN_SOCKET, server->listener.socket, MHD_OPTION_URI_LOG_CALLBACK, begin, server,
      MHD_OPTION_NOTIFY_COMPLETED, end, server, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)256 << 10, MHD_OPTION_END);
  if (!server->daemon) {
    snprintf(complaint, size, "libmicrohttpd does not start");
    close(server->listener.socket);
    free(server);
    return NULL;
  }
  return server;
}

uint16_t cmhd_port(const cmhd_server *server) { return server->listener.port; }

bool cmhd_is_loopback(const cmhd_server *server) { return server->listener.is_loopback; }

void cmhd_resume(cmhd_request *request) { cmhd.resume_connection(request->connection); }

void cmhd_stop(cmhd_server *server) {
  // It closes the listening socket too.
  cmhd.stop_daemon(server->daemon);
  free(server);
}
