/*
 * Who may ask what. A page in a browser on this machine can send requests here: the Origin field tells where it is from,
 * and the Host field gives away a name that was pointed at this machine to look like the page's own server.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/host.h"
#include "base/limits.h"
#include "mcp/http_parts.h"

#define MINUTE (60 * USEC_PER_SEC)

void http_refuse(struct http_exchange *x, int status, int code, const char *fmt, ...)
{
	_cleanup_(str_done) struct str message = {}, out = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&message, fmt, ap);
	va_end(ap);
	rpc_write_error(&out, NULL, code, NULL, str_text(&message));
	http_answer(x, status, TYPE_JSON, out.data, out.len);
}

/* ---- names ---- */

/* The host of "host", "host:port", "[address]" or "[address]:port", without its brackets. */
static bool split_host(const char *text, size_t len, const char **ret_host, size_t *ret_len)
{
	const char *end = text + len, *port;

	if (len > 0 && text[0] == '[') {
		const char *close = memchr(text, ']', len);

		if (!close)
			return false;
		*ret_host = text + 1;
		*ret_len = (size_t)(close - text - 1);
		port = close + 1;
	} else {
		const char *colon = memchr(text, ':', len);

		port = colon ? colon : end;
		*ret_host = text;
		*ret_len = (size_t)(port - text);
	}
	if (port < end && (*port != ':' || strspn(port + 1, "0123456789") < (size_t)(end - port - 1)))
		return false;
	return *ret_len > 0;
}

static bool is_name(const char *host, size_t len, const char *name)
{
	return len == strlen(name) && !strncasecmp(host, name, len);
}

/* Whether a comma-separated list of names has the host, with its port or without, or the whole that it was part of. */
static bool list_allows(const char *list, const char *text, size_t len, const char *host, size_t host_len, const char *whole)
{
	while (*list) {
		size_t n = strcspn(list, ", ");
		_cleanup_(freep) char *entry = must(strndup(list, n));

		if (n > 0 && (!strcmp(entry, "*") || !strcasecmp(entry, whole) || is_name(text, len, entry) ||
			      is_name(host, host_len, entry)))
			return true;
		list += n;
		list += strspn(list, ", ");
	}
	return false;
}

/* `text` is a host with or without a port, `whole` what it is part of. */
static bool is_allowed(const struct mcp_http *h, const char *text, size_t len, const char *whole)
{
	const char *host = "";
	size_t host_len = 0;

	if (split_host(text, len, &host, &host_len) && (host_is_loopback(host, host_len) || is_name(host, host_len, h->options->host)))
		return true;
	for (const char *const *entry = h->options->allowed_hosts; entry && *entry; entry++)
		if (list_allows(*entry, text, len, host, host_len, whole))
			return true;
	return false;
}

/* A web origin is scheme://host[:port] and nothing behind it. */
static bool is_allowed_origin(const struct mcp_http *h, const char *origin)
{
	const char *host = !strncasecmp(origin, "http://", 7) ? origin + 7 : !strncasecmp(origin, "https://", 8) ? origin + 8 : "";

	return is_allowed(h, host, strlen(host), origin);
}

bool guard_names(const struct mcp_http *h, struct http_exchange *x)
{
	const char *host = http_field(x, "host"), *origin = http_field(x, "origin");

	if (!host || !is_allowed(h, host, strlen(host), host)) {
		http_refuse(x, host ? 403 : 400, RPC_INVALID_REQUEST, "The Host \"%.100s\" is not served here: to allow it, start "
			    "the server with --allowed-hosts", host ? host : "");
		return false;
	}
	if (origin && !is_allowed_origin(h, origin)) {
		http_refuse(x, 403, RPC_INVALID_REQUEST, "Requests from the Origin \"%.100s\" are not taken: to allow them, start "
			    "the server with --allowed-hosts", origin);
		return false;
	}
	return true;
}

/* ---- media types ---- */

