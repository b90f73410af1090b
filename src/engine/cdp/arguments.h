/* The command line that Chromium is started with. */
#pragma once

#include "engine/arguments.h"
#include "engine/find.h"

/* `o->connection` is decided: the port or the pipe. `profile`: the folder of the profile. */
void arguments_build(struct arguments *a, const struct engine_options *o, const struct engine_choice *choice, const char *profile);
