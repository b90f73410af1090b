/*
 * Limits on connections: the size of their buffers, of all buffers together, and their number. When a limit is exceeded, the
 * server drops connections of the client that holds the most memory, or untrusted ones.
 */
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "loop/http_exchange.h"
#include "loop/internal.h"

/* ---- reading ---- */

/*
 * Whether reading must pause: when input for the next request has arrived although the client has unread responses, or when the
 * buffer holds the current body and a maximum head.
 */
static bool is_full(const struct http_exchange *x)
{
	if (x->state == STATE_CLOSING)
		return false;
	if (x->state == STATE_HEAD && x->in.len > 0 && exchange_has_unread(x))
		return true;
	return x->in.len > x->head.content_length + x->server->limits->head + READ_SIZE;
}

static void control_flow(struct http_exchange *x)
{
	bool full = is_full(x);

	if (full == x->paused)
		return;
	x->paused = full;
	lws_rx_flow_control(x->wsi, !full);
}

/* ---- the memory of all connections ---- */

/* All untrusted connections count as one client, because their users are unknown. */
static bool same_client(const struct http_exchange *a, const struct http_exchange *b)
{
	if (!a->trusted || !b->trusted)
		return a->trusted == b->trusted;
	return a == b || (a->user && b->user && !strcmp(a->user, b->user));
}

static size_t held_by_client(const struct http_exchange *x)
{
	const struct http_exchange *other;
	size_t held = 0;

	TAILQ_FOREACH(other, &x->server->exchanges, link)
		if (same_client(x, other))
			held += other->held;
	return held;
}

/* The largest connection of the client that holds the most. */
static struct http_exchange *find_largest(const struct http_server *s)
{
	struct http_exchange *x, *largest = NULL;
	size_t most = 0;

	TAILQ_FOREACH(x, &s->exchanges, link) {
		size_t held = x->held ? held_by_client(x) : 0;

		if (held > most || (held == most && largest && x->held > largest->held)) {
			most = held;
			largest = x;
		}
	}
	return largest;
}

static void enforce_limit(struct http_server *s)
{
	while (s->held > LIMIT_HTTP_HELD) {
		struct http_exchange *x = find_largest(s);

		log_warning("HTTP connections buffer %zu bytes: dropping the largest one, of %s, with %zu", s->held, x->peer,
			    x->held);
		exchange_drop(x);
	}
}

void exchange_account(struct http_exchange *x)
{
	size_t held = x->in.len + x->out.len - x->sent;

	if (x->dropped)
		return;
	x->server->held += held - x->held;
	x->held = held;
	control_flow(x);
	enforce_limit(x->server);
}

/* ---- the number of connections ---- */

bool exchange_evict(struct http_server *s)
{
	struct http_exchange *x;

	TAILQ_FOREACH(x, &s->exchanges, link)
		if (!x->trusted && !x->dropped && x->state != STATE_ANSWERING && x->state != STATE_STREAMING) {
			exchange_drop(x);
			return true;
		}
	return false;
}
