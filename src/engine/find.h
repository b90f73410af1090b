/*
 * Which browser would be started, and why; and whether its sandbox can work here.
 *
 * Looks at files, PATH and the kernel's settings only: no browser runs, nothing suspends (the test for user
 * namespaces forks a child that ends at once).
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "engine/options.h"

struct engine_choice {
	char *program;           /* what to run, absolute path */
	char *wrapper;           /* the shell script that was found and stands for `program`; NULL when there is none */
	const char *name;        /* for people: "Chromium headless shell" */
	bool headless_shell;     /* is always headless and can show no window */
	char *reason;            /* why this one, a half sentence */
	bool no_sandbox;         /* start it without its sandbox */
	char *no_sandbox_reason; /* why so, or why not, a half sentence */
	char *sandbox_warning; /* why the sandbox, which is required, will not work, and what to do, a sentence; NULL: it will, or is not */
};

/*
 * Fills `ret`, to be released by engine_choice_done(). Failure: -ENOENT (nothing suitable is installed), -EACCES
 * (the named file cannot be run), -ENODEV (a window is wanted and there is no display); `error` gets what was looked for, where, and what to do.
 */
int engine_find(const struct engine_options *options, struct engine_choice *ret, struct str *error);
void engine_choice_done(struct engine_choice *choice);

/*
 * The command that installs the browser (of several Chromiums, one that anybody may have) on the system that this text of /etc/os-release
 * describes, for work with or without windows.
 */
const char *engine_installer(const char *os_release, const struct engine_options *options);
