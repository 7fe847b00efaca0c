// The bound of the 10,000 GETs: one libcurl multi handle, one thread, a fixed number in flight, handles used again; one
// field of each answer is found by a scan over its bytes and kept. Prints the list in the order of the requests.
//
//   fanout BASE_URL COUNT WIDTH
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void die(const char *message) {
  fprintf(stderr, "fanout: %s\n", message);
  exit(1);
}

struct transfer {
  CURL *easy;
  long number;
  size_t count;
  char body[16384];
};

static size_t receive(char *bytes, size_t size, size_t count, void *context) {
  struct transfer *transfer = context;
  count *= size;
  if (transfer->count + count >= sizeof transfer->body) die("an answer that is too long");
  memcpy(transfer->body + transfer->count, bytes, count);
  transfer->count += count;
  return count;
}

static void start(CURLM *multi, struct transfer *transfer, const char *base, long number) {
  char url[1024];
  snprintf(url, sizeof url, "%s/items/%ld", base, number);
  transfer->number = number;
  transfer->count = 0;
  curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
  curl_multi_add_handle(multi, transfer->easy);
}

static char *name_of(struct transfer *transfer) {
  transfer->body[transfer->count] = 0;
  char *start = strstr(transfer->body, "\"name\":\"");
  if (!start) die("an answer without a name");
  start += strlen("\"name\":");
  char *end = strchr(start + 1, '"');
  if (!end) die("an open string");
  return strndup(start, end + 1 - start);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 4) die("usage: fanout BASE_URL COUNT WIDTH");
  long count = atol(arguments[2]), width = atol(arguments[3]), next = 0, done = 0;
  char **names = calloc(count, sizeof *names);
  struct transfer *transfers = calloc(width, sizeof *transfers);
  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, width);
  for (long i = 0; i < width && next < count; i++) {
    transfers[i].easy = curl_easy_init();
    curl_easy_setopt(transfers[i].easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(transfers[i].easy, CURLOPT_WRITEDATA, &transfers[i]);
    curl_easy_setopt(transfers[i].easy, CURLOPT_PRIVATE, &transfers[i]);
    curl_easy_setopt(transfers[i].easy, CURLOPT_FAILONERROR, 1L);
    start(multi, &transfers[i], arguments[1], next++);
  }
  while (done < count) {
    int running, left;
    if (curl_multi_perform(multi, &running)) die("perform");
    for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
      if (message->data.result) die(curl_easy_strerror(message->data.result));
      struct transfer *transfer;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      names[transfer->number] = name_of(transfer);
      done++;
      curl_multi_remove_handle(multi, transfer->easy);
      if (next < count) start(multi, transfer, arguments[1], next++);
    }
    if (done < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  putchar('[');
  for (long i = 0; i < count; i++) printf("%s%s", i ? "," : "", names[i]);
  puts("]");
  return 0;
}
