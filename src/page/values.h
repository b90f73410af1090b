/*
 * Values of settings that pages may have (page/options.h), and what an engine must be able to do for them: for the operator's options and for
 * what clients give for one session.
 */
#pragma once

#include <stdbool.h>

struct arena;
struct json;
struct page_options;

bool locale_is_valid(const char *value);
bool timezone_is_valid(const char *value);
/* {latitude, longitude, accuracy}, of which the last one may be missing. */
bool place_is_valid(const struct json *value);
/* An object of names and texts, each of one line. */
bool texts_are_valid(const struct json *value);

/* [SCHEME://][USER[:PASSWORD]@]HOST[:PORT][/...]. Strings are in the arena. */
struct proxy_address {
	const char *server;              /* without the user, as engine_create_context() takes it */
	const char *username, *password; /* NULL: none */
};
bool proxy_address_is_valid(const char *value);
/* `value` is valid. */
void proxy_address_split(struct arena *a, const char *value, struct proxy_address *ret);

/* The features (engine/features.h) without which the engine cannot show pages so, as a union of bits. */
unsigned page_options_need(const struct page_options *o);
