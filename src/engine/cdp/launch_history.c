#include "engine/cdp/launch_history.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "loop/private_port.h"

#define SHARED_MAX 3 /* browsers in a row that are ended because another process has connected to their ports */

static void use_pipe(struct launch_history *h, const char *reason)
{
	str_set(&h->pipe_reason, reason);
}

const char *launch_port_obstacle(struct loop *l, const struct engine_options *o)
{
	if (o->user_data_dir)
		return "its profile stays on disk, so that it has data from the start";
	return private_port_obstacle(l);
}

static int prepare_port(struct launch_history *h, struct loop *l, const struct engine_options *o,
			const struct debugging_port_handler *handler, void *data, struct str *error, struct debugging_port **ret)
{
	const char *obstacle = launch_port_obstacle(l, o);
	int r = obstacle ? -ENOTSUP : debugging_port_new(l, handler, data, ret);
	bool is_known = h->pipe_reason.len; /* from an earlier start */

	if (r == 0)
		return 0;
	use_pipe(h, obstacle ? obstacle : strerror(-r));
	if (o->connection == CONNECTION_PORT) {
		str_appendf(error, "Failed to launch the browser: its debugging port cannot be made private (%s port): %s",
			    o->names.connection, h->pipe_reason.data);
		return -ENOTSUP;
	}
	if (!is_known) /* with a profile on disk as always */
		log_write(o->user_data_dir ? LOG_INFO : LOG_NOTICE,
			  "talking to the browser through a pipe instead of its debugging port: %s", h->pipe_reason.data);
	return 0;
}

int launch_choose_connection(struct launch_history *h, struct loop *l, struct engine_options *o,
			     const struct debugging_port_handler *handler, void *data, struct str *error,
			     struct debugging_port **ret)
{
	int r = 0;

	*ret = NULL;
	if (o->connection != CONNECTION_PIPE && !h->pipe_only)
		r = prepare_port(h, l, o, handler, data, error, ret);
	o->connection = *ret ? CONNECTION_PORT : CONNECTION_PIPE;
	return r;
}

bool launch_may_retry(struct launch_history *h, const struct engine_options *o, bool shared, const char *reason, struct str *error)
{
	bool last = !shared || ++h->shared >= SHARED_MAX;

	if (last && o->connection == CONNECTION_PORT) {
		str_appendf(error, "Failed to launch the browser: its debugging port is not private (%s port): %s",
			    o->names.connection, reason);
		return false;
	}
	log_warning("ended a browser that was starting, because its debugging port is not private: %s; the next one uses %s",
		    reason, last ? "a pipe" : "another port");
	if (last)
		use_pipe(h, reason);
	h->pipe_only = last;
	return true;
}
