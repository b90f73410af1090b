#include "auth/jwks.h"

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/limits.h"

#define RSA_BITS_MIN 2048
#define RSA_BITS_MAX 8192
#define NUMBER_MAX (RSA_BITS_MAX / 8 + 1)
#define P256_SIZE 32
#define ED25519_SIZE 32
#define DER_SIGNATURE_MAX 80 /* of P-256 */

enum key_type { KEY_RSA, KEY_P256, KEY_ED25519 };

struct key {
	enum key_type type;
	char *kid, *alg; /* NULL when absent */
	EVP_PKEY *pkey;
};

struct jwks {
	struct key keys[LIMIT_JWKS_COUNT];
	size_t count;
};

static const struct algorithm {
	const char *name;
	enum key_type type;
	bool digest; /* SHA-256 is applied first; false for algorithms with a built-in digest */
	int padding; /* for RSA */
} algorithm_table[] = {
	{ "RS256", KEY_RSA, true, RSA_PKCS1_PADDING },
	{ "PS256", KEY_RSA, true, RSA_PKCS1_PSS_PADDING },
	{ "ES256", KEY_P256, true, 0 },
	{ "EdDSA", KEY_ED25519, false, 0 },
};

static const struct algorithm *find_algorithm(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(algorithm_table); i++)
		if (!strcmp(algorithm_table[i].name, name))
			return &algorithm_table[i];
	return NULL;
}

bool jwks_knows_algorithm(const char *alg)
{
	return find_algorithm(alg);
}

/* ---- reading keys ---- */

/* Decodes a base64url member. Returns its length, 0 when it is absent, malformed or too long. */
static size_t get_bytes(const struct json *v, const char *name, uint8_t *buf, size_t size)
{
	const char *text = json_str(v, name);
	size_t len = text ? strlen(text) : 0;
	ptrdiff_t n;

	if (len == 0 || BASE64_DECODED_SIZE(len) > size)
		return 0;
	n = base64url_decode(text, len, buf);
	return n > 0 ? (size_t)n : 0;
}

static EVP_PKEY *from_params(const char *type, OSSL_PARAM_BLD *build)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY *ret = NULL;

	if (ctx && params && EVP_PKEY_fromdata_init(ctx) == 1)
		EVP_PKEY_fromdata(ctx, &ret, EVP_PKEY_PUBLIC_KEY, params);
	OSSL_PARAM_free(params);
	EVP_PKEY_CTX_free(ctx);
	return ret;
}

static EVP_PKEY *make_rsa(const struct json *v)
{
	uint8_t n[NUMBER_MAX + 3], e[16];
	size_t n_len = get_bytes(v, "n", n, sizeof(n)), e_len = get_bytes(v, "e", e, sizeof(e));
	BIGNUM *modulus = BN_bin2bn(n, (int)n_len, NULL), *exponent = BN_bin2bn(e, (int)e_len, NULL);
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	int bits = BN_num_bits(modulus);
	EVP_PKEY *ret = NULL;

	if (bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX && BN_is_odd(exponent) && !BN_is_one(exponent) &&
	    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, modulus) &&
	    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, exponent))
		ret = from_params("RSA", build);
	OSSL_PARAM_BLD_free(build);
	BN_free(modulus);
	BN_free(exponent);
	return ret;
}

static EVP_PKEY *make_p256(const struct json *v)
{
	uint8_t x[P256_SIZE + 3], y[P256_SIZE + 3], point[1 + 2 * P256_SIZE] = { POINT_CONVERSION_UNCOMPRESSED };
	const char *curve = json_str(v, "crv");
	OSSL_PARAM_BLD *build;
	EVP_PKEY *ret = NULL;

	if (!curve || strcmp(curve, "P-256") != 0 || get_bytes(v, "x", x, sizeof(x)) != P256_SIZE ||
	    get_bytes(v, "y", y, sizeof(y)) != P256_SIZE)
		return NULL;
	memcpy(point + 1, x, P256_SIZE);
	memcpy(point + 1 + P256_SIZE, y, P256_SIZE);
	build = OSSL_PARAM_BLD_new();
	if (OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) &&
	    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)))
		ret = from_params("EC", build);
	OSSL_PARAM_BLD_free(build);
	return ret;
}

static EVP_PKEY *make_ed25519(const struct json *v)
{
	const char *curve = json_str(v, "crv");
	uint8_t x[ED25519_SIZE + 3];

	if (!curve || strcmp(curve, "Ed25519") != 0 || get_bytes(v, "x", x, sizeof(x)) != ED25519_SIZE)
		return NULL;
	return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, x, ED25519_SIZE);
}

static const struct key_kind {
	const char *name;
	EVP_PKEY *(*make)(const struct json *v);
} kind_table[] = {
	[KEY_RSA] = { "RSA", make_rsa },
	[KEY_P256] = { "EC", make_p256 },
	[KEY_ED25519] = { "OKP", make_ed25519 },
};

