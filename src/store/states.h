/*
 * Named states of owners: texts that an owner saves and finds again, also later and on another server. They are in the state store
 * (store/store.h), or encrypted in a folder of this machine. This is all that tools know of where they are.
 *
 * `owner` is a name that lasts (mcp_conn_owner_name()). NULL: owners without one, who share their states. Functions with a task suspend.
 * They fail as those of store.h do, and in a folder with -ERR_STATE_UNUSABLE: the disk, permissions, the key, or a changed file, as the text says.
 */
#pragma once

#include "store/store.h"
#include "vault/key.h"

#define STATE_NAME_ALLOWED "1 to 64 letters, digits, dots, - and _"

struct states;
/* In the store, for `ttl` seconds. */
struct states *states_new(struct store *store, unsigned ttl);

/* Borrowed, and constant while the states are used. */
struct state_folder {
	const char *path;              /* absolute; made when it is first needed */
	struct vault_key_settings key; /* made likewise */
	const char *unnamed; /* the folder in PATH/states of owners without a name, letters alone; one that others cannot have */
};
/* In the folder, until they are deleted. */
struct states *states_in_folder(const struct state_folder *folder);
struct states *states_free(_nullable_ struct states *s);
DEFINE_FREEP(states);

bool state_name_is_valid(const char *name);

/* What is kept beside a state. */
struct state_facts {
	const char *name;
	int64_t saved_at, expires_at; /* Unix milliseconds; `expires_at` 0: it stays until it is deleted */
	size_t size;                  /* bytes */
	unsigned cookies, origins;    /* in it */
	const char *site;             /* the origin of the page that it was saved on; "": none */
	const char *problem;          /* only listed: why the others are not known; NULL: none */
};

/*
 * Replaces the state of that name; name, cookies, origins and site of `facts` are given, and the rest is filled in.
 * -ERR_INVALID_PARAMETERS: the owner has LIMIT_STATES_COUNT of them, or in a folder LIMIT_STATES_BYTES.
 */
int states_save(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text, size_t len);
/* 1: `ret` has got the state; 0: there is none of that name. */
int states_load(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret);
/* The states of the owner in the task's arena, sorted by name. Returns their number. */
int states_list(struct task *t, struct states *s, const char *owner, struct state_facts **ret);
/* 1: it was removed; 0: there is none of that name. */
int states_delete(struct task *t, struct states *s, const char *owner, const char *name);
