/*
 * Checks requests before they are handled. Web pages in a browser on this machine can send requests here: Origin and
 * Sec-Fetch-Site reveal that a page sends them, and which one; Host reveals a domain name that an attacker has
 * pointed at this machine (DNS rebinding).
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/host.h"
#include "base/limits.h"
#include "base/share.h"
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

bool guard_is_of_site(const struct mcp_http *h, const struct http_exchange *x)
{
	const struct mcp_site *site = h->services->site;
	size_t len = site ? strlen(site->path) : 0;
	const char *path = http_path(x);

	return site && path && !strncmp(path, site->path, len) && (!path[len] || path[len] == '/');
}

void guard_refuse(const struct mcp_http *h, struct http_exchange *x, int status, int code, const char *fmt, ...)
{
	_cleanup_(str_done) struct str message = {}, out = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&message, fmt, ap);
	va_end(ap);
	if (guard_is_of_site(h, x))
		str_json(&out, "{error: ?}", str_text(&message));
	else
		rpc_write_error(&out, NULL, code, NULL, str_text(&message));
	http_answer(x, status, TYPE_JSON, out.data, out.len);
}

void http_refuse_in_words(struct http_exchange *x, int status, const char *words)
{
	http_answer(x, status, "text/plain", words, strlen(words));
}

/* ---- Host and Origin ---- */

/* Extracts the host of "host", "host:port", "[address]" or "[address]:port", without brackets. */
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

static bool http_guard_is_name(const char *host, size_t len, const char *name)
{
	return len == strlen(name) && !strncasecmp(host, name, len);
}

/* Whether `matches` is true for an entry of the allowed hosts. Each may be a comma-separated list. */
static bool any_listed(const struct mcp_http *h, bool (*matches)(const char *entry, const char *asked), const char *asked)
{
	for (const char *const *list = h->options->allowed_hosts; list && *list; list++)
		for (const char *at = *list; *at; at += strspn(at, ", ")) {
			size_t len = strcspn(at, ", ");
			_cleanup_(freep) char *entry = must(strndup(at, len));

			if (len > 0 && matches(entry, asked))
				return true;
			at += len;
		}
	return false;
}

/* Entries of the form NAME or NAME:PORT. */
static bool lists_host(const char *entry, const char *asked)
{
	const char *host = "";
	size_t len = 0;

	if (strstr(entry, "://"))
		return false;
	return !strcmp(entry, "*") || !strcasecmp(entry, asked) ||
	       (split_host(asked, strlen(asked), &host, &len) && http_guard_is_name(host, len, entry));
}

/* Entries of the form SCHEME://HOST[:PORT]. Host names and * do not allow origins. */
static bool lists_origin(const char *entry, const char *asked)
{
	return strstr(entry, "://") && !strcasecmp(entry, asked);
}

static const char *const loopback_names[] = { "localhost", "127.0.0.1", "[::1]" };

static size_t count_of_names(const struct mcp_http *h)
{
	return h->options->own_name_only && !h->options->own_addresses ? 1 : ARRAY_SIZE(loopback_names);
}

/* With its colon. */
static const char *own_port(const struct mcp_http *h)
{
	return strrchr(h->origin.data, ':');
}

/* Whether `asked` is this machine at the server's own port. */
static bool is_own_name(const struct mcp_http *h, const char *asked)
{
	for (size_t i = 0; i < count_of_names(h); i++) {
		size_t len = strlen(loopback_names[i]);

		if (!strncasecmp(asked, loopback_names[i], len) && !strcmp(asked + len, own_port(h)))
			return true;
	}
	return false;
}

static bool is_served_host(const struct mcp_http *h, const char *asked)
{
	const char *own = h->options->host, *host = "";
	size_t len = 0;

	if (h->options->own_name_only && h->options->allowed_hosts)
		return any_listed(h, lists_host, asked);
	if (h->options->own_name_only && host_is_loopback(own, strlen(own)))
		return is_own_name(h, asked);
	if (split_host(asked, strlen(asked), &host, &len) &&
	    (host_is_loopback(host, len) || http_guard_is_name(host, len, h->options->host)))
		return true;
	return any_listed(h, lists_host, asked);
}

/* The names that the operator has listed; without such a list, those of this machine and of the server itself. */
static void list_served_hosts(const struct mcp_http *h, struct str *out)
{
	const char *own = h->options->host;

	for (const char *const *list = h->options->allowed_hosts; list && *list; list++)
		for (const char *at = *list; *at; at += strspn(at, ", ")) {
			size_t len = strcspn(at, ", ");

			str_append(out, len && out->len ? ", " : "");
			str_append_len(out, at, len);
			at += len;
		}
	if (out->len)
		return;
	for (size_t i = 0; i < count_of_names(h); i++)
		str_appendf(out, "%s%s%s", i ? ", " : "", loopback_names[i], own_port(h));
	if (!host_is_loopback(own, strlen(own)))
		str_appendf(out, ", %s%s", own, own_port(h));
}

