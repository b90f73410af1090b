/*
 * A set of names, for lists that a page and a client can both make long: n names are looked up in m in (n + m) log m instead of n m steps.
 * The names are borrowed. Names are added first, then sorted, then looked up.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct names {
	const char **items;
	size_t count, room;
	int (*compare)(const char *a, const char *b); /* strcmp() or strcasecmp() */
};

void names_done(struct names *n);
void names_add(struct names *n, const char *name);
void names_sort(struct names *n);
bool names_have(const struct names *n, const char *name);
/* Whether a name is there more than once. */
bool names_repeat(const struct names *n);
