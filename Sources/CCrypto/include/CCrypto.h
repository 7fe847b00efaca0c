#pragma once
// Digests, by libcrypto, which is opened when the first one is asked for: a script that needs none does not pay for it.
#include <stddef.h>

// Large enough for any digest.
enum { CCRYPTO_MAXIMUM = 64 };

// Why there are no digests, or NULL. From any thread.
const char *ccrypto_problem(void);

// Writes the digest by an algorithm of OpenSSL's ("md5", "sha256") and gives its length; -1 if there is none of that name.
int ccrypto_digest(const char *algorithm, const void *bytes, size_t count, unsigned char *output);

// The same for HMAC (RFC 2104).
int ccrypto_hmac(const char *algorithm, const void *key, size_t key_count, const void *bytes, size_t count,
                 unsigned char *output);
