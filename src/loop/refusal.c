#include "loop/refusal.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "loop/http_chunks.h"
#include "loop/request.h"

#define RAW_MAX 1024u        /* bytes of a text whose beginning is kept: chunks have more of them */
#define RETRY_AFTER_MAX 3600 /* seconds */

/* A whole number of `max` at most; what is none is 0: Retry-After may also be a date, which needs the clocks of both sides to agree. */
static size_t refusal_read_number(const char *digits, size_t len, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (digits[i] < '0' || digits[i] > '9')
			return 0;
		n = MIN(n * 10 + (size_t)(digits[i] - '0'), max);
	}
	return n;
}

/* Blanks in a row, line breaks among them, become one; other characters that are not visible ASCII become '?'. */
static void append_printable(struct refusal *r, const char *text, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < len && at < REFUSAL_TEXT_MAX; i++) {
		bool blank = text[i] && strchr(" \t\r\n", text[i]);

		if (blank && (at == 0 || r->text[at - 1] == ' '))
			continue;
		r->text[at++] = blank ? ' ' : text[i] > ' ' && text[i] <= '~' ? text[i] : '?';
	}
	while (at > 0 && r->text[at - 1] == ' ')
		at--;
	r->text[at] = '\0';
}

/* Returns whether the text is whole. */
static bool read_chunks(const char *body, size_t len, struct refusal *ret)
{
	_cleanup_(str_done) struct str text = {};
	struct http_chunks chunks = {};
	const char *error;
	int status;

	str_append_len(&text, body, len);
	status = http_chunks_read(&chunks, &text, RAW_MAX, &error);
	append_printable(ret, str_text(&text), chunks.length);
	return status || chunks.state == CHUNK_DONE;
}

bool refusal_read(const char *answer, size_t len, struct refusal *ret)
{
	const char *end = memmem(answer, len, "\r\n\r\n", 4), *body = end + 4, *value;
	size_t have = MIN(len - (size_t)(body - answer), (size_t)RAW_MAX), expected = SIZE_MAX, value_len = 0;

	*ret = (struct refusal){ .status = response_status(answer) };
	value = response_field(answer, end + 2, "retry-after", &value_len);
	ret->retry_after = value ? (unsigned)refusal_read_number(value, value_len, RETRY_AFTER_MAX) : 0;
	value = response_field(answer, end + 2, "transfer-encoding", &value_len);
	if (value && value_len == 7 && strncasecmp(value, "chunked", 7) == 0)
		return read_chunks(body, have, ret) || have == RAW_MAX;
	value = response_field(answer, end + 2, "content-length", &value_len);
	if (value)
		expected = refusal_read_number(value, value_len, RAW_MAX);
	append_printable(ret, body, MIN(have, expected));
	return have >= MIN(expected, (size_t)RAW_MAX) || ret->text[REFUSAL_TEXT_MAX - 1];
}
