/* The command line and the environment that Chromium is started with. */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "engine/find.h"

struct json;

/* Zeroed at first. */
struct arguments {
	struct arena arena;
	const char **items; /* NULL-terminated when they are built */
	size_t count, cap;
};

/* `o->connection` is decided: the port or the pipe. `profile`: the folder of the profile. */
void arguments_build(struct arguments *a, const struct engine_options *o, const struct engine_choice *choice, const char *profile);
/*
 * `variables`, or those of this process if that is NULL, but with the browser's own folder for temporary files; where its name is too
 * long for the browser, the folder is that of this process.
 */
void arguments_build_environment(struct arguments *env, const struct json *variables, const char *temporary);
void arguments_done(struct arguments *a);
