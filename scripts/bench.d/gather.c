// The bound of Gather: what the job costs when no value is built. Two POSTs at once over one libcurl multi handle; the
// records of both arrays are found by a scan over the bytes, sorted by the bytes of their createTime (stable), printed.
//
//   gather BASE_URL UID SESSION_ID
#include <curl/curl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void die(const char *message) {
  fprintf(stderr, "gather: %s\n", message);
  exit(1);
}

struct buffer {
  char *bytes;
  size_t count, capacity;
};

static void append(struct buffer *buffer, const char *bytes, size_t count) {
  if (buffer->count + count + 1 > buffer->capacity) {
    buffer->capacity = (buffer->count + count + 1) * 2;
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (!buffer->bytes) die("out of memory");
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  buffer->bytes[buffer->count] = 0;
}

static size_t receive(char *bytes, size_t size, size_t count, void *buffer) {
  append(buffer, bytes, size * count);
  return size * count;
}

struct record {
  const char *start, *key;
  size_t length, key_length;
};

struct records {
  struct record *items;
  size_t count, capacity;
};

static const char *after_string(const char *at) {
  for (at++; *at != '"'; at++) {
    if (!*at) die("an open string");
    if (*at == '\\') at++;
  }
  return at + 1;
}

static void scan(const struct buffer *body, struct records *records) {
  if (!body->bytes || !strstr(body->bytes, "\"code\":\"200\"")) die("an answer whose code is not 200");
  const char *at = strstr(body->bytes, "\"relation\":[");
  if (!at) die("no list");
  at += strlen("\"relation\":[");
  while (*at && *at != ']') {
    struct record record = {.start = at};
    int depth = 0;
    do {
      switch (*at) {
        case 0: die("an open record");
        case '{': case '[': depth++; at++; break;
        case '}': case ']': depth--; at++; break;
        case '"':
          if (depth == 1 && !strncmp(at, "\"createTime\":", 13)) {
            record.key = at += 13;
            at = after_string(at);
            record.key_length = at - record.key;
          } else {
            at = after_string(at);
          }
          break;
        default: at++;
      }
    } while (depth);
    record.length = at - record.start;
    if (!record.key) die("a record without createTime");
    if (records->count == records->capacity) {
      records->capacity = records->capacity ? records->capacity * 2 : 64;
      records->items = realloc(records->items, records->capacity * sizeof record);
      if (!records->items) die("out of memory");
    }
    records->items[records->count++] = record;
    if (*at == ',') at++;
  }
}

static int by_key(const struct record *a, const struct record *b) {
  size_t shorter = a->key_length < b->key_length ? a->key_length : b->key_length;
  int order = memcmp(a->key, b->key, shorter);
  return order ? order : (a->key_length > b->key_length) - (a->key_length < b->key_length);
}

// A merge sort from `from` to `to` and back; what is sorted ends in `from`.
static void sort(struct record *from, struct record *to, size_t count) {
  if (count < 2) return;
  size_t half = count / 2, left = 0, right = half, out = 0;
  sort(from, to, half);
  sort(from + half, to + half, count - half);
  memcpy(to, from, count * sizeof *from);
  while (out < count) {
    int take_left = right == count || (left < half && by_key(&to[left], &to[right]) <= 0);
    from[out++] = take_left ? to[left++] : to[right++];
  }
}

static CURL *post(CURLM *multi, const char *base, const char *path, const char *form, struct buffer *body) {
  char url[1024];
  snprintf(url, sizeof url, "%s%s", base, path);
  CURL *easy = curl_easy_init();
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, form);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, body);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  curl_multi_add_handle(multi, easy);
  return easy;
}

static void token(const char *uid, const char *session, char *hex) {
  char text[512];
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  snprintf(text, sizeof text, "%s%s", uid, session);
  if (!EVP_Digest(text, strlen(text), digest, &length, EVP_md5(), NULL)) die("no md5");
  for (unsigned i = 0; i < length; i++) sprintf(hex + 2 * i, "%02x", digest[i]);
}

int main(int count, char **arguments) {
  if (count != 4) die("usage: gather BASE_URL UID SESSION_ID");
  char hex[2 * EVP_MAX_MD_SIZE + 1], form[1024];
  token(arguments[2], arguments[3], hex);
  snprintf(form, sizeof form, "session_id=%s&token=%s&uid=%s", arguments[3], hex, arguments[2]);

  curl_global_init(CURL_GLOBAL_ALL);
  CURLM *multi = curl_multi_init();
  struct buffer detail = {0}, reward = {0};
  post(multi, arguments[1], "/relation/detail", form, &detail);
  post(multi, arguments[1], "/relation/reward", "", &reward);
  int running = 1, left;
  while (running) {
    if (curl_multi_perform(multi, &running)) die("perform");
    if (running) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
    if (message->data.result) die(curl_easy_strerror(message->data.result));
  }

  struct records records = {0};
  scan(&detail, &records);
  scan(&reward, &records);
  struct record *spare = malloc(records.count * sizeof *spare + 1);
  sort(records.items, spare, records.count);

  struct buffer out = {malloc(detail.count + reward.count + 16), 0, detail.count + reward.count + 16};
  append(&out, "[", 1);
  for (size_t i = 0; i < records.count; i++) {
    if (i) append(&out, ",", 1);
    append(&out, records.items[i].start, records.items[i].length);
  }
  append(&out, "]\n", 2);
  fwrite(out.bytes, 1, out.count, stdout);
  return 0;
}
