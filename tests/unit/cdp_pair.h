/* A connection to a browser whose end the test holds. */
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "engine/cdp/cdp.h"
#include "loop/loop.h"
#include "run_queued.h"

static inline void cdp_pair_opened(void *data)
{
}

static inline void cdp_pair_closed(const char *reason, void *data)
{
}

/* For tests that do not ask what becomes of the connection. */
static const struct cdp_handler cdp_pair_ignored = { .open = cdp_pair_opened, .closed = cdp_pair_closed };

/* Makes a loop and the connection; returns the browser's end of it. */
static inline int cdp_pair(struct loop **ret_loop, const struct cdp_handler *handler, void *data, struct cdp **ret)
{
	int fds[2];

	log_set_level(LOG_EMERGENCY);
	assert_int_equal(loop_new(ret_loop), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
	assert_int_equal(cdp_attach(*ret_loop, fds[0], handler, data, ret), 0);
	return fds[1];
}

/* Frees both, and closes the browser's end. */
static inline void cdp_pair_end(struct loop *loop, struct cdp *c, int peer)
{
	cdp_free(c);
	run_queued(loop);
	loop_free(loop);
	close(peer);
}
