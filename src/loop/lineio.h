/*
 * Newline-terminated messages in both directions over two descriptors. Intended for stdin and stdout; works with pipes,
 * sockets, terminals, regular files and /dev/null.
 *
 * The caller owns the descriptors, which must be two different numbers. Only lineio_flush() and writing to a regular file
 * block. A descriptor that was blocking is made non-blocking until lineio_free() restores it. SIGPIPE must be ignored.
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
	LINEIO_INPUT_ENDED, /* end of input; output still reaches the client */
	LINEIO_OUTPUT_GONE, /* the reader closed the output or is too slow; output is dropped from now on */
};

struct lineio_handler {
	/*
	 * One line without its newline, NUL-terminated. Empty lines are skipped; an unterminated last line is delivered as well.
	 * `text` may be changed in place and is valid until the callback returns.
	 */
	void (*line)(char *text, size_t len, void *data);
	/* A line is longer than LIMIT_LINE and is skipped; called once for each such line. */
	void (*oversize)(void *data);
	/* At most once for each kind; no line follows the first call. `reason` is readable text. */
	void (*ended)(enum lineio_end end, const char *reason, void *data);
};

/* `handler` must outlive the transport. Negative errno when a descriptor cannot be used. */
int lineio_new(struct loop *l, int in, int out, const struct lineio_handler *handler, void *data, struct lineio **ret);
/*
 * Queues one line and adds the newline. Lines are written whole and in order. When more than LIMIT_STDOUT_PENDING bytes are
 * queued, the client does not read: LINEIO_OUTPUT_GONE.
 */
void lineio_send(struct lineio *s, const char *text, size_t len);
/* For process exit: blocks until all output is written, for at most `timeout_msec`. False when some was not. */
bool lineio_flush(struct lineio *s, int timeout_msec);
struct lineio *lineio_free(struct lineio *s);
DEFINE_FREEP(lineio);
