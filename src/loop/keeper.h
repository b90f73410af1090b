/* The process between browserd and a program that it starts, for process.c: see process.h. */
#pragma once

#include "base/macros.h"
#include "loop/process.h"

/* What the keeper inherits, moved to low numbers so that everything else can be closed at once. */
enum keeper_fd { FD_NULL, FD_OUTPUT, FD_STDERR, FD_CONTROL, FD_STATUS, FD_LOCK, FD_OTHER_LOCK, FD_CHANNEL, FD_END };

struct keeper_message {
	int status; /* of the program */
	bool final; /* nothing is left; otherwise the program alone has ended */
};

/* Has `from` started `pid`, directly or not? */
bool process_descends(pid_t pid, pid_t from);
/* In the fork. FD_STATUS gets messages. */
_noreturn_ void keeper_main(const struct process_plan *plan);