static void refuse_host_shortly(struct http_exchange *x, const char *host, const char *served)
{
	_cleanup_(str_done) struct str words = {};

	str_appendf(&words, "Access is only allowed at %s", served);
	if (host && *host)
		http_refuse_in_words(x, 403, words.data);
	else
		http_refuse_in_words(x, 400, "Missing host");
}

static bool guard_host(const struct mcp_http *h, struct http_exchange *x)
{
	const char *host = http_field(x, "host");
	_cleanup_(str_done) struct str served = {};

	if (host && is_served_host(h, host))
		return true;
	list_served_hosts(h, &served);
	if (h->options->short_words && !guard_is_of_site(h, x)) {
		refuse_host_shortly(x, host, str_text(&served));
		return false;
	}
	guard_refuse(h, x, host ? 403 : 400, RPC_INVALID_REQUEST,
		     "Access is only allowed at %s, not at the Host \"%.100s\": to allow it, start the server with %s",
		     str_text(&served), host ? host : "", h->options->names.allowed_hosts);
	return false;
}

static bool wants_tokens(const struct mcp_http *h)
{
	return h->options->token || h->options->issuer;
}

/*
 * Whether the Origin is that of this server's own URL. Its pages (mcp/http_site.h) send no requests to MCP, so only clients that are
 * not browsers send it there: they derive it from the URL.
 */
static bool is_own_origin(const struct mcp_http *h, struct http_exchange *x, const char *origin)
{
	_cleanup_(str_done) struct str own = {};

	str_appendf(&own, "%s://%s", h->services->tls ? "https" : "http", http_field(x, "host"));
	return !strcasecmp(origin, own.data);
}

/*
 * Checks requests of web pages. Browsers mark them: requests that could change something have an Origin, and all,
 * also those for images, have Sec-Fetch-Site. Pages of allowed origins may send requests if the server requires a
 * token. Without a token, the server could not distinguish an allowed page from a script that an attacker injected
 * into it, so that only navigations by the user (Sec-Fetch-Site: none) are allowed.
 */
static bool guard_origin(const struct mcp_http *h, struct http_exchange *x)
{
	const char *origin = http_field(x, "origin"), *site = http_field(x, "sec-fetch-site");
	bool listed = origin && any_listed(h, lists_origin, origin);

	if (origin && !listed && !is_own_origin(h, x, origin)) {
		http_refuse(x, 403, RPC_INVALID_REQUEST,
			    "Requests from the Origin \"%.100s\" are not allowed: to allow them, start "
			    "the server with %s and this origin",
			    origin, h->options->names.allowed_hosts);
		return false;
	}
	if (site && strcasecmp(site, "none") != 0 && !(listed && wants_tokens(h))) {
		http_refuse(x, 403, RPC_INVALID_REQUEST,
			    "Requests of web pages (Sec-Fetch-Site: %.40s) are not allowed: to allow them, "
			    "start the server with a token (%s or %s), and with the page's origin in %s",
			    site, h->options->names.token_file, h->options->names.issuer, h->options->names.allowed_hosts);
		return false;
	}
	return true;
}

bool guard_addressee(const struct mcp_http *h, struct http_exchange *x)
{
	http_set_trusted(x, false); /* until the token of this request has been verified */
	return guard_host(h, x);
}

bool guard_names(const struct mcp_http *h, struct http_exchange *x)
{
	return guard_addressee(h, x) && guard_origin(h, x);
}

/* ---- media types ---- */

/* Whether an Accept list contains type/subtype or a media range that includes it. */
static bool http_guard_accepts(const char *list, const char *type)
{
	size_t main_len = strcspn(type, "/") + 1;

	while (list && *list) {
		size_t len;

		list += strspn(list, " \t,");
		len = strcspn(list, ",; \t");
		if (http_guard_is_name(list, len, type) || http_guard_is_name(list, len, "*/*") ||
		    (len == main_len + 1 && !strncasecmp(list, type, main_len) && list[main_len] == '*'))
			return true;
		list += strcspn(list, ",");
	}
	return false;
}

bool guard_accepts_events(struct http_exchange *x)
{
	if (http_guard_accepts(http_field(x, "accept"), TYPE_EVENTS))
		return true;
	http_refuse(x, 406, RPC_INVALID_REQUEST, "Accept must list " TYPE_EVENTS);
	return false;
}

