#define _GNU_SOURCE
#include "Listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_loopback(const struct sockaddr *address) {
  if (address->sa_family == AF_INET) {
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
  }
  return address->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static bool bind_to(const struct addrinfo *place, cmhd_listener *listener) {
  int yes = 1;
  listener->socket = socket(place->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener->socket < 0) return false;
  setsockopt(listener->socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  if (bind(listener->socket, place->ai_addr, place->ai_addrlen) == 0 && listen(listener->socket, 1024) == 0 &&
      getsockname(listener->socket, (struct sockaddr *)&bound, &length) == 0) {
    listener->is_loopback = is_loopback((const struct sockaddr *)&bound);
    listener->port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                                       : ((struct sockaddr_in *)&bound)->sin_port);
    return true;
  }
  int reason = errno;
  close(listener->socket);
  errno = reason;
  return false;
}

bool cmhd_listen(const char *host, uint16_t port, cmhd_listener *listener, char *complaint, size_t size) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
  struct addrinfo *places = NULL;
  int code = getaddrinfo(host, service, &hints, &places);
  if (code != 0) {
    snprintf(complaint, size, "%s", gai_strerror(code));
    return false;
  }
  bool is_bound = bind_to(places, listener);
  if (!is_bound) snprintf(complaint, size, "%s", strerror(errno));
  freeaddrinfo(places);
  return is_bound;
}
