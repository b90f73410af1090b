/* Finding programs of browsers, for engine_find() of each engine. Looks at files, PATH and other variables only. */
#pragma once

#include <stdbool.h>

#include "engine/find.h"

/* Text as printf() writes it, owned by the caller. */
char *programs_format(const char *fmt, ...) _printf_(1, 2);
/* Whether it is a file that this user may run. */
bool programs_can_run(const char *path);
/* The absolute path of `name` on PATH or in `folders` (NULL-terminated), owned by the caller; NULL: there is none. */
char *programs_search(const char *name, const char *const *folders);
/*
 * Takes the program that `options->executable` names. `family` is what messages call the browser. Fails as engine_find() does.
 */
int programs_choose_named(const struct engine_options *options, const char *family, const char *const *folders,
			  struct engine_choice *choice, struct str *error);
/* Where the program is a wrapper script that runs another one without `exec`, makes that one the program. */
void programs_skip_wrapper(struct engine_choice *choice);
/* A window is wanted and can be shown, or none is. Else -ENODEV with a text in `error`. */
int programs_check_display(const struct engine_options *options, struct str *error);
/* Whether this text of /etc/os-release describes the system of that name, or one that is like it. */
bool programs_is_system(const char *os_release, const char *system);
/* Appends the text of /etc/os-release; nothing when it cannot be read. */
void programs_read_system(struct str *os_release);
