#include "CCrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pthread.h>

static struct {
  __typeof__(EVP_get_digestbyname) *by_name;
  __typeof__(EVP_Digest) *digest;
  __typeof__(HMAC) *hmac;
  const char *problem;
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  void *handle = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    library.problem = "libcrypto.so.3 (OpenSSL 3) can't be opened: install the package libssl3";
    return;
  }
  library.by_name = (__typeof__(library.by_name))dlsym(handle, "EVP_get_digestbyname");
  library.digest = (__typeof__(library.digest))dlsym(handle, "EVP_Digest");
  library.hmac = (__typeof__(library.hmac))dlsym(handle, "HMAC");
  if (!library.by_name || !library.digest || !library.hmac) library.problem = "libcrypto.so.3 lacks EVP_Digest or HMAC";
}

const char *ccrypto_problem(void) {
  pthread_once(&once, open_library);
  return library.problem;
}

int ccrypto_digest(const char *algorithm, const void *bytes, size_t count, unsigned char *output) {
  if (ccrypto_problem()) return -1;
  const EVP_MD *type = library.by_name(algorithm);
  unsigned length = 0;
  if (!type || !library.digest(bytes, count, output, &length, type, NULL)) return -1;
  return (int)length;
}

int ccrypto_hmac(const char *algorithm, const void *key, size_t key_count, const void *bytes, size_t count,
                 unsigned char *output) {
  if (ccrypto_problem() || key_count > INT_MAX) return -1;
  const EVP_MD *type = library.by_name(algorithm);
  unsigned length = 0;
  // With no key at all HMAC would take the one it had before.
  if (!type || !library.hmac(type, key_count ? key : "", (int)key_count, bytes, count, output, &length)) return -1;
  return (int)length;
}
