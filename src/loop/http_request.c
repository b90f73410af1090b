/* A handler's access to the request of an exchange. */
#include <stdio.h>
#include <string.h>

#include "loop/http_exchange.h"

const char *http_method(const struct http_exchange *x)
{
	return x->head.method;
}

const char *http_path(const struct http_exchange *x)
{
	return x->head.path;
}

bool http_query(const struct http_exchange *x, const char *name, char *buf, size_t size)
{
	size_t name_len = strlen(name), len;

	for (const char *p = x->head.query; *p; p += strspn(p, "&")) {
		len = strcspn(p, "&");
		if (len > name_len && !strncmp(p, name, name_len) && p[name_len] == '=' && len - name_len <= size) {
			snprintf(buf, size, "%.*s", (int)(len - name_len - 1), p + name_len + 1);
			return true;
		}
		p += len;
	}
	return false;
}

const char *http_field(const struct http_exchange *x, const char *name)
{
	return http_head_field(&x->head, name);
}

char *http_body(struct http_exchange *x, size_t *ret_len)
{
	*ret_len = x->head.content_length;
	return x->in.data;
}

const char *http_peer(const struct http_exchange *x)
{
	return x->peer;
}

void http_set_data(struct http_exchange *x, void *data)
{
	x->data = data;
}

void *http_data(const struct http_exchange *x)
{
	return x->data;
}

const char *http_user(const struct http_exchange *x)
{
	return x->user ? x->user->name : NULL;
}

unsigned http_rights(const struct http_exchange *x)
{
	return x->rights;
}

void http_set_trusted(struct http_exchange *x, bool trusted)
{
	x->trusted = trusted;
}
