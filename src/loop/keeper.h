/* The process between browserd and a program that it starts, for process.c: see process.h. */
#pragma once

#include "base/macros.h"
#include "loop/process.h"

/* Descriptors that the keeper inherits, moved to the lowest numbers so that all others can be closed in one call. */
enum keeper_fd { FD_NULL, FD_OUTPUT, FD_STDERR, FD_CONTROL, FD_STATUS, FD_LOCK, FD_OTHER_LOCK, FD_CHANNEL, FD_END };

struct keeper_message {
	int status; /* of the program */
	bool final; /* all processes have ended; otherwise only the program has */
};

/* Whether `pid` is a descendant of `from`. */
bool process_descends(pid_t pid, pid_t from);
/* Runs the keeper in the forked process. It writes keeper_messages to FD_STATUS. */
_noreturn_ void keeper_main(const struct process_plan *plan);
