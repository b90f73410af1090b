/*
 * The certificate and key that an HTTP server presents. libwebsockets does the talking. Files that have changed are read again
 * when the next client connects, a second later at most; a new pair that cannot be used is logged, and the old one stays.
 */
#pragma once

#include "base/macros.h"
#include "base/str.h"
#include "loop/loop.h"

struct tls;

/* The two files in PEM, and what messages call them: the options that name them. Borrowed. */
struct tls_files {
	const char *cert, *key;
	const char *cert_option, *key_option;
};

/*
 * `files->cert` is a file of certificates in PEM, the server's own first, `files->key` the one with its private key. `l` was made with
 * LOOP_TLS and outlives the result, as the paths do. -EINVAL: `error` says which file is wrong, and what to do. What is only
 * unwise (a key that every user can read, a certificate that has expired) is logged. Blocks.
 */
int tls_new(struct loop *l, const struct tls_files *files, struct tls **ret, struct str *error);
struct tls *tls_free(struct tls *t);
DEFINE_FREEP(tls);
