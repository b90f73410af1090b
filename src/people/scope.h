/*
 * What one person may see and do in the live view. It is decided once, when the person logs in or opens a link; all that the view shows
 * and does asks here, and nothing else compares owners.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "session/session.h"

struct scope {
	uint64_t owner;                /* whose sessions */
	bool everyone;                 /* those of all owners, and `owner` is 0: the person is the operator */
	char session[SESSION_ID_SIZE]; /* this one alone; "": all of them */
	bool act;                      /* may take over, and change */
	uint64_t person;               /* a number of its own for each login, which stays through a person's connections */
};

/* Whether the person may see the session with that owner and id. */
bool scope_sees(const struct scope *s, uint64_t owner, const char *id);
bool scope_may_act(const struct scope *s, uint64_t owner, const char *id);
/* Iterates over the sessions that the person sees, as registry_next_of_all() does, and valid as long. */
const struct session *scope_next(const struct scope *s, const struct registry *r, const struct session *after, uint64_t *ret_owner);
/* The owner of the session with this id. False: there is none that the person sees. */
bool scope_find(const struct scope *s, const struct registry *r, const char *id, uint64_t *ret_owner);
