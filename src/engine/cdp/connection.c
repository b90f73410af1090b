/* Connecting to a browser: `loop/dial` reaches its port, where /json/version says what the address does not, and cdp.c opens the WebSocket. */
#include "engine/connection.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/cdp/cdp.h"
#include "engine/cdp/endpoint.h"
#include "loop/dial.h"
#include "loop/fetch.h"

struct engine_connection {
	struct loop *loop;
	const struct endpoint *endpoint;
	const struct engine_connection_handler *handler;
	void *data;
	struct dial *dial;
	struct fetch *lookup;
	char address[DIAL_ADDRESS_SIZE]; /* the one that answered */
	struct str path;                 /* of the request that comes next, with the query */
	struct cdp *cdp;                 /* NULL: the WebSocket has not been asked for yet */
};

static struct request request_of(const struct engine_connection *c)
{
	const struct endpoint *e = c->endpoint;

	return (struct request){
		.host = e->host,
		.port = e->port,
		.tls = e->tls,
		.path = c->path.data,
		.fields = str_text(&e->fields),
	};
}

static void connection_opened(void *data)
{
	struct engine_connection *c = data;

	c->handler->open(cdp_root(c->cdp), c->data);
}

static void connection_ended(const char *reason, void *data)
{
	struct engine_connection *c = data;

	c->handler->closed(reason, c->data);
}

static const struct cdp_handler cdp_handler = { .open = connection_opened, .closed = connection_ended };

static void on_websocket_dialled(const struct dial_result *result, void *data)
{
	struct engine_connection *c = data;
	const struct request request = request_of(c);

	if (result->fd < 0)
		connection_ended(result->failure, c);
	else if (cdp_connect(c->loop, result->fd, &request, &cdp_handler, c, &c->cdp) < 0)
		connection_ended("the connection cannot be watched", c);
}

static void on_version(struct str *body, const char *failure, void *data)
{
	struct engine_connection *c = data;

	if (failure) {
		connection_ended(failure, c);
		return;
	}
	if (!endpoint_read_version(body->data, body->len, &c->path)) {
		connection_ended("what listens there is no Chromium's debugging port", c);
		return;
	}
	dial_free(c->dial);
	c->dial = dial_new(c->loop, c->address, c->endpoint->port, on_websocket_dialled, c);
}

static void on_port_dialled(const struct dial_result *result, void *data)
{
	struct engine_connection *c = data;
	const struct request request = request_of(c);

	if (result->fd < 0) {
		connection_ended(result->failure, c);
		return;
	}
	snprintf(c->address, sizeof(c->address), "%s", result->address);
	c->lookup = fetch_new(c->loop, result->fd, &request, on_version, c);
}

struct engine_connection *engine_connect(struct loop *l, const struct endpoint *e, const struct engine_connection_handler *handler,
					 void *data)
{
	struct engine_connection *c = NEW(struct engine_connection);

	*c = (struct engine_connection){ .loop = l, .endpoint = e, .handler = handler, .data = data };
	str_append(&c->path, e->path.data);
	c->dial = dial_new(l, e->host, e->port, e->websocket ? on_websocket_dialled : on_port_dialled, c);
	return c;
}

const struct refusal *engine_refusal(const struct engine_connection *c)
{
	static const struct refusal none;
	const struct refusal *r = c->cdp ? cdp_refusal(c->cdp) : c->lookup ? fetch_refusal(c->lookup) : NULL;

	return r ? r : &none;
}

struct engine_connection *engine_disconnect(struct engine_connection *c)
{
	if (!c)
		return NULL;
	dial_free(c->dial);
	fetch_free(c->lookup);
	cdp_free(c->cdp);
	str_done(&c->path);
	free(c);
	return NULL;
}