bool guard_json(struct http_exchange *x)
{
	const char *type = http_field(x, "content-type");

	if (type && http_guard_is_name(type, strcspn(type, "; \t"), TYPE_JSON))
		return true;
	http_refuse(x, 415, RPC_INVALID_REQUEST, "Content-Type must be " TYPE_JSON);
	return false;
}

bool guard_post(struct http_exchange *x)
{
	const char *accept = http_field(x, "accept");

	if (http_guard_accepts(accept, TYPE_JSON) && http_guard_accepts(accept, TYPE_EVENTS))
		return guard_json(x);
	http_refuse(x, 406, RPC_INVALID_REQUEST, "Accept must list " TYPE_JSON " and " TYPE_EVENTS);
	return false;
}

/* ---- rates ---- */

/*
 * Clients are identified by their user, from any address, or without users by their address. Behind a proxy the
 * latter is the proxy's for all clients.
 */
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

static bool http_guard_within_rate(struct http_exchange *x, struct http_rate *rate, unsigned n, unsigned limit, const char *option)
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

	return http_guard_within_rate(x, rate, n, h->options->calls_per_minute, h->options->names.calls_per_minute);
}

/* ---- shares ---- */

static bool refuse_share(struct http_exchange *x, unsigned own, const char *what, const char *option)
{
	http_add_fields(x, "Retry-After: 1\r\n");
	http_refuse(x, 429, RPC_INVALID_REQUEST,
		    "%u %s, your share of what %s allows: end one, or wait for one to end, and try again", own, what, option);
	return false;
}

bool guard_load(struct mcp_http *h, struct http_exchange *x, unsigned waiting)
{
	uint64_t owner = http_user(x) ? http_owner_of_request(h, x).number : 0;
	unsigned own = 0, all = h->post_count - h->answered_count + h->resuming;
	const struct http_post *p;

	if (h->closing || all >= h->options->requests) {
		http_add_fields(x, "Retry-After: 1\r\n");
		http_refuse(x, 503, RPC_INVALID_REQUEST,
			    h->closing ? "The server is shutting down: connect again when it has restarted" :
					 "%u requests are running, the limit of %s: wait for one to end and try again",
			    all, h->options->names.requests);
		return false;
	}
	if (!owner)
		return true;
	TAILQ_FOREACH(p, &h->posts, link)
		own += !p->answered && mcp_conn_owner(p->conn) == owner;
	own += waiting;
	return share_allows(own, all, h->options->requests, 0) ||
	       refuse_share(x, own, "requests of yours are running", h->options->names.requests);
}

static bool has_share_of_sessions(struct mcp_http *h, struct http_exchange *x)
{
	uint64_t owner = http_user(x) ? http_owner_of_request(h, x).number : 0;
	const struct http_owner *o = http_find_owner(h, owner);
	unsigned own = o ? o->sessions : 0;

	if (!owner)
		return true;
	return share_allows(own, h->session_count, h->options->sessions, 0) ||
	       refuse_share(x, own, "sessions of yours are open", h->options->names.sessions);
}

static bool refuse_draining(struct mcp_http *h, struct http_exchange *x)
{
	_cleanup_(str_done) struct str field = {};
	usec_t now = clock_now();

	str_appendf(&field, "Retry-After: %u\r\n",
		    h->drains_until > now ? (unsigned)((h->drains_until - now) / USEC_PER_SEC) + 1 : 1);
	http_add_fields(x, field.data);
	http_refuse(x, 503, RPC_INVALID_REQUEST,
		    "The server is about to end and takes no new sessions: connect again, through the proxy of its fleet at once");
	return false;
}

bool guard_drain(struct mcp_http *h, struct http_exchange *x, const char *id)
{
	const struct mcp_http_services *services = h->services;

	if (!h->drains_until)
		return true;
	return (id && services->has_session &&
		services->has_session(http_owner_of_request(h, x).number, id, services->report_data)) ||
	       refuse_draining(h, x);
}

bool guard_new_session(struct mcp_http *h, struct http_exchange *x)
{
	if (h->drains_until)
		return refuse_draining(h, x);
	if (h->session_count >= h->options->sessions) {
		http_add_fields(x, "Retry-After: 60\r\n");
		http_refuse(x, 503, RPC_INVALID_REQUEST,
			    "%u sessions are open, the limit of %s: end one (DELETE), or wait until one has been idle",
			    h->session_count, h->options->names.sessions);
		return false;
	}
	return has_share_of_sessions(h, x) &&
	       http_guard_within_rate(x, &find_peer(h, x)->sessions, 1, h->options->sessions_per_minute,
				      h->options->names.sessions_per_minute);
}
