#include "browser/connection.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

#define SHARED_MAX 3 /* browsers in a row that are ended because another process has connected to their ports */

static void use_pipe(struct connection *c, const char *reason)
{
	str_set(&c->pipe_reason, reason);
}

static int prepare_port(struct connection *c, struct loop *l, const struct browser_options *o,
			const struct debugging_port_handler *handler, void *data, struct str *error)
{
	const char *obstacle = debugging_port_obstacle(l, o);
	int r = obstacle ? -ENOTSUP : debugging_port_new(l, handler, data, &c->port);
	bool is_known = c->pipe_reason.len; /* from an earlier start */

	if (r == 0)
		return 0;
	use_pipe(c, obstacle ? obstacle : strerror(-r));
	if (o->connection == CONNECTION_PORT) {
		str_appendf(error, "Failed to launch the browser: its debugging port cannot be made private (%s port): %s",
			    o->names.connection, c->pipe_reason.data);
		return -ENOTSUP;
	}
	if (!is_known) /* with a profile on disk as always */
		log_write(o->user_data_dir ? LOG_INFO : LOG_NOTICE,
			  "talking to the browser through a pipe instead of its debugging port: %s", c->pipe_reason.data);
	return 0;
}

int connection_choose(struct connection *c, struct loop *l, struct browser_options *o, const struct debugging_port_handler *handler,
		      void *data, struct str *error)
{
	int r = 0;

	if (o->connection != CONNECTION_PIPE && !c->pipe_only)
		r = prepare_port(c, l, o, handler, data, error);
	o->connection = c->port ? CONNECTION_PORT : CONNECTION_PIPE;
	return r;
}

bool connection_may_retry(struct connection *c, const struct browser_options *o, bool shared, const char *reason, struct str *error)
{
	bool last = !shared || ++c->shared >= SHARED_MAX;

	if (last && o->connection == CONNECTION_PORT) {
		str_appendf(error, "Failed to launch the browser: its debugging port is not private (%s port): %s",
			    o->names.connection, reason);
		return false;
	}
	log_warning("ended a browser that was starting, because its debugging port is not private: %s; the next one uses %s",
		    reason, last ? "a pipe" : "another port");
	if (last)
		use_pipe(c, reason);
	c->pipe_only = last;
	return true;
}

const char *connection_name(const struct connection *c)
{
	return c->port ? "debugging port (--remote-debugging-port)" : "debugging pipe (descriptors 3 and 4)";
}

void connection_release(struct connection *c)
{
	c->port = debugging_port_free(c->port);
}

void connection_done(struct connection *c)
{
	connection_release(c);
	str_done(&c->pipe_reason);
}