/* Whether "use" and "key_ops" permit verifying signatures. */
static bool is_for_signatures(const struct json *v)
{
	const char *use = json_str(v, "use");
	const struct json *operations = json_get(v, "key_ops");
	bool verifies = json_type(operations) != JSON_ARRAY;

	json_foreach(operation, operations)
		verifies |= json_str(operation, NULL) && !strcmp(json_str(operation, NULL), "verify");
	return verifies && (!use || !strcmp(use, "sig"));
}

static char *jwks_copy(const char *text)
{
	return text ? must(strdup(text)) : NULL;
}

static void add_key(struct jwks *s, const struct json *v)
{
	const char *type = json_str(v, "kty");

	for (size_t i = 0; type && i < ARRAY_SIZE(kind_table); i++) {
		struct key *key = &s->keys[s->count];

		if (strcmp(kind_table[i].name, type) != 0 || !is_for_signatures(v))
			continue;
		key->pkey = kind_table[i].make(v);
		if (!key->pkey)
			continue;
		key->type = (enum key_type)i;
		key->kid = jwks_copy(json_str(v, "kid"));
		key->alg = jwks_copy(json_str(v, "alg"));
		s->count++;
		return;
	}
}

int jwks_parse(const char *text, size_t len, struct jwks **ret, const char **ret_why)
{
	_cleanup_(json_freep) struct json *root = NULL;
	_cleanup_(jwks_freep) struct jwks *s = NULL;

	*ret_why = "not a JSON object with an array \"keys\"";
	if (json_parse(text, len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &root) < 0 ||
	    json_type(json_get(root, "keys")) != JSON_ARRAY)
		return -EINVAL;
	s = NEW(struct jwks);
	json_foreach(key, json_get(root, "keys"))
		if (s->count < LIMIT_JWKS_COUNT)
			add_key(s, key);
	ERR_clear_error();
	*ret_why = "no key for RS256, PS256 (of 2048 to 8192 bits), ES256 or EdDSA (Ed25519)";
	if (s->count == 0)
		return -EINVAL;
	*ret = TAKE_PTR(s);
	return 0;
}

struct jwks *jwks_free(struct jwks *s)
{
	for (size_t i = 0; s && i < s->count; i++) {
		EVP_PKEY_free(s->keys[i].pkey);
		free(s->keys[i].kid);
		free(s->keys[i].alg);
	}
	free(s);
	return NULL;
}

/* ---- signatures ---- */

/* Converts a JWS signature (two numbers of equal size) to the ASN.1 form that OpenSSL needs. Returns its length, 0 on failure. */
static size_t to_der(const uint8_t *raw, size_t len, uint8_t *der)
{
	ECDSA_SIG *signature;
	BIGNUM *r, *s;
	int n = 0;

	if (len != 2 * P256_SIZE)
		return 0;
	signature = ECDSA_SIG_new();
	r = BN_bin2bn(raw, P256_SIZE, NULL);
	s = BN_bin2bn(raw + P256_SIZE, P256_SIZE, NULL);
	if (signature && r && s && ECDSA_SIG_set0(signature, r, s))
		n = i2d_ECDSA_SIG(signature, &der);
	ECDSA_SIG_free(signature);
	return n > 0 ? (size_t)n : 0;
}

static bool begin_verifying(EVP_MD_CTX *ctx, const struct algorithm *a, EVP_PKEY *pkey)
{
	EVP_PKEY_CTX *options = NULL;

	if (EVP_DigestVerifyInit(ctx, &options, a->digest ? EVP_sha256() : NULL, NULL, pkey) != 1)
		return false;
	if (a->type == KEY_RSA && EVP_PKEY_CTX_set_rsa_padding(options, a->padding) != 1)
		return false;
	return a->padding != RSA_PKCS1_PSS_PADDING || EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1;
}

static bool is_signed_by(const struct key *key, const struct algorithm *a, const char *data, size_t len, const uint8_t *signature,
			 size_t signature_len)
{
	uint8_t der[DER_SIGNATURE_MAX];
	EVP_MD_CTX *ctx;
	bool good;

	if (a->type == KEY_P256) {
		signature_len = to_der(signature, signature_len, der);
		signature = der;
	}
	ctx = must(EVP_MD_CTX_new());
	good = begin_verifying(ctx, a, key->pkey) &&
	       EVP_DigestVerify(ctx, signature, signature_len, (const unsigned char *)data, len) == 1;
	EVP_MD_CTX_free(ctx);
	ERR_clear_error();
	return good;
}

int jwks_verify(const struct jwks *s, const char *alg, const char *kid, const char *data, size_t len, const uint8_t *signature,
		size_t signature_len)
{
	const struct algorithm *a = find_algorithm(alg);
	int r = -ENOKEY;

	for (size_t i = 0; a && i < s->count; i++) {
		const struct key *key = &s->keys[i];

		if (key->type != a->type || (key->alg && strcmp(key->alg, alg) != 0) ||
		    (kid && (!key->kid || strcmp(key->kid, kid) != 0)))
			continue;
		if (is_signed_by(key, a, data, len, signature, signature_len))
			return 0;
		r = -EBADMSG;
	}
	return r;
}
