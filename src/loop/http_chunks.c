#include "loop/http_chunks.h"

#include <string.h>

#define LINE_MAX_LEN 1024u /* a size with its extensions, a trailer */
#define TRAILERS_MAX 8192u /* all of them */
#define SIZE_DIGITS 8u

/* Length of the line at `text` with its end; 0 while it is not whole. A status when it never will be. */
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

static int hex_value(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static int read_size(struct http_chunks *c, const char *line)
{
	size_t size = 0, digits = 0;

	for (; digits < SIZE_DIGITS && hex_value(line[digits]) >= 0; digits++)
		size = size * 16 + (size_t)hex_value(line[digits]);
	if (!digits || !strchr("\r; \t", line[digits]))
		return digits == SIZE_DIGITS && hex_value(line[digits]) >= 0 ? 413 : 400;
	c->left = size;
	c->state = size ? CHUNK_DATA : CHUNK_TRAILER;
	return 0;
}

static int read_line(struct http_chunks *c, const char *line, size_t len)
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
		return c->trailers > TRAILERS_MAX ? 431 : 0;
	}
}

/* The next piece of `len` bytes; how many of them were used up, 0: it is not whole. */
static int read_piece(struct http_chunks *c, char *body, const char *text, size_t len, size_t *ret_used)
{
	int status;

	if (c->state == CHUNK_DATA) {
		*ret_used = len < c->left ? len : c->left;
		memmove(body + c->length, text, *ret_used);
		c->length += *ret_used;
		c->left -= *ret_used;
		c->state = c->left ? CHUNK_DATA : CHUNK_END;
		return 0;
	}
	status = find_line(text, len, ret_used);
	return status || !*ret_used ? status : read_line(c, text, *ret_used);
}

int http_chunks_read(struct http_chunks *c, struct str *in, size_t max, const char **ret_error)
{
	size_t at = c->length, used = 1;
	int status = 0;

	while (status == 0 && used > 0 && at < in->len && c->state != CHUNK_DONE) {
		status = read_piece(c, in->data, in->data + at, in->len - at, &used);
		at += used;
		if (status == 0 && c->length + c->left > max)
			status = 413;
	}
	*ret_error = status == 413 ? "the body is longer than --http-max-body allows" :
		     status == 431 ? "the trailers are too long" : "the chunks of the body are malformed";
	if (status || in->len == 0)
		return status;
	memmove(in->data + c->length, in->data + at, in->len - at);
	in->len -= at - c->length;
	in->data[in->len] = '\0';
	return 0;
}
