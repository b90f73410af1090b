/*
 * The name of a session in what is kept for people, and in the messages between a viewer and its page: "OWNER/ID", because sessions of two
 * owners may have the same id. A tsearch() tree with session_key_compare() finds what begins with such a key.
 */
#pragma once

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/session.h"

struct session_key {
	uint64_t owner;
	char session[SESSION_ID_SIZE]; /* "": none */
};

static inline int session_key_compare(const void *a, const void *b)
{
	const struct session_key *x = a, *y = b;

	return x->owner != y->owner ? (x->owner > y->owner) - (x->owner < y->owner) : strcmp(x->session, y->session);
}

static inline struct session_key session_key(uint64_t owner, const char *session)
{
	struct session_key key = { .owner = owner };

	snprintf(key.session, sizeof(key.session), "%s", session);
	return key;
}

static inline struct session_key session_key_of(const struct session *s)
{
	return session_key(session_owner(s), session_id(s));
}

#define SESSION_KEY_TEXT_SIZE (SESSION_ID_SIZE + 24)
static inline void session_key_print(const struct session_key *key, char ret[SESSION_KEY_TEXT_SIZE])
{
	snprintf(ret, SESSION_KEY_TEXT_SIZE, "%" PRIu64 "/%s", key->owner, key->session);
}

/* What session_key_print() has written. False: it is no key. Whether there is such a session, and whether the viewer may see it, is not checked. */
static inline bool session_key_parse(const char *text, struct session_key *ret)
{
	char *end = NULL;
	uint64_t owner = text && *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;

	if (!end || *end != '/' || !end[1] || strlen(end + 1) > LIMIT_SESSION_NAME)
		return false;
	*ret = session_key(owner, end + 1);
	return true;
}
