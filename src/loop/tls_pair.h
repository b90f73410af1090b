/*
 * Reads a certificate with its chain and private key. libwebsockets could read the files, but does not report what is wrong
 * with them.
 */
#pragma once

#include <openssl/ssl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/str.h"
#include "loop/tls.h"

struct tls_pair {
	X509 *cert;
	STACK_OF(X509) * chain; /* what follows the first certificate */
	EVP_PKEY *key;
};

/*
 * -EINVAL: `error` names the wrong file and what to do. Risky settings (a key that every user can read, an expired
 * certificate) are only logged. Blocks.
 */
int tls_pair_read(const struct tls_files *files, struct tls_pair *ret, struct str *error);
void tls_pair_done(struct tls_pair *p);

/* The identity of both files at one moment, for detecting changes. */
struct tls_stamp {
	struct {
		dev_t dev;
		ino_t ino;
		off_t size;
		struct timespec changed;
	} files[2];
};

/* The current identity; a missing file has one as well. */
struct tls_stamp tls_stamp_now(const struct tls_files *files);
bool tls_stamps_differ(const struct tls_stamp *a, const struct tls_stamp *b);
