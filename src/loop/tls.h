/*
 * The certificate and key of an HTTP server; libwebsockets implements TLS itself. Changed files are read again when a client
 * connects, at most once a second. If the new pair is not usable, an error is logged and the old pair stays in use.
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
 * `files->cert` is a PEM file of certificates, the server's own first; `files->key` has its private key. `l` comes from
 * loop_new_with_tls(); it and the paths outlive the result. -EINVAL: `error` names the wrong file and what to do. Risky
 * settings (a key that every user can read, an expired certificate) are only logged. Blocks.
 */
int tls_new(struct loop *l, const struct tls_files *files, struct tls **ret, struct str *error);
struct tls *tls_free(struct tls *t);
DEFINE_FREEP(tls);