/* Whether an Accept list covers type/subtype, by itself or by a range. */
static bool accepts(const char *list, const char *type)
{
	size_t main_len = strcspn(type, "/") + 1;

	while (list && *list) {
		size_t len;

		list += strspn(list, " \t,");
		len = strcspn(list, ",; \t");
		if (is_name(list, len, type) || is_name(list, len, "*/*") ||
		    (len == main_len + 1 && !strncasecmp(list, type, main_len) && list[main_len] == '*'))
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

bool guard_accepts_events(struct http_exchange *x)
{
	if (accepts(http_field(x, "accept"), TYPE_EVENTS))
		return true;
	http_refuse(x, 406, RPC_INVALID_REQUEST, "Accept must list " TYPE_EVENTS);
	return false;
}

bool guard_json(struct http_exchange *x)
{
	const char *type = http_field(x, "content-type");

	if (type && is_name(type, strcspn(type, "; \t"), TYPE_JSON))
		return true;
	http_refuse(x, 415, RPC_INVALID_REQUEST, "Content-Type must be " TYPE_JSON);
	return false;
}

bool guard_post(struct http_exchange *x)
{
	const char *accept = http_field(x, "accept");

	if (accepts(accept, TYPE_JSON) && accepts(accept, TYPE_EVENTS))
		return guard_json(x);
	http_refuse(x, 406, RPC_INVALID_REQUEST, "Accept must list " TYPE_JSON " and " TYPE_EVENTS);
	return false;
}

/* ---- rates ---- */

/* A user is the same one from everywhere; without users, behind a proxy, all clients have its address. */
static struct http_peer *find_peer(struct mcp_http *h, const struct http_exchange *x)
{
	struct http_peer *peer;
	char name[sizeof(peer->name)];

	if (http_user(x))
		snprintf(name, sizeof(name), "user %llx", (unsigned long long)http_owner_of_request(h, x).number);
	else
		snprintf(name, sizeof(name), "%s", http_peer(x));
	for (unsigned i = 0; i < LIMIT_HTTP_PEERS_COUNT; i++)
		if (!strcmp(h->peers[i].name, name))
			return &h->peers[i];
	peer = &h->peers[h->next_peer];
	h->next_peer = (h->next_peer + 1) % LIMIT_HTTP_PEERS_COUNT;
	*peer = (struct http_peer){};
	memcpy(peer->name, name, sizeof(name));
	return peer;
}

static bool within_rate(struct http_exchange *x, struct http_rate *rate, unsigned n, unsigned limit, const char *option)
{
	_cleanup_(str_done) struct str field = {};
	usec_t now = clock_now();

	if (limit == 0 || n == 0)
		return true;
	if (rate->since == 0 || now - rate->since >= MINUTE)
		*rate = (struct http_rate){ .since = now };
	if (rate->count + n <= limit) {
		rate->count += n;
		return true;
	}
	str_appendf(&field, "Retry-After: %u\r\n", (unsigned)((rate->since + MINUTE - now) / USEC_PER_SEC) + 1);
	http_add_fields(x, field.data);
	http_refuse(x, 429, RPC_INVALID_REQUEST, "More than %u a minute, the limit of %s: wait and try again", limit, option);
	return false;
}

bool guard_calls(struct mcp_http *h, struct http_session *s, struct http_exchange *x, unsigned n)
{
	struct http_rate *rate = s && !http_user(x) ? &s->calls : &find_peer(h, x)->calls;

	return within_rate(x, rate, n, h->options->calls_per_minute, "--http-calls-per-minute");
}

bool guard_new_session(struct mcp_http *h, struct http_exchange *x)
{
	if (h->session_count >= h->options->sessions) {
		http_add_fields(x, "Retry-After: 60\r\n");
		http_refuse(x, 503, RPC_INVALID_REQUEST, "%u sessions are open, the limit of --http-max-sessions: end one (DELETE), or wait "
			    "until one has been idle", h->session_count);
		return false;
	}
	return within_rate(x, &find_peer(h, x)->sessions, 1, h->options->sessions_per_minute,
			   "--http-sessions-per-minute");
}
