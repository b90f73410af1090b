/*
 * The keys of an issuer, refreshed in the background: from a file, or from a URL, which may be the one that the issuer's
 * metadata names. When a refresh fails, the previous keys stay in use.
 */
#pragma once

#include "auth/jwks.h"
#include "base/clock.h"
#include "base/str.h"
#include "loop/loop.h"

struct keyset;

struct keyset_options {
	const char *issuer; /* URL */
	const char *source; /* path or URL (http://, https://) of the keys; NULL: the URL that the issuer's metadata names */
	usec_t period;      /* after which the keys are refreshed */
	struct {
		const char *issuer, *source;
	} names; /* what messages call the settings */
};

/* `options` must outlive the result. -EINVAL: `error` names the wrong setting and the reason. */
int keyset_new(struct loop *l, const struct keyset_options *options, struct keyset **ret, struct str *error);
struct keyset *keyset_free(struct keyset *k);
DEFINE_FREEP(keyset);

/* The current keys, NULL before the first fetch. Borrowed until keyset_refresh() is called or control returns to the loop. */
const struct jwks *keyset_jwks(const struct keyset *k);
unsigned keyset_version(const struct keyset *k); /* increases each time keys are loaded */

enum keyset_refreshed {
	KEYSET_UNCHANGED, /* the keys were refreshed recently: an unknown key does not exist */
	KEYSET_RELOADED,  /* this call has read the keys again */
	KEYSET_FETCHING,  /* a fetch is in progress */
};

/* To be called when a token names an unknown key. */
enum keyset_refreshed keyset_refresh(struct keyset *k);
