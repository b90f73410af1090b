/*
 * One-time codes that change with the time (TOTP): RFC 6238, on RFC 4226. The key is given as it is shown beside a QR code, in base32 (RFC 4648, section
 * 6), or as the address in that code: otpauth://totp/LABEL?secret=BASE32&algorithm=SHA1&digits=6&period=30.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define TOTP_KEY_MAX 128
#define TOTP_DIGITS_MAX 8

enum totp_hash { TOTP_SHA1, TOTP_SHA256, TOTP_SHA512 };

struct totp {
	uint8_t key[TOTP_KEY_MAX];
	size_t key_len;
	enum totp_hash hash;
	unsigned digits; /* 6 to 8 */
	unsigned period; /* seconds, 1 to 3600 */
};

/*
 * Base32 in any case, with or without padding, blanks and hyphens; or such an address, of which LABEL and other parameters have no effect.
 * -EINVAL, with what is wrong in `*why`, which has no part of the text. The caller wipes `ret` (totp_wipe()).
 */
int totp_parse(const char *text, struct totp *ret, const char **why);
/* The code at this time, in seconds since 1970. */
void totp_code(const struct totp *t, uint64_t time, char ret[TOTP_DIGITS_MAX + 1]);
void totp_wipe(struct totp *t);
