/* What becomes of a connection: its user, what it holds, and the end of a response and of itself. */
#include "loop/http_exchange.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "loop/internal.h"

#define IDLE_TIMEOUT (120 * USEC_PER_SEC) /* between two requests */
/* For untrusted connections: between two requests, and for the rest of a refused request's body. */
#define UNTRUSTED_TIMEOUT (10 * USEC_PER_SEC)

bool exchange_has_unread(const struct http_exchange *x)
{
	return x->sent < x->out.len || lws_partial_buffered(x->wsi);
}

/* ---- whose memory the buffers are ---- */

static int http_exchange_compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct http_user *http_exchange_find_or_add(struct http_server *s, const char *name)
{
	char *const *found = tfind(name, &s->users, http_exchange_compare_names);
	struct http_user *u;

	if (found)
		return CONTAINER_OF(*found, struct http_user, name);
	u = must(calloc(1, sizeof(*u) + strlen(name) + 1));
	strcpy(u->name, name);
	must(tsearch(u->name, &s->users, http_exchange_compare_names));
	return u;
}

static void http_exchange_leave(struct http_exchange *x)
{
	struct http_user *u = TAKE_PTR(x->user);

	if (!u)
		return;
	u->held -= x->held;
	if (--u->connections > 0)
		return;
	tdelete(u->name, &x->server->users, http_exchange_compare_names);
	free(u);
}

void exchange_set_user(struct http_exchange *x, const char *name)
{
	http_exchange_leave(x);
	if (!name)
		return;
	x->user = http_exchange_find_or_add(x->server, name);
	x->user->held += x->held;
	x->user->connections++;
}

void exchange_cut_input(struct http_exchange *x, size_t len)
{
	if (len == 0)
		return;
	memmove(x->in.data, x->in.data + len, x->in.len - len);
	x->in.len -= len;
	x->in.data[x->in.len] = '\0';
	if (x->in.len == 0 && x->in.cap > EXCHANGE_KEEP_SIZE)
		str_done(&x->in);
}

void exchange_set_held(struct http_exchange *x, size_t held)
{
	x->server->held += held - x->held;
	if (x->user)
		x->user->held += held - x->held;
	x->held = held;
}

void http_set_user(struct http_exchange *x, const char *user, unsigned rights)
{
	exchange_set_user(x, user);
	x->rights = rights;
}

/* ---- the end ---- */

/* Frees the connection's buffers and its slot at the server. */
void exchange_release(struct http_exchange *x)
{
	if (x->dropped)
		return;
	x->dropped = true;
	x->server->count--;
	exchange_set_held(x, 0);
	str_done(&x->out);
	x->sent = 0;
}

/* libwebsockets calls connection_closed() later. The input is kept until then, because a handler may be using it. */
void exchange_drop(struct http_exchange *x)
{
	if (!x->wsi || x->dropped)
		return;
	exchange_release(x);
	lws_set_timeout(x->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

void exchange_set_timeout(struct http_exchange *x, usec_t after)
{
	timer_set(x->timer, after == USEC_NEVER ? USEC_NEVER : clock_now() + after);
}

/* Lingering close: closing a socket with unread input would send a reset, and the client could lose the response. */
void exchange_begin_closing(struct http_exchange *x)
{
	x->state = STATE_CLOSING;
	if (!x->advancing) /* otherwise http_advance() frees it, because the handler may still use the body */
		str_done(&x->in);
	exchange_set_timeout(x, BODY_TIMEOUT);
	lws_callback_on_writable(x->wsi);
}

static usec_t client_timeout(const struct http_exchange *x, usec_t trusted)
{
	return x->trusted ? trusted : MIN(trusted, UNTRUSTED_TIMEOUT);
}

/* The response is complete: prepares for the next request or closes the connection. */
void exchange_complete(struct http_exchange *x)
{
	x->data = NULL;
	x->answered = false;
	http_set_user(x, NULL, 0);
	free(TAKE_PTR(x->head_text));
	if (x->close || x->server->stopped) {
		exchange_begin_closing(x);
		return;
	}
	x->state = STATE_HEAD;
	exchange_set_timeout(x, client_timeout(x, IDLE_TIMEOUT));
	if (!x->advancing)
		loop_ready(x->server->loop, &x->write_ready);
}

/* A response may be complete before the request's body; the body is then skipped first. */
void exchange_answered(struct http_exchange *x)
{
	if (x->state == STATE_BODY) {
		x->answered = true;
		x->chunks.discard = true;
		exchange_set_timeout(x, client_timeout(x, BODY_TIMEOUT));
		return;
	}
	exchange_complete(x);
}
