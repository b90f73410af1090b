/*
 * Limits on connections: the size of their buffers, of all buffers together, and their number. When a limit is exceeded, the
 * server drops connections of the client that holds the most memory, or untrusted ones.
 */
#include "base/limits.h"
#include "base/log.h"
#include "loop/http_exchange.h"
#include "loop/internal.h"

/* ---- reading ---- */

/*
 * Whether reading must pause: when input for the next request has arrived although the client has unread responses, or when the
 * buffer holds the current body and a maximum head.
 */
static bool http_memory_is_full(const struct http_exchange *x)
{
	if (x->state == STATE_CLOSING)
		return false;
	if (x->state == STATE_SOCKET)
		return x->in.len > SOCKET_INPUT_MAX;
	if (x->state == STATE_HEAD && x->in.len > 0 && exchange_has_unread(x))
		return true;
	return x->in.len > x->head.content_length + x->server->limits->head + READ_SIZE;
}

static void control_flow(struct http_exchange *x)
{
	bool full = http_memory_is_full(x);

	if (full == x->paused)
		return;
	x->paused = full;
	lws_rx_flow_control(x->wsi, !full);
}

/* ---- the memory of all connections ---- */

static size_t held_by_untrusted(const struct http_server *s)
{
	const struct http_exchange *x;
	size_t held = 0;

	TAILQ_FOREACH(x, &s->exchanges, link)
		held += x->trusted ? 0 : x->held;
	return held;
}

/* All untrusted connections count as one client, because their users are unknown. */
struct http_exchange *exchange_largest(const struct http_server *s)
{
	size_t most = 0, untrusted = held_by_untrusted(s);
	struct http_exchange *x, *largest = NULL;

	TAILQ_FOREACH(x, &s->exchanges, link) {
		size_t held = !x->held ? 0 : !x->trusted ? untrusted : x->user ? x->user->held : x->held;

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
		struct http_exchange *x = exchange_largest(s);

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
	exchange_set_held(x, held);
	control_flow(x);
	enforce_limit(x->server);
}

/* ---- the number of connections ---- */

static bool exchange_in_use(const struct http_exchange *x)
{
	return x->state == STATE_ANSWERING || x->state == STATE_STREAMING || x->state == STATE_SOCKET;
}

bool exchange_evict(struct http_server *s)
{
	struct http_exchange *x;

	TAILQ_FOREACH(x, &s->exchanges, link)
		if (!x->trusted && !x->dropped && !exchange_in_use(x)) {
			exchange_drop(x);
			return true;
		}
	return false;
}
