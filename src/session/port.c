/* The debugging ports of other browsers: which may be observed, and the connections to them. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "loop/listener.h"
#include "session/observation_internal.h"

#define DEFAULT_HOST "127.0.0.1"
#define DEFAULT_PORT 9222

struct observed_browser *port_browser(struct port *p)
{
	return p->browser;
}

void port_leave(struct port *p)
{
	if (--p->refs > 0)
		return;
	LIST_REMOVE(p, link);
	observed_browser_free(p->browser);
	free(p);
}

struct port *port_ref(struct port *p)
{
	p->refs++;
	return p;
}

static struct port *find_port(struct observers *o, const char *host, int port)
{
	struct port *p;

	LIST_FOREACH(p, &o->ports, link)
		if (observed_browser_port(p->browser) == port && strcmp(observed_browser_host(p->browser), host) == 0)
			return port_ref(p);
	p = NEW(struct port);
	p->refs = 1;
	p->browser = observed_browser_new(o->loop, host, port);
	LIST_INSERT_HEAD(&o->ports, p, link);
	return p;
}

static int refuse_host(struct task *t, const struct observers_options *options, const char *host, int r)
{
	if (r == -EACCES)
		return task_fail(t, -ERR_SECURITY_BLOCKED,
				 "host is not a loopback address: %.100s; other addresses need "
				 "%s, and 0.0.0.0 is never allowed",
				 host, options->names.any_address);
	return task_fail(t, -ERR_INVALID_PARAMETERS,
			 "host is neither an IP address nor localhost: \"%.100s\"; debugging "
			 "ports accept no other host names",
			 host);
}

/* The numeric address and port of the browser that the options name. False: they name none. */
static bool listed_address(const struct observers_options *options, char ret[DEBUGGING_HOST_SIZE], int *ret_port)
{
	*ret_port = options->port ? options->port : DEFAULT_PORT;
	return (options->host || options->port) &&
	       debugging_host(options->host ? options->host : DEFAULT_HOST, !options->any_address, ret) == 0;
}

/*
 * Through browserd, clients over HTTP reach ports of the server's own network, and those of a server that lends tabs the port of the person's
 * browser, so the operator decides which.
 */
static int check_listed(struct task *t, const struct observers_options *options, const char *address, int port)
{
	char listed[DEBUGGING_HOST_SIZE];
	int listed_port;

	if (!options->listed_only)
		return 0;
	if (!listed_address(options, listed, &listed_port))
		return task_fail(t, -ERR_SECURITY_BLOCKED,
				 "other browsers can be observed only if the server was started with "
				 "%s or %s; leave host and port out to observe pages of sessions",
				 options->names.host, options->names.port);
	if (strcmp(address, listed) != 0 || port != listed_port)
		return task_fail(t, -ERR_SECURITY_BLOCKED,
				 "%s port %d is not the browser that %s and %s name; "
				 "leave host and port out to observe that browser",
				 address, port, options->names.host, options->names.port);
	return 0;
}

int observers_port(struct task *t, struct observers *o, const char *host, int port, struct port **ret)
{
	char address[DEBUGGING_HOST_SIZE];
	int r;

	if (!host && !port && !o->options->host && !o->options->port) {
		*ret = NULL;
		return 0;
	}
	host = host ? host : o->options->host ? o->options->host : DEFAULT_HOST;
	port = port ? port : o->options->port ? o->options->port : DEFAULT_PORT;
	r = debugging_host(host, !o->options->any_address, address);
	if (r < 0)
		return refuse_host(t, o->options, host, r);
	r = check_listed(t, o->options, address, port);
	if (r < 0)
		return r;
	if (listener_is_own(address, port))
		return task_fail(t, -ERR_SECURITY_BLOCKED,
				 "port %d is a port of browserd itself; give the debugging port of a browser", port);
	*ret = find_port(o, address, port);
	return 0;
}
