/*
 * Documents that are encrypted and authenticated: cookies of people, their passwords. docs/vault.md has the format for other programs.
 *
 *    offset  bytes
 *         0      8  "BRWDSEAL"
 *         8      1  version of the format: 1
 *         9      1  cipher: 1, AES-256-GCM (NIST SP 800-38D)
 *        10      2  0
 *        12      8  id of the key
 *        20     12  nonce, random for each document
 *        32      8  length of the text, most significant byte first
 *        40      n  the encrypted text
 *    40 + n     16  authentication tag
 *
 * The associated data are the 40 bytes of the header and what the document is about: kind, owner and name, each with its length in four bytes
 * before it. So a document that is copied to another name, or to another owner, does not open there.
 *
 * A text of LIMIT_SEALED bytes is sealed or opened in one turn of the loop (15 ms); files are read and written in parts.
 */
#pragma once

#include "base/str.h"
#include "loop/task.h"
#include "vault/key.h"

struct sealed_about {
	const char *kind;  /* "state", "vault" */
	const char *owner; /* "" when there is only one */
	const char *name;
};

/* Appends the sealed document. -EFBIG when the text has more than LIMIT_SEALED bytes. */
int sealed_seal(const struct vault_key *k, const struct sealed_about *about, const void *text, size_t len, struct str *out);
/*
 * Opens a document and appends its text, which the caller wipes (private_wipe()); nothing is appended on failure:
 * -EINVAL it is none · -ENOTSUP of a version or cipher that this program does not know · -ENODATA truncated · -EOVERFLOW with bytes behind
 * its end · -EFBIG too large · -ENOKEY sealed with another key · -EBADMSG changed, or about something else.
 */
int sealed_open(const struct vault_key *k, const struct sealed_about *about, const void *sealed, size_t len, struct str *out);
/* What such a failure means, for messages that go on after "... cannot be opened: ". */
void sealed_explain(int r, const struct vault_key *k, const void *sealed, size_t len, struct str *out);

/*
 * sealed_seal() and private_write(), private_read() and sealed_open(), with their results. The path is a file's whose name the caller chose for
 * what the document is about. With any failure `error` gets a sentence; so -ENOENT means that there is no file.
 */
int sealed_write(_nullable_ struct task *t, const struct vault_key *k, const struct sealed_about *about, const char *path,
		 const void *text, size_t len, struct str *error);
int sealed_read(_nullable_ struct task *t, const struct vault_key *k, const struct sealed_about *about, const char *path,
		struct str *out, struct str *error);
