#include "loop/http_chunks.h"

#include <stdint.h>
#include <string.h>

#include "loop/http_head.h"

#define LINE_MAX_LEN 1024u /* a size with its extensions, a trailer */
#define TRAILERS_MAX 8192u /* all trailer fields together */

/* Sets `*ret` to the length of the line at `text` with its CRLF, 0 while it is incomplete. Returns an HTTP status on error. */
static int find_line(const char *text, size_t len, size_t *ret)
{
	const char *end = memchr(text, '\n', len < LINE_MAX_LEN ? len : LINE_MAX_LEN);

	*ret = end ? (size_t)(end - text) + 1 : 0;
	if ((end && (*ret < 2 || end[-1] != '\r')) || (!end && len >= LINE_MAX_LEN))
		return 400;
	for (size_t i = 0; *ret && i < *ret - 2; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\t') || text[i] == 0x7f)
			return 400;
	return 0;
}

/*
 * ---- the parts of a line: each function returns the end of the part, or NULL when it does not match. The CR at the end of
 * the line belongs to no part and stops every scan ----
 */

static const char *http_chunks_skip_blanks(const char *at)
{
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static const char *http_chunks_skip_token(const char *at)
{
	const char *end = at;

	while (http_is_token_char(*end))
		end++;
	return end > at ? end : NULL;
}

/* quoted-string of RFC 9110, section 5.6.4; control characters have been refused before. */
static const char *skip_quoted(const char *at)
{
	for (at++; *at != '"'; at++) {
		if (*at == '\\')
			at++;
		if (*at == '\r')
			return NULL;
	}
	return at + 1;
}

/* chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] ) */
static bool are_extensions(const char *at)
{
	while (at && *at != '\r') {
		at = http_chunks_skip_blanks(at);
		if (*at != ';')
			return false;
		at = http_chunks_skip_token(http_chunks_skip_blanks(at + 1));
		if (!at || *http_chunks_skip_blanks(at) != '=')
			continue;
		at = http_chunks_skip_blanks(http_chunks_skip_blanks(at) + 1);
		at = *at == '"' ? skip_quoted(at) : http_chunks_skip_token(at);
	}
	return at;
}

/* field-line = field-name ":" OWS field-value OWS */
static bool is_field(const char *at)
{
	at = http_chunks_skip_token(at);
	return at && *at == ':';
}

/* chunk-size = 1*HEXDIG; a number that overflows the type exceeds every limit of a body. */
static int read_size(struct http_chunks *c, const char *line)
{
	const char *at = line;
	size_t size = 0;
	bool fits = true;

	for (; hex_digit(*at) >= 0; at++) {
		fits &= size <= SIZE_MAX >> 8;
		size = size * 16 + (size_t)hex_digit(*at);
	}
	if (at == line || !are_extensions(at))
		return 400;
	c->left = size;
	c->state = size ? CHUNK_DATA : CHUNK_TRAILER;
	return fits ? 0 : 413;
}

static int http_chunks_read_line(struct http_chunks *c, const char *line, size_t len)
{
	switch (c->state) {
	case CHUNK_SIZE:
		return read_size(c, line);
	case CHUNK_END:
		c->state = CHUNK_SIZE;
		return len == 2 ? 0 : 400;
	default:
		c->trailers += len;
		if (len == 2)
			c->state = CHUNK_DONE;
		else if (!is_field(line))
			return 400;
		return c->trailers > TRAILERS_MAX ? 431 : 0;
	}
}

static size_t kept_bytes(const struct http_chunks *c)
{
	return c->discard ? 0 : c->length;
}

/* Reads the next element of the body. Returns the number of bytes it consumed, 0 while the element is incomplete. */
static int read_piece(struct http_chunks *c, char *body, const char *text, size_t len, size_t *ret_used)
{
	int status;

	if (c->state == CHUNK_DATA) {
		*ret_used = len < c->left ? len : c->left;
		if (!c->discard)
			memmove(body + c->length, text, *ret_used);
		c->length += *ret_used;
		c->left -= *ret_used;
		c->state = c->left ? CHUNK_DATA : CHUNK_END;
		return 0;
	}
	status = find_line(text, len, ret_used);
	return status || !*ret_used ? status : http_chunks_read_line(c, text, *ret_used);
}

int http_chunks_read(struct http_chunks *c, struct str *in, size_t max, const char **ret_error)
{
	size_t at = kept_bytes(c), used = 1;
	int status = 0;

	while (status == 0 && used > 0 && at < in->len && c->state != CHUNK_DONE) {
		status = read_piece(c, in->data, in->data + at, in->len - at, &used);
		at += used;
		if (status == 0 && c->left > max - c->length)
			status = 413;
	}
	*ret_error = status == 413 ? "the body is too long" :
		     status == 431 ? "the trailers are too long" :
				     "the chunks of the body are malformed";
	if (status || in->len == 0)
		return status;
	memmove(in->data + kept_bytes(c), in->data + at, in->len - at);
	in->len -= at - kept_bytes(c);
	in->data[in->len] = '\0';
	return 0;
}
