/*
 * What it takes to connect to a browser that this process has not started: its address, the connection, and the
 * directories that files go through.
 */
#pragma once

#include <stdbool.h>

#include "base/failure.h"
#include "base/str.h"
#include "engine/connection.h"
#include "loop/loop.h"

/* Zeroed: there is no such browser. Released by attached_done(). */
struct attached {
	struct endpoint endpoint;
	struct engine_connection *connection; /* also one that is being made; NULL: none */
	struct scratch *scratch;              /* for files that the browser saves and reads */
	struct str downloads, uploads;        /* directories in it */
	bool may_pass;                        /* what the last attempt failed for may be over soon, or after `retry_after` */
	usec_t retry_after;
};

/* `fields`: header fields, NULL-terminated; NULL: none. The options have checked both. */
void attached_init(struct attached *a, const char *address, const char *const *fields);
void attached_done(struct attached *a);
/* Begins an attempt. Negative with the reason in `failure`: it cannot be made. */
int attached_connect(struct attached *a, struct loop *l, const struct engine_connection_handler *handler, void *data,
		     struct failure *failure);
/* Ends the connection, and removes the directories. */
void attached_release(struct attached *a);
/*
 * The connection has ended, or an attempt has failed. Appends what the server answered in place of a browser, or else `reason`, and notes
 * whether another attempt may succeed.
 */
void attached_explain(struct attached *a, const char *reason, struct str *out);
