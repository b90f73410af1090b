#include "vault/totp.h"

#include <ctype.h>
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "base/str.h"
#include "vault/private_file.h"

#define TOTP_SCHEME "otpauth://"
#define TOTP_TYPE "totp/"
#define PERIOD_MAX 3600

static int totp_refuse(const char **why, const char *words)
{
	*why = words;
	return -EINVAL;
}

static int base32_digit(char c)
{
	if (c >= '2' && c <= '7')
		return c - '2' + 26;
	c = (char)toupper((unsigned char)c);
	return c >= 'A' && c <= 'Z' ? c - 'A' : -1;
}

static bool ends_base32(const char *text)
{
	return text[strspn(text, "= ")] == '\0';
}

static int parse_base32(const char *text, struct totp *ret, const char **why)
{
	unsigned bits = 0, held = 0;

	ret->key_len = 0;
	for (; *text && *text != '='; text++) {
		int digit = base32_digit(*text);

		if (*text == ' ' || *text == '-')
			continue;
		if (digit < 0)
			return totp_refuse(why, "it has a character that base32 does not have (A to Z and 2 to 7)");
		if (ret->key_len == TOTP_KEY_MAX)
			return totp_refuse(why, "it has more than 128 bytes");
		held = (held << 5 | (unsigned)digit) & 0xfff;
		bits += 5;
		if (bits < 8)
			continue;
		bits -= 8;
		ret->key[ret->key_len++] = (uint8_t)(held >> bits);
	}
	if (!ends_base32(text))
		return totp_refuse(why, "it goes on behind its padding");
	return ret->key_len > 0 ? 0 : totp_refuse(why, "it is empty");
}

static int totp_parse_number(const char *text, unsigned min, unsigned max, unsigned *ret)
{
	unsigned long n = 0;

	if (!*text || strlen(text) > 4 || text[strspn(text, "0123456789")])
		return -EINVAL;
	n = strtoul(text, NULL, 10);
	if (n < min || n > max)
		return -EINVAL;
	*ret = (unsigned)n;
	return 0;
}

static int parse_hash(const char *text, enum totp_hash *ret)
{
	static const char *const names[] = { [TOTP_SHA1] = "SHA1", [TOTP_SHA256] = "SHA256", [TOTP_SHA512] = "SHA512" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(text, names[i]) == 0) {
			*ret = (enum totp_hash)i;
			return 0;
		}
	return -EINVAL;
}

static int take_parameter(const char *name, const char *value, struct totp *ret, const char **why)
{
	if (strcasecmp(name, "secret") == 0)
		return parse_base32(value, ret, why);
	if (strcasecmp(name, "algorithm") == 0 && parse_hash(value, &ret->hash) < 0)
		return totp_refuse(why, "its algorithm is not SHA1, SHA256 or SHA512");
	if (strcasecmp(name, "digits") == 0 && totp_parse_number(value, 6, TOTP_DIGITS_MAX, &ret->digits) < 0)
		return totp_refuse(why, "its digits are not 6, 7 or 8");
	if (strcasecmp(name, "period") == 0 && totp_parse_number(value, 1, PERIOD_MAX, &ret->period) < 0)
		return totp_refuse(why, "its period is not a number of seconds from 1 to 3600");
	return 0;
}

/* `query` is changed. */
static int parse_parameters(char *query, struct totp *ret, const char **why)
{
	char *rest = NULL;
	int r = 0;

	for (char *part = strtok_r(query, "&", &rest); part && r == 0; part = strtok_r(NULL, "&", &rest)) {
		_cleanup_(private_wipe) struct str value = {};
		char *sign = strchr(part, '=');

		if (!sign)
			continue;
		*sign = '\0';
		str_reserve(&value, strlen(sign + 1) + 1);
		str_append_percent_decoded(&value, sign + 1, strlen(sign + 1));
		r = take_parameter(part, str_text(&value), ret, why);
	}
	return r;
}

static int totp_parse_address(const char *text, struct totp *ret, const char **why)
{
	_cleanup_(private_wipe) struct str query = {};
	const char *at = text + strlen(TOTP_SCHEME), *mark;
	int r;

	if (strncasecmp(at, TOTP_TYPE, strlen(TOTP_TYPE)) != 0)
		return totp_refuse(why, "it is an otpauth address of another type than totp");
	mark = strchr(at, '?');
	str_reserve(&query, strlen(text) + 1);
	str_append_len(&query, mark ? mark + 1 : "", mark ? strcspn(mark + 1, "#") : 0);
	r = parse_parameters(query.data, ret, why);
	if (r == 0 && ret->key_len == 0)
		r = totp_refuse(why, "the otpauth address has no secret");
	return r;
}

int totp_parse(const char *text, struct totp *ret, const char **why)
{
	struct totp t = { .digits = 6, .period = 30 };
	int r = strncasecmp(text, TOTP_SCHEME, strlen(TOTP_SCHEME)) == 0 ? totp_parse_address(text, &t, why) :
									   parse_base32(text, &t, why);

	if (r == 0)
		*ret = t;
	totp_wipe(&t);
	return r;
}

static const EVP_MD *digest_of(enum totp_hash hash)
{
	return hash == TOTP_SHA512 ? EVP_sha512() : hash == TOTP_SHA256 ? EVP_sha256() : EVP_sha1();
}

/* RFC 4226, section 5.3: four bytes of the digest, from where its last one says, without the sign. */
static uint32_t truncate_digest(const uint8_t *digest, unsigned size)
{
	const uint8_t *at = digest + (digest[size - 1] & 0xf);

	return (uint32_t)(at[0] & 0x7f) << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void totp_code(const struct totp *t, uint64_t time, char ret[TOTP_DIGITS_MAX + 1])
{
	uint64_t count = time / t->period, divisor = 1;
	uint8_t counter[8], digest[EVP_MAX_MD_SIZE];
	unsigned size = 0;

	for (size_t i = sizeof(counter); i-- > 0; count >>= 8)
		counter[i] = (uint8_t)count;
	must(HMAC(digest_of(t->hash), t->key, (int)t->key_len, counter, sizeof(counter), digest, &size));
	for (unsigned i = 0; i < t->digits; i++)
		divisor *= 10;
	snprintf(ret, TOTP_DIGITS_MAX + 1, "%0*u", (int)t->digits, (unsigned)(truncate_digest(digest, size) % divisor));
	explicit_bzero(digest, sizeof(digest));
}

void totp_wipe(struct totp *t)
{
	explicit_bzero(t, sizeof(*t));
}
