/* The address of a state store: redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE], with rediss: over TLS. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

#define STORE_HOST_SIZE 256

struct store_address {
	bool tls;
	char host[STORE_HOST_SIZE]; /* a name, or a numeric address without brackets */
	int port;
	unsigned database;
	struct str user, password; /* empty: none */
};

/* False: it is no such address. `ret` is released by store_address_done() in any case. */
bool store_address_parse(const char *url, struct store_address *ret);
void store_address_done(struct store_address *a);
/* For messages: without user and password. */
void store_address_describe(const struct store_address *a, struct str *out);
