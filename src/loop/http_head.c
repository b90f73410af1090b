#include "loop/http_head.h"

#include <string.h>
#include <strings.h>

#include "base/macros.h"

#define CONTENT_LENGTH_DIGITS 15 /* more digits exceed every limit */

size_t http_head_length(const char *text, size_t len)
{
	const char *end = memmem(text, len, "\r\n\r\n", 4);

	return end ? (size_t)(end - text) + 4 : 0;
}

static const bool token_table[256] = {
	['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['!'] = true, ['#'] = true, ['$'] = true,
	['%'] = true,         ['&'] = true,         ['\''] = true,        ['*'] = true, ['+'] = true, ['-'] = true,
	['.'] = true,         ['^'] = true,         ['_'] = true,         ['`'] = true, ['|'] = true, ['~'] = true,
};

bool http_is_token_char(char c)
{
	return token_table[(unsigned char)c];
}

static bool http_head_is_token(const char *text)
{
	const char *end = text;

	while (http_is_token_char(*end))
		end++;
	return end > text && !*end;
}

/* Returns the line at `*at` and advances; NULL at the end. The CR and LF of the line become NULs. */
static char *take_line(char **at)
{
	char *line = *at, *end = strstr(line, "\r\n");

	if (!end || end == line)
		return NULL;
	end[0] = end[1] = '\0';
	*at = end + 2;
	return line;
}

static bool has_controls(const char *text)
{
	for (; *text; text++)
		if (((unsigned char)*text < ' ' && *text != '\t') || *text == 0x7f)
			return true;
	return false;
}

static char *http_head_cut(char *text, char separator)
{
	char *end = text ? strchr(text, separator) : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	return end + 1;
}

static int parse_request_line(char *line, struct http_head *ret, const char **ret_error)
{
	char *target = http_head_cut(line, ' '), *version = http_head_cut(target, ' '), *query;

	*ret_error = "the request line is malformed";
	if (!version || !http_head_is_token(line) || target[0] != '/' || has_controls(target) || has_controls(version))
		return 400;
	if (strcmp(version, "HTTP/1.1") != 0 && strcmp(version, "HTTP/1.0") != 0) {
		*ret_error = "unsupported HTTP version: use HTTP/1.1 or HTTP/1.0";
		return strncmp(version, "HTTP/", 5) ? 400 : 505;
	}
	query = http_head_cut(target, '?');
	ret->method = line;
	ret->path = target;
	ret->query = query ? query : "";
	ret->http_1_0 = version[7] == '0';
	ret->close = ret->http_1_0;
	return 0;
}

static char *http_head_trim(char *text)
{
	char *end;

	text += strspn(text, " \t");
	end = text + strlen(text);
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return text;
}

static int add_field(char *line, struct http_head *ret, const char **ret_error)
{
	char *value = http_head_cut(line, ':');

	*ret_error = "a header field is malformed";
	if (!value || !http_head_is_token(line) || has_controls(value))
		return 400;
	*ret_error = "too many header fields";
	if (ret->count >= ARRAY_SIZE(ret->fields))
		return 431;
	for (char *c = line; *c; c++)
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
	ret->fields[ret->count++] = (struct http_field){ line, http_head_trim(value) };
	return 0;
}

static unsigned count_fields(const struct http_head *h, const char *name)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->count; i++)
		n += strcmp(h->fields[i].name, name) == 0;
	return n;
}

static int http_head_read_length(struct http_head *h, const char **ret_error)
{
	const char *length = http_head_field(h, "content-length");
	size_t digits = length ? strspn(length, "0123456789") : 0;

	*ret_error = "Content-Length is malformed";
	if (count_fields(h, "content-length") > 1 || (length && (!digits || length[digits] || (h->chunked && length))))
		return 400;
	if (digits > CONTENT_LENGTH_DIGITS) {
		*ret_error = "the body is too large";
		return 413;
	}
	for (size_t i = 0; i < digits; i++)
		h->content_length = h->content_length * 10 + (size_t)(length[i] - '0');
	return 0;
}

bool http_head_lists(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (list && *list) {
		list += strspn(list, " \t,");
		if (!strncasecmp(list, word, len) && (!list[len] || strchr(" \t,", list[len])))
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

static int read_framing(struct http_head *h, const char **ret_error)
{
	const char *connection = http_head_field(h, "connection"), *expect = http_head_field(h, "expect");
	const char *coding = http_head_field(h, "transfer-encoding");

	*ret_error = "exactly one Host field is required";
	if (count_fields(h, "host") > 1 || (!h->http_1_0 && !http_head_field(h, "host")))
		return 400;
	h->chunked = coding;
	*ret_error = "unsupported Transfer-Encoding: only chunked is supported, in HTTP/1.1";
	if (coding && (h->http_1_0 || count_fields(h, "transfer-encoding") > 1))
		return 400;
	if (coding && strcasecmp(coding, "chunked") != 0)
		return 501;
	h->close = http_head_lists(connection, "close") || (h->http_1_0 && !http_head_lists(connection, "keep-alive"));
	h->expects_continue = expect && !strcasecmp(expect, "100-continue") && !h->http_1_0;
	return http_head_read_length(h, ret_error);
}

int http_head_parse(char *text, size_t len, struct http_head *ret, const char **ret_error)
{
	char *at = text, *line;
	int status;

	*ret = (struct http_head){};
	*ret_error = "the head contains a NUL or is truncated";
	if (memchr(text, '\0', len) || len < 4 || memcmp(text + len - 4, "\r\n\r\n", 4) != 0)
		return 400;
	text[len - 2] = '\0'; /* keeps the CRLF of the last header line */
	line = take_line(&at);
	status = line ? parse_request_line(line, ret, ret_error) : 400;
	while (status == 0 && (line = take_line(&at)))
		status = add_field(line, ret, ret_error);
	return status ? status : read_framing(ret, ret_error);
}

const char *http_head_field(const struct http_head *h, const char *name)
{
	for (unsigned i = 0; i < h->count; i++)
		if (!strcasecmp(h->fields[i].name, name))
			return h->fields[i].value;
	return NULL;
}
