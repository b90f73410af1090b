#include "vault/key.h"

#include <ctype.h>
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "base/base64.h"
#include "vault/private_file.h"

#define KEY_TEXT_MAX 128
#define KEY_DIGITS 43 /* and one "=" */
#define KEY_MAKE "`openssl rand -base64 32` prints one"

/* A digest of the key with a text before it, so that it is no digest that anything else computes. */
static void set_id(struct vault_key *k)
{
	static const char purpose[] = "browserd key id";
	uint8_t text[sizeof(purpose) + VAULT_KEY_SIZE], digest[EVP_MAX_MD_SIZE];

	memcpy(text, purpose, sizeof(purpose));
	memcpy(text + sizeof(purpose), k->bytes, VAULT_KEY_SIZE);
	must(EVP_Digest(text, sizeof(text), digest, NULL, EVP_sha256(), NULL) == 1 ? digest : NULL);
	memcpy(k->id, digest, VAULT_KEY_ID_SIZE);
	explicit_bzero(text, sizeof(text));
}

/* `len` bytes of base64, blanks and line ends around it. -EINVAL when that is not exactly a key. */
static int vault_parse_key(const char *text, size_t len, struct vault_key **ret)
{
	uint8_t bytes[BASE64_DECODED_SIZE(KEY_DIGITS)];
	struct vault_key *k;
	ptrdiff_t size;

	for (; len > 0 && isspace((unsigned char)text[len - 1]); len--)
		;
	for (; len > 0 && isspace((unsigned char)*text); len--)
		text++;
	len -= len == KEY_DIGITS + 1 && text[KEY_DIGITS] == '=';
	size = len == KEY_DIGITS ? base64_decode(text, len, bytes) : -EINVAL;
	if (size == VAULT_KEY_SIZE) {
		k = NEW(struct vault_key);
		memcpy(k->bytes, bytes, VAULT_KEY_SIZE);
		set_id(k);
		*ret = k;
	}
	explicit_bzero(bytes, sizeof(bytes));
	return size == VAULT_KEY_SIZE ? 0 : -EINVAL;
}

static int read_key_file(const char *path, struct vault_key **ret, struct str *error)
{
	_cleanup_(private_wipe) struct str text = {};
	int r = private_read(NULL, path, KEY_TEXT_MAX, PRIVATE_OWNER_READS, &text, error);

	if (r < 0)
		return r;
	r = vault_parse_key(str_text(&text), text.len, ret);
	if (r < 0)
		str_appendf(error,
			    "%s does not have 32 bytes in base64, as a key has; " KEY_MAKE
			    ". Documents that were sealed with another key "
			    "cannot be read any more",
			    path);
	return r;
}

/* Another process may make the file first; what it made is used then. */
static int make_key_file(const char *path, struct str *error)
{
	_cleanup_(private_wipe) struct str text = {};
	_cleanup_(str_done) struct str directory = {};
	uint8_t bytes[VAULT_KEY_SIZE];
	const char *slash = strrchr(path, '/');
	int r = 0;

	if (slash && slash > path) {
		str_append_len(&directory, path, (size_t)(slash - path));
		r = private_directory_make(directory.data, error);
	}
	if (r < 0)
		return r;
	must(RAND_bytes(bytes, sizeof(bytes)) == 1 ? bytes : NULL);
	str_reserve(&text, KEY_TEXT_MAX);
	base64_encode(&text, bytes, sizeof(bytes));
	str_append_char(&text, '\n');
	explicit_bzero(bytes, sizeof(bytes));
	r = private_write_new(path, text.data, text.len, error);
	return r == -EEXIST ? 0 : r;
}

int vault_key_load(const struct vault_key_settings *s, bool makes, struct vault_key **ret, struct str *error)
{
	_cleanup_(str_done) struct str missing = {};
	int r;

	if (s->given) {
		r = vault_parse_key(s->given, strlen(s->given), ret);
		if (r < 0)
			str_append(error, VAULT_KEY_VARIABLE " has to be 32 bytes in base64; " KEY_MAKE);
		return r;
	}
	if (!s->path) {
		str_append(error, "there is no key: set " VAULT_KEY_VARIABLE " to 32 bytes in base64 (" KEY_MAKE ")");
		return -ENOENT;
	}
	r = read_key_file(s->path, ret, &missing);
	if (r != -ENOENT || !makes) {
		str_append_len(error, str_text(&missing), missing.len);
		return r;
	}
	r = make_key_file(s->path, error);
	return r < 0 ? r : read_key_file(s->path, ret, error);
}

struct vault_key *vault_key_free(struct vault_key *k)
{
	if (k)
		explicit_bzero(k, sizeof(*k));
	free(k);
	return NULL;
}

void vault_key_append_id(const uint8_t id[VAULT_KEY_ID_SIZE], struct str *out)
{
	for (size_t i = 0; i < VAULT_KEY_ID_SIZE; i++)
		str_appendf(out, "%02x", id[i]);
}
