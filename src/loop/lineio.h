/*
 * Lines over two descriptors: a newline ends each message, in both directions. Meant for stdin and stdout, works on
 * pipes, sockets, terminals, regular files and /dev/null.
 *
 * The descriptors stay the caller's and must be two different numbers. They may block or not; nothing here does,
 * except lineio_flush() and writing to a regular file. A descriptor that is set to non-blocking is set back by
 * lineio_free(). SIGPIPE must be ignored.
 *
 * Callbacks run from the loop, never from lineio_new() or lineio_send(). They may send; only `ended` may free.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"
#include "loop/loop.h"

struct lineio;

enum lineio_end {
	LINEIO_INPUT_ENDED, /* end of input; what is sent still reaches the client */
	LINEIO_OUTPUT_GONE, /* nobody reads the output any more, or not fast enough: it is dropped from now on */
};

struct lineio_handler {
	/*
	 * One line without its newline, NUL-terminated; empty lines are left out, and what follows the last newline
	 * is a line, too. `text` may be changed in place and lives until the callback returns.
	 */
	void (*line)(char *text, size_t len, void *data);
	/* A line longer than LIMIT_LINE is being skipped: once for each such line, when that is found. */
	void (*oversize)(void *data);
	/* At most once for each kind, no line follows the first. `reason` is for a person. */
	void (*ended)(enum lineio_end end, const char *reason, void *data);
};

/* `handler` must outlive the transport. Negative errno when a descriptor cannot be used. */
int lineio_new(struct loop *l, int in, int out, const struct lineio_handler *handler, void *data, struct lineio **ret);
/* Queues one line; the newline is added. Lines are written whole and in order. More than LIMIT_STDOUT_PENDING bytes
 * waiting means a client that does not read: LINEIO_OUTPUT_GONE. */
void lineio_send(struct lineio *s, const char *text, size_t len);
/* For the end of the process: blocks until all is written, at most `timeout_msec`. False: some was not. */
bool lineio_flush(struct lineio *s, int timeout_msec);
struct lineio *lineio_free(struct lineio *s);
DEFINE_FREEP(lineio);
