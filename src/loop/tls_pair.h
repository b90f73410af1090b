/*
 * A certificate, those of its issuers and its private key, as they are in their files at one moment. libwebsockets could read
 * the files, but all that it says is that something was wrong.
 */
#pragma once

#include <openssl/ssl.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/str.h"
#include "loop/tls.h"

struct tls_pair {
	X509 *cert;
	STACK_OF(X509) *chain; /* what follows the first certificate */
	EVP_PKEY *key;
};

/*
 * -EINVAL: `error` says which file is wrong, and what to do. What is only unwise (a key that every user can read, a certificate
 * that has expired) is logged. Blocks.
 */
int tls_pair_read(const struct tls_files *files, struct tls_pair *ret, struct str *error);
void tls_pair_done(struct tls_pair *p);

/* What tells two states of both files apart. */
struct tls_stamp {
	struct {
		dev_t dev;
		ino_t ino;
		off_t size;
		struct timespec changed;
	} files[2];
};

/* As they are now; a file that is not there has a stamp, too. */
struct tls_stamp tls_stamp_now(const struct tls_files *files);
bool tls_stamps_differ(const struct tls_stamp *a, const struct tls_stamp *b);
