#include "vault/sealed.h"

#include <errno.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

#include "base/limits.h"
#include "vault/private_file.h"

#define SEALED_MAGIC "BRWDSEAL"
#define SEALED_MAGIC_SIZE (sizeof(SEALED_MAGIC) - 1)
#define SEALED_VERSION 1
#define SEALED_AES_256_GCM 1
#define NONCE_SIZE 12
#define TAG_SIZE 16

struct sealed_header {
	char magic[SEALED_MAGIC_SIZE];
	uint8_t version, cipher, zero[2], key_id[VAULT_KEY_ID_SIZE], nonce[NONCE_SIZE], length[8];
};

_Static_assert(sizeof(struct sealed_header) == 40, "the header has no padding");

#define SEALED_SIZE(len) (sizeof(struct sealed_header) + (len) + TAG_SIZE)

static void big_endian(uint64_t n, uint8_t *ret, size_t size)
{
	for (size_t i = size; i-- > 0; n >>= 8)
		ret[i] = (uint8_t)n;
}

static uint64_t from_big_endian(const uint8_t *bytes, size_t size)
{
	uint64_t n = 0;

	for (size_t i = 0; i < size; i++)
		n = n << 8 | bytes[i];
	return n;
}

static void append_associated(struct str *out, const char *text)
{
	size_t len = strlen(text);
	uint8_t length[4];

	big_endian(len, length, sizeof(length));
	str_append_len(out, (const char *)length, sizeof(length));
	str_append_len(out, text, len);
}

static void associated_data(const struct sealed_header *h, const struct sealed_about *about, struct str *out)
{
	str_append_len(out, (const char *)h, sizeof(*h));
	append_associated(out, about->kind);
	append_associated(out, about->owner);
	append_associated(out, about->name);
}

/* Begins either direction (`encrypts`), with the associated data. libcrypto fails here only without memory. */
static EVP_CIPHER_CTX *begin_cipher(const struct vault_key *k, const struct sealed_header *h, const struct sealed_about *about,
				    bool encrypts)
{
	EVP_CIPHER_CTX *ctx = must(EVP_CIPHER_CTX_new());
	_cleanup_(str_done) struct str associated = {};
	int len;

	associated_data(h, about, &associated);
	must(EVP_CipherInit_ex(ctx, EVP_aes_256_gcm(), NULL, k->bytes, h->nonce, encrypts) == 1 ? ctx : NULL);
	must(EVP_CipherUpdate(ctx, NULL, &len, (const unsigned char *)associated.data, (int)associated.len) == 1 ? ctx : NULL);
	return ctx;
}

static struct sealed_header make_header(const struct vault_key *k, size_t len)
{
	struct sealed_header h = { .version = SEALED_VERSION, .cipher = SEALED_AES_256_GCM };

	memcpy(h.magic, SEALED_MAGIC, SEALED_MAGIC_SIZE);
	memcpy(h.key_id, k->id, VAULT_KEY_ID_SIZE);
	must(RAND_bytes(h.nonce, NONCE_SIZE) == 1 ? &h : NULL);
	big_endian(len, h.length, sizeof(h.length));
	return h;
}

int sealed_seal(const struct vault_key *k, const struct sealed_about *about, const void *text, size_t len, struct str *out)
{
	struct sealed_header h;
	EVP_CIPHER_CTX *ctx;
	int n = 0, rest = 0;
	unsigned char *at;

	if (len > LIMIT_SEALED)
		return -EFBIG;
	h = make_header(k, len);
	str_reserve(out, SEALED_SIZE(len));
	str_append_len(out, (const char *)&h, sizeof(h));
	at = (unsigned char *)out->data + out->len;
	ctx = begin_cipher(k, &h, about, true);
	must(len == 0 || EVP_CipherUpdate(ctx, at, &n, text, (int)len) == 1 ? ctx : NULL);
	must(EVP_CipherFinal_ex(ctx, at + n, &rest) == 1 ? ctx : NULL);
	must(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, TAG_SIZE, at + len) == 1 ? ctx : NULL);
	EVP_CIPHER_CTX_free(ctx);
	out->len += len + TAG_SIZE;
	out->data[out->len] = '\0';
	return 0;
}

