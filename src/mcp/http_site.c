#include "mcp/http_site.h"

#include <string.h>
#include <strings.h>

#include "base/random.h"
#include "mcp/http_parts.h"

void mcp_site_refuse(struct http_exchange *x, int status, const char *fmt, ...)
{
	_cleanup_(str_done) struct str message = {}, out = {};
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(&message, fmt, ap);
	va_end(ap);
	str_json(&out, "{error: ?}", str_text(&message));
	http_answer(x, status, TYPE_JSON, out.data, out.len);
}

/* ---- routes ---- */

/* What follows the site's path in that of the request, which is for the site, without its slash. */
static const char *site_path(const struct mcp_http *h, const struct http_exchange *x)
{
	const char *rest = http_path(x) + strlen(h->services->site->path);

	return rest + (*rest == '/');
}

/* What follows the path of the route, NULL: the route is another one. */
static const char *site_rest(const struct mcp_site_route *route, const char *path)
{
	size_t len = strlen(route->path);

	if (strncmp(path, route->path, len) != 0)
		return NULL;
	if (!len && route->below)
		return path;
	if (!path[len])
		return path + len;
	return route->below && path[len] == '/' ? path + len + 1 : NULL;
}

static const struct mcp_site_route *site_route(const struct mcp_http *h, const struct http_exchange *x, const char **ret_rest)
{
	const char *path = site_path(h, x);

	for (const struct mcp_site_route *r = h->services->site->routes; r->method; r++)
		if ((*ret_rest = site_rest(r, path)) && !strcmp(r->method, http_method(x)))
			return r;
	return NULL;
}

static bool site_has_path(const struct mcp_http *h, const struct http_exchange *x)
{
	for (const struct mcp_site_route *r = h->services->site->routes; r->method; r++)
		if (site_rest(r, site_path(h, x)))
			return true;
	return false;
}

/* ---- guards ---- */

/*
 * Whether the Origin is that of a page of this site: the scheme and Host of the request. A proxy that terminates TLS passes requests of
 * https pages on as http; where it does not pass on their Host, the public URL has it.
 */
static bool is_site_origin(const struct mcp_http *h, const struct http_exchange *x, const char *origin)
{
	_cleanup_(str_done) struct str public = {};
	const char *host = strstr(origin, "://");

	mcp_site_append_origin(h, &public);
	if (!strcasecmp(origin, public.data))
		return true;
	return host && !strcasecmp(host + 3, http_field(x, "host")) &&
	       (starts_with(origin, "https://") || (!h->services->tls && starts_with(origin, "http://")));
}

static bool is_navigation(const struct http_exchange *x)
{
	const char *mode = http_field(x, "sec-fetch-mode"), *dest = http_field(x, "sec-fetch-dest");

	return mode && dest && !strcmp(mode, "navigate") && !strcmp(dest, "document");
}

static bool guard_site_page(const struct mcp_http *h, struct http_exchange *x, const struct mcp_site_route *route)
{
	const char *origin = http_field(x, "origin"), *from = http_field(x, "sec-fetch-site");
	bool changes = (strcmp(route->method, "GET") != 0 && strcmp(route->method, "HEAD") != 0) || route->socket;
	bool own = origin && is_site_origin(h, x, origin);

	if (origin && !own)
		mcp_site_refuse(x, 403, "Pages of the Origin \"%.100s\" may not send requests here", origin);
	else if (changes && !own)
		mcp_site_refuse(x, 403, "The header Origin is missing: this request must come from a page of this server");
	else if (from && strcasecmp(from, "same-origin") != 0 && strcasecmp(from, "none") != 0 &&
		 !(route->document && is_navigation(x)))
		mcp_site_refuse(x, 403, "Other pages may not send requests here (Sec-Fetch-Site: %.40s)", from);
	else
		return true;
	return false;
}

void site_guard(const struct mcp_http *h, struct http_exchange *x)
{
	const struct mcp_site_route *route;
	const char *rest;

	http_add_fields(x, h->services->site->fields);
	if (!guard_addressee(h, x))
		return;
	route = site_route(h, x, &rest);
	if (route)
		guard_site_page(h, x, route);
	else
		mcp_site_refuse(x, site_has_path(h, x) ? 405 : 404, "%s is not possible here", http_method(x));
}

void site_answer(struct mcp_http *h, struct http_exchange *x)
{
	const char *rest;

	site_route(h, x, &rest)->answer(x, rest, h->services->site->data);
}

/* ---- senders ---- */

bool mcp_site_has_own_token(const struct mcp_http *h)
{
	return !h->options->token && !h->options->issuer;
}

static bool is_operator(const struct mcp_http *h, struct http_exchange *x)
{
	const char *token = auth_token(x);

	if (token && secrets_equal(token, h->services->site->token))
		return true;
	mcp_site_refuse(
		x, 401,
		"%s: open the address that this server has written to stderr at its start, or send \"Authorization: Bearer TOKEN\" "
		"with the token in it",
		token ? "the token is wrong" : "a token is needed");
	return false;
}

bool mcp_site_sender(struct mcp_http *h, struct http_exchange *x, struct mcp_site_sender *ret)
{
	*ret = (struct mcp_site_sender){ .everyone = mcp_site_has_own_token(h) };
	if (ret->everyone ? !is_operator(h, x) : !guard_token_until(h, x, &ret->until))
		return false;
	http_set_trusted(x, true);
	ret->owner = ret->everyone ? 0 : http_owner_of_request(h, x).number;
	ret->rights = auth_rights(x);
	return true;
}

bool mcp_site_is_secure(const struct mcp_http *h)
{
	return h->services->tls || (h->options->public_url && starts_with(h->options->public_url, "https://"));
}

void mcp_site_append_origin(const struct mcp_http *h, struct str *out)
{
	const char *url = h->options->public_url;
	const char *host = url ? strstr(url, "://") : NULL;

	if (host)
		str_append_len(out, url, (size_t)(host - url) + 3 + strcspn(host + 3, "/"));
	else
		str_append(out, h->origin.data);
}
