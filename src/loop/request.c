#include "loop/request.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool has_host(const char *fields)
{
	return strncasecmp(fields, "host:", 5) == 0 || strcasestr(fields, "\nhost:");
}

void request_append(struct str *out, const struct request *r)
{
	const char *fields = r->fields ? r->fields : "";
	bool v6 = strchr(r->host, ':');

	str_appendf(out, "GET %s HTTP/1.1\r\n", r->path);
	if (!has_host(fields))
		str_appendf(out, "Host: %s%s%s:%d\r\n", v6 ? "[" : "", r->host, v6 ? "]" : "", r->port);
	str_append(out, fields);
}

const char *response_field(const char *lines, const char *end, const char *name, size_t *ret_len)
{
	size_t name_len = strlen(name);

	for (const char *eol; (eol = memmem(lines, (size_t)(end - lines), "\r\n", 2)); lines = eol + 2) {
		const char *value = lines + name_len + 1;

		if (value > eol || strncasecmp(lines, name, name_len) != 0 || lines[name_len] != ':')
			continue;
		while (value < eol && (*value == ' ' || *value == '\t'))
			value++;
		while (eol > value && (eol[-1] == ' ' || eol[-1] == '\t'))
			eol--;
		*ret_len = (size_t)(eol - value);
		return value;
	}
	return NULL;
}

unsigned response_status(const char *text)
{
	unsigned status;

	return sscanf(text, "HTTP/1.%*1[01] %3u", &status) == 1 ? status : 0;
}