/* Everything about a document that can be said without its key. */
static int check_header(const void *sealed, size_t len, struct sealed_header *ret, size_t *ret_text)
{
	uint64_t text;

	if (len < SEALED_MAGIC_SIZE || memcmp(sealed, SEALED_MAGIC, SEALED_MAGIC_SIZE) != 0)
		return -EINVAL;
	if (len < sizeof(*ret))
		return -ENODATA;
	memcpy(ret, sealed, sizeof(*ret));
	if (ret->version != SEALED_VERSION || ret->cipher != SEALED_AES_256_GCM || ret->zero[0] || ret->zero[1])
		return -ENOTSUP;
	text = from_big_endian(ret->length, sizeof(ret->length));
	if (text > LIMIT_SEALED)
		return -EFBIG;
	*ret_text = (size_t)text;
	return len < SEALED_SIZE(*ret_text) ? -ENODATA : len > SEALED_SIZE(*ret_text) ? -EOVERFLOW : 0;
}

int sealed_open(const struct vault_key *k, const struct sealed_about *about, const void *sealed, size_t len, struct str *out)
{
	const unsigned char *from = (const unsigned char *)sealed + sizeof(struct sealed_header);
	struct sealed_header h;
	int n = 0, rest = 0;
	EVP_CIPHER_CTX *ctx;
	unsigned char *at;
	size_t text = 0;
	int r = check_header(sealed, len, &h, &text);

	if (r < 0 || memcmp(h.key_id, k->id, VAULT_KEY_ID_SIZE) != 0)
		return r < 0 ? r : -ENOKEY;
	str_reserve(out, text + 1);
	at = (unsigned char *)out->data + out->len;
	ctx = begin_cipher(k, &h, about, false);
	must(text == 0 || EVP_CipherUpdate(ctx, at, &n, from, (int)text) == 1 ? ctx : NULL);
	must(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, TAG_SIZE, (void *)(from + text)) == 1 ? ctx : NULL);
	r = EVP_CipherFinal_ex(ctx, at + n, &rest) == 1 ? 0 : -EBADMSG;
	EVP_CIPHER_CTX_free(ctx);
	if (r < 0)
		explicit_bzero(at, text);
	else
		out->len += text;
	out->data[out->len] = '\0';
	return r;
}

static void explain_key(const struct vault_key *k, const void *sealed, struct str *out)
{
	struct sealed_header h;

	memcpy(&h, sealed, sizeof(h));
	str_append(out, "it was sealed with another key: its key has the id ");
	vault_key_append_id(h.key_id, out);
	str_append(out, ", the key in use ");
	vault_key_append_id(k->id, out);
}

void sealed_explain(int r, const struct vault_key *k, const void *sealed, size_t len, struct str *out)
{
	if (r == -ENOKEY)
		explain_key(k, sealed, out);
	else if (r == -EINVAL)
		str_append(out, "it is not a sealed document");
	else if (r == -ENOTSUP)
		str_append(out, "a newer version of this program has sealed it");
	else if (r == -ENODATA)
		str_appendf(out, "it is truncated: %zu bytes are left", len);
	else if (r == -EOVERFLOW)
		str_append(out, "there are bytes behind its end");
	else if (r == -EFBIG)
		str_appendf(out, "its text has more than the %u bytes that are allowed", LIMIT_SEALED);
	else if (r == -EBADMSG)
		str_append(out, "it was changed, or is the document of another name or owner");
	else
		str_append(out, strerror(-r));
}

int sealed_write(_nullable_ struct task *t, const struct vault_key *k, const struct sealed_about *about, const char *path,
		 const void *text, size_t len, struct str *error)
{
	_cleanup_(str_done) struct str sealed = {};
	int r = sealed_seal(k, about, text, len, &sealed);

	if (r == 0)
		return private_write(t, path, sealed.data, sealed.len, error);
	str_appendf(error, "cannot write %s: %zu bytes are more than the %u that are allowed", path, len, LIMIT_SEALED);
	return r;
}

int sealed_read(_nullable_ struct task *t, const struct vault_key *k, const struct sealed_about *about, const char *path,
		struct str *out, struct str *error)
{
	_cleanup_(str_done) struct str sealed = {};
	int r = private_read(t, path, SEALED_SIZE(LIMIT_SEALED), PRIVATE_ANYONE_READS, &sealed, error);

	if (r < 0)
		return r;
	r = sealed_open(k, about, str_text(&sealed), sealed.len, out);
	if (r == 0)
		return 0;
	str_appendf(error, "%s cannot be opened: ", path);
	sealed_explain(r, k, str_text(&sealed), sealed.len, error);
	return r;
}
