/*
 * Named states of owners: texts that an owner saves and finds again, also on another server. This is all that tools know of where states
 * are; that is the state store, and could be something else.
 *
 * `owner` is a name that lasts (mcp_conn_owner_name()). NULL: owners without one, who share their states. Functions with a task suspend,
 * and fail as those of store.h do.
 */
#pragma once

#include "store/store.h"

#define STATE_NAME_ALLOWED "1 to 64 letters, digits, dots, - and _"

struct states;
struct states *states_new(struct store *store, unsigned ttl);
struct states *states_free(_nullable_ struct states *s);
DEFINE_FREEP(states);

bool state_name_is_valid(const char *name);

/* What is kept beside a state. */
struct state_facts {
	const char *name;
	int64_t saved_at, expires_at; /* Unix milliseconds */
	size_t size;                  /* bytes */
	unsigned cookies, origins;    /* in it */
	const char *site;             /* the origin of the page that it was saved on; "": none */
};

/*
 * Replaces the state of that name; name, cookies, origins and site of `facts` are given, and the rest is filled in.
 * -ERR_INVALID_PARAMETERS: the owner has LIMIT_STATES_COUNT of them.
 */
int states_save(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text, size_t len);
/* 1: `ret` has got the state; 0: there is none of that name. */
int states_load(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret);
/* The states of the owner in the task's arena, sorted by name. Returns their number. */
int states_list(struct task *t, struct states *s, const char *owner, struct state_facts **ret);
/* 1: it was removed; 0: there is none of that name. */
int states_delete(struct task *t, struct states *s, const char *owner, const char *name);
