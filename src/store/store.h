/*
 * The state store: texts by their keys in a Redis or Valkey that the nodes of a fleet share. A process has one connection to it, which is
 * made when it is first used and again when it was lost; commands of all tasks are sent at once and answered in their order.
 *
 * All functions suspend, for LIMIT_STORE_TIME at most. They fail with -ERR_STORE_UNAVAILABLE and a text if the store cannot be reached,
 * refuses the command, or was lost before it answered: what only reads, and what has the same effect twice, is sent once more then; of
 * everything else it is not known whether it was done. Keys and values are texts without NUL, values of LIMIT_STORE_VALUE bytes at most
 * (-ERR_INVALID_PARAMETERS). Callers take care that keys of one owner cannot be those of another, and begin them with STORE_PREFIX.
 *
 * Times to live are in seconds; 0: for ever.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "base/str.h"
#include "loop/task.h"

#define STORE_PREFIX "browserd:"
/* What ids and names may consist of that stand in keys as they are. */
#define STORE_NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"

/* Borrowed, and constant while the store exists. */
struct store_options {
	const char *url;         /* store/address.h; NULL: there is no store */
	const char *password;    /* replaces the one in `url`; NULL: none */
	const char *authorities; /* a PEM file of those that are trusted with TLS; NULL: those of the system */
	unsigned ttl;            /* of saved states: seconds */
};

struct store;

/* Whether this build has one. */
bool store_is_built(void);
bool store_address_is_valid(const char *url);

struct store *store_new(struct loop *l, const struct store_options *o);
/* No task may be waiting for it. */
struct store *store_free(struct store *s);
DEFINE_FREEP(store);
/* For messages: the address without user and password. */
const char *store_address(const struct store *s);

/* Appends a name as a part of a key: what it consists of besides letters, digits, - and _ is escaped, so that it contains no colon. */
void store_append_part(struct str *out, const char *text);

int store_ping(struct task *t, struct store *s);

/* 1: `ret` has got the value; 0: there is none. */
int store_get(struct task *t, struct store *s, const char *key, struct str *ret);
/* As store_get(), and removes the value; of several callers one gets it. */
int store_take(struct task *t, struct store *s, const char *key, struct str *ret);
int store_set(struct task *t, struct store *s, const char *key, const char *value, size_t len, unsigned ttl);
/* 1: it was removed; 0: there is none. */
int store_delete(struct task *t, struct store *s, const char *key);
/* Changes the time to live. 1; 0: there is no such key. */
int store_expire(struct task *t, struct store *s, const char *key, unsigned ttl);

/* ---- indexes: names with a text each, under one key ---- */

struct store_entry {
	const char *name, *text; /* in the task's arena */
};

int store_index_set(struct task *t, struct store *s, const char *key, const char *name, const char *text);
/* 1: it was removed; 0: there is none. */
int store_index_remove(struct task *t, struct store *s, const char *key, const char *name);
/* All of it in the task's arena, in no order. The number of entries. */
int store_index_read(struct task *t, struct store *s, const char *key, struct store_entry **ret);
