/* Addresses of HTTP servers, http:// and https://. Text only, without input or output. */
#pragma once

#include <stdbool.h>

#define HTTP_URL_HOST_SIZE 256

struct http_url {
	bool tls;
	char host[HTTP_URL_HOST_SIZE]; /* a name, or a numeric address without brackets */
	int port;
	const char *path; /* the path with its query and fragment; "/" for a URL that ends with its host or port */
};

/* False for other schemes, credentials, blanks and control characters. `ret->path` borrows from `url`. */
bool http_url_split(const char *url, struct http_url *ret);
/* Whether responses cannot be modified in transit: over TLS, or from this machine. */
bool http_url_is_safe(const struct http_url *u);
