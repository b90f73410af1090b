/*
 * The keys of an issuer, kept fresh: from a file, or from an address that is asked in the background, which may be the one
 * that the issuer's metadata names. What was known stays in use while newer keys cannot be had.
 */
#pragma once

#include "auth/jwks.h"
#include "base/clock.h"
#include "base/str.h"
#include "loop/loop.h"

struct keyset;

/*
 * `source` is a path or an address (http://, https://); NULL: the issuer is asked. Both are borrowed. -EINVAL: `error` says
 * which option is wrong, and why. Keys are read again after each `period`.
 */
int keyset_new(struct loop *l, const char *issuer, const char *source, usec_t period, struct keyset **ret, struct str *error);
struct keyset *keyset_free(struct keyset *k);
DEFINE_FREEP(keyset);

const struct jwks *keyset_jwks(const struct keyset *k); /* until the next call of keyset_refresh(); NULL: none have come yet */
unsigned keyset_version(const struct keyset *k);        /* another one each time that keys have come */

enum keyset_news {
	KEYSET_SAME,   /* it was asked a moment ago: what is not there is nowhere */
	KEYSET_FRESH,  /* there may be new ones */
	KEYSET_COMING, /* it is being asked */
};

/* A token names a key that is not there. */
enum keyset_news keyset_refresh(struct keyset *k);
