#include "devserver/output.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"

void output_keep_end(struct str *s, const char *text, size_t len, size_t max)
{
	size_t excess;

	str_append_len(s, text, len);
	if (s->len <= max)
		return;
	excess = s->len - max;
	memmove(s->data, s->data + excess, s->len - excess + 1);
	s->len -= excess;
}

const char *output_last_lines(const char *text, unsigned lines)
{
	const char *p = text + strlen(text);

	if (p > text && p[-1] == '\n')
		p--;
	for (; p > text; p--)
		if (p[-1] == '\n' && --lines == 0)
			break;
	return p;
}

/* ECMA-48: ESC [ parameters letter; ESC ] ... BEL; other sequences are ESC and a letter. */
static const char *skip_escape(const char *p, const char *end)
{
	if (++p >= end)
		return end;
	if (*p == '[') {
		for (p++; p < end && (*p < '@' || *p > '~'); p++)
			;
	} else if (*p == ']') {
		for (p++; p < end && *p != '\a' && *p != '\n'; p++)
			;
	}
	return p < end ? p + 1 : end;
}

void output_plain(struct str *out, const char *text, size_t len)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		const char *escape = memchr(p, '\x1b', (size_t)(end - p));

		str_append_len(out, p, (size_t)((escape ? escape : end) - p));
		p = escape ? skip_escape(escape, end) : end;
	}
}

static size_t local_host_length(const char *p)
{
	static const char *const hosts[] = { "localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]" };

	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++)
		if (strncasecmp(p, hosts[i], strlen(hosts[i])) == 0)
			return strlen(hosts[i]);
	return 0;
}

/* Parses the rest of a URL; `p` points after "scheme://". */
static bool parse_address(const char *scheme, const char *p, struct output_address *ret)
{
	static const char *const any[] = { "0.0.0.0", "[::]" };
	size_t host = local_host_length(p), path;
	const char *name = p;
	char *end;
	long port;

	if (!host || p[host] != ':')
		return false;
	port = strtol(p + host + 1, &end, 10);
	if (end == p + host + 1 || port < 1 || port > 65535)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(any); i++)
		if (strncmp(p, any[i], strlen(any[i])) == 0)
			name = "localhost";
	path = *end == '/' ? strcspn(end, " \t\r\n\"'<>()[]{}|,;`") : 0;
	if (path == 1)
		path = 0;
	ret->port = (int)port;
	ret->socket = scheme[0] == 'w';
	return (size_t)snprintf(ret->url, sizeof(ret->url), "%s://%.*s:%ld%.*s", scheme, name == p ? (int)host : (int)strlen(name),
				name, port, (int)path, end) < sizeof(ret->url);
}

bool output_next_address(const char *text, size_t *at, struct output_address *ret)
{
	static const char *const schemes[] = { "http", "https", "ws", "wss" };
	const char *found;

	for (const char *p = text + *at; (found = strstr(p, "://")); p = found + 3) {
		*at = (size_t)(found + 3 - text);
		for (size_t i = 0; i < ARRAY_SIZE(schemes); i++) {
			size_t len = strlen(schemes[i]);

			if ((size_t)(found - text) < len || strncasecmp(found - len, schemes[i], len) != 0 ||
			    ((size_t)(found - text) > len && isalnum((unsigned char)found[-(ptrdiff_t)len - 1])))
				continue;
			if (parse_address(schemes[i], found + 3, ret))
				return true;
		}
	}
	return false;
}

/* The last number in the line that could be a port and is above 1. */
static int port_in_line(const char *line, size_t len)
{
	int port = 0;

	for (const char *p = line; p < line + len; p++) {
		char *end;
		long n;

		if (!isdigit((unsigned char)*p))
			continue;
		n = strtol(p, &end, 10);
		if (n >= 80 && n <= 65535 && end - p >= 2)
			port = (int)n;
		p = end - 1;
	}
	return port;
}

bool output_find_port_in_use(const char *text, int *ret_port)
{
	static const char *const phrases[] = { "EADDRINUSE", "ddress already in use", "lready in use",
					       "is in use",  "is already being used", "port is already allocated" };
	bool found = false;

	*ret_port = 0;
	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");

		for (size_t i = 0; i < ARRAY_SIZE(phrases); i++) {
			if (!memmem(line, len, phrases[i], strlen(phrases[i])))
				continue;
			found = true;
			if (port_in_line(line, len))
				*ret_port = port_in_line(line, len);
		}
		line += len + (line[len] == '\n');
	}
	return found;
}
