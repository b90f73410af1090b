/*
 * The key with which documents are sealed: 32 random bytes, given by the operator or kept in a file that is made when it is first needed.
 *
 * There are no passphrases: a derivation that makes guessing expensive takes 100 ms of the loop for each document, or shares its salt
 * with all of them, and an operator who can set a passphrase can as well set the output of `openssl rand -base64 32`.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/macros.h"
#include "base/str.h"

#define VAULT_KEY_SIZE 32
#define VAULT_KEY_ID_SIZE 8
#define VAULT_KEY_VARIABLE "BROWSERD_STATE_KEY"

struct vault_key_settings {
	const char *given; /* base64 of 32 bytes; NULL: the file */
	const char *path;  /* of the file: base64 of 32 bytes in one line. NULL: there is none */
};

struct vault_key {
	uint8_t bytes[VAULT_KEY_SIZE];
	uint8_t id[VAULT_KEY_ID_SIZE]; /* from a digest of the key: tells keys apart, and nothing about them */
};

/*
 * Reads the key. A missing file is made with a new key, and its directory, if `makes`; otherwise the result is -ENOENT. Of two processes
 * that make it at the same time both get the same key. Blocks. On failure `error` gets a sentence; -EINVAL when the text is no key, otherwise as
 * private_read() fails.
 */
int vault_key_load(const struct vault_key_settings *s, bool makes, struct vault_key **ret, struct str *error);
/* Overwrites it first. */
struct vault_key *vault_key_free(_nullable_ struct vault_key *k);
DEFINE_FREEP(vault_key);
/* Appends the id in hexadecimal digits. */
void vault_key_append_id(const uint8_t id[VAULT_KEY_ID_SIZE], struct str *out);
