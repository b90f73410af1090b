/* Lists of texts for exec(): command lines and environments of browsers. */
#pragma once

#include <stddef.h>

#include "base/arena.h"

struct json;

/* Zeroed at first; released by arguments_done(). */
struct arguments {
	struct arena arena;
	const char **items; /* NULL-terminated when they are built */
	size_t count, cap;
};

/* Adds `arg`, which is borrowed, or in the arena; NULL ends the list. */
void arguments_add(struct arguments *a, const char *arg);
/*
 * `variables`, or those of this process if that is NULL, but with the browser's own folder for temporary files; where its name is too
 * long for the browser, the folder is that of this process.
 */
void arguments_build_environment(struct arguments *env, const struct json *variables, const char *temporary);
/* Gives a variable of a built environment this value, which is copied, in place of another one. */
void arguments_set_variable(struct arguments *env, const char *name, const char *value);
/* Its value in a built environment; NULL: it is not set. */
const char *arguments_variable(const struct arguments *env, const char *name);
void arguments_done(struct arguments *a);
