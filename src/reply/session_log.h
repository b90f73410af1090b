/*
 * The log of the calls of a session: session-TIME/session.md in the directory of automatic files, TIME in Unix milliseconds. Each
 * call that was answered is appended with its arguments and the sections of its answer as JSON, in the form of the reference.
 */
#pragma once

#include <stdint.h>

#include "base/str.h"
#include "loop/task.h"
#include "reply/output.h"

/* The directory of the log that begins now, on stderr. Returns the time that is part of its name; 0: it cannot be made. */
int64_t session_log_begin(struct task *t, const struct file_access *files);
/* `arguments` and `answer` are JSON objects. A log that cannot be written is a warning, and the call succeeds. */
void session_log_append(struct task *t, const struct file_access *files, int64_t began, const char *tool, const char *arguments,
			const char *answer);
/* What it appends. */
void session_log_print(struct str *out, const char *tool, const char *arguments, const char *answer);
