#include "base/base64.h"

#include <errno.h>

static int sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : -1;
}

ptrdiff_t base64_decode(const char *text, size_t len, uint8_t *out)
{
	uint32_t bits = 0;
	unsigned count = 0;
	uint8_t *start = out;

	for (size_t i = 0; i < len && text[i] != '='; i++) {
		int value = sextet(text[i]);

		if (value < 0)
			return -EINVAL;
		bits = bits << 6 | (uint32_t)value;
		count += 6;
		if (count >= 8) {
			count -= 8;
			*out++ = (uint8_t)(bits >> count);
		}
	}
	return out - start;
}

ptrdiff_t base64url_decode(const char *text, size_t len, uint8_t *out)
{
	uint32_t bits = 0;
	unsigned count = 0;
	uint8_t *start = out;

	if (len % 4 == 1)
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		int value = text[i] == '-' ? 62 : text[i] == '_' ? 63 : text[i] == '+' || text[i] == '/' ? -1 : sextet(text[i]);

		if (value < 0)
			return -EINVAL;
		bits = bits << 6 | (uint32_t)value;
		count += 6;
		if (count >= 8) {
			count -= 8;
			*out++ = (uint8_t)(bits >> count);
		}
	}
	return (bits & ((1u << count) - 1)) == 0 ? out - start : -EINVAL;
}

void base64_encode(struct str *out, const uint8_t *data, size_t len)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	str_reserve(out, (len + 2) / 3 * 4);
	for (size_t i = 0; i < len; i += 3) {
		uint32_t bits = (uint32_t)data[i] << 16 | (i + 1 < len ? (uint32_t)data[i + 1] << 8 : 0) |
				(i + 2 < len ? data[i + 2] : 0);

		str_append_char(out, alphabet[bits >> 18]);
		str_append_char(out, alphabet[bits >> 12 & 63]);
		str_append_char(out, i + 1 < len ? alphabet[bits >> 6 & 63] : '=');
		str_append_char(out, i + 2 < len ? alphabet[bits & 63] : '=');
	}
}
