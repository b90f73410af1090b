#include "base/base64.h"

#include <errno.h>
#include <string.h>

/* The value of a base64 digit. `signs` holds digits 62 and 63 of the alphabet. */
static int sextet(char c, const char *signs)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == signs[0])
		return 62;
	return c == signs[1] ? 63 : -1;
}

/* `ret_left` gets the trailing bits that do not fill a byte. */
static ptrdiff_t base64_decode_signs(const char *text, size_t len, const char *signs, uint8_t *out, uint32_t *ret_left)
{
	uint32_t bits = 0;
	unsigned count = 0;
	uint8_t *start = out;

	for (size_t i = 0; i < len; i++) {
		int value = sextet(text[i], signs);

		if (value < 0)
			return -EINVAL;
		bits = bits << 6 | (uint32_t)value;
		count += 6;
		if (count >= 8) {
			count -= 8;
			*out++ = (uint8_t)(bits >> count);
		}
	}
	*ret_left = bits & ((1u << count) - 1);
	return out - start;
}

ptrdiff_t base64_decode(const char *text, size_t len, uint8_t *out)
{
	const char *padding = memchr(text, '=', len);

	return base64_decode_signs(text, padding ? (size_t)(padding - text) : len, "+/", out, &(uint32_t){ 0 });
}

ptrdiff_t base64url_decode(const char *text, size_t len, uint8_t *out)
{
	uint32_t left = 0;
	ptrdiff_t size = len % 4 == 1 ? -EINVAL : base64_decode_signs(text, len, "-_", out, &left);

	return left == 0 ? size : -EINVAL;
}

void base64_encode(struct str *out, const uint8_t *data, size_t len)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	str_reserve(out, (len + 2) / 3 * 4);
	for (size_t i = 0; i < len; i += 3) {
		uint32_t bits =
			(uint32_t)data[i] << 16 | (i + 1 < len ? (uint32_t)data[i + 1] << 8 : 0) | (i + 2 < len ? data[i + 2] : 0);

		str_append_char(out, alphabet[bits >> 18]);
		str_append_char(out, alphabet[bits >> 12 & 63]);
		str_append_char(out, i + 1 < len ? alphabet[bits >> 6 & 63] : '=');
		str_append_char(out, i + 2 < len ? alphabet[bits & 63] : '=');
	}
}
