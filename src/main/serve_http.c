#include "main/serve_http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/host.h"
#include "base/log.h"
#include "base/str.h"
#include "main/report.h"

#define TOKEN_MAX 1024

static int read_token(const char *path, struct arena *arena, const char **ret)
{
	char line[TOKEN_MAX + 2];
	FILE *f = fopen(path, "re");
	size_t len;

	if (!f) {
		log_error("--auth-token-file: %s: %s", path, strerror(errno));
		return -EINVAL;
	}
	len = fgets(line, sizeof(line), f) ? strcspn(line, "\r\n") : 0;
	fclose(f);
	line[len] = '\0';
	if (!option_is_token(line)) {
		log_error("--auth-token-file: the first line of %s must be %s", path, OPTION_TOKEN_ALLOWED);
		return -EINVAL;
	}
	*ret = arena_strdup(arena, line);
	return 0;
}

static int start_tls(struct loop *l, const struct options *o, struct mcp_http_options *ret)
{
	_cleanup_(str_done) struct str error = {};
	int r;

	if (!o->tls_cert && !o->tls_key)
		return 0;
	if (!o->tls_cert || !o->tls_key) {
		log_error(o->tls_cert ? "--tls-cert needs --tls-key: the file with the certificate's private key" :
					"--tls-key needs --tls-cert: the file with the certificate of this key");
		return -EINVAL;
	}
	r = tls_new(l, &(const struct tls_files){ o->tls_cert, o->tls_key, "--tls-cert", "--tls-key" }, &ret->tls, &error);
	if (r < 0)
		log_error("%s", error.data);
	return r;
}

/* Describes an inconsistency of the OAuth options; NULL: none. */
static const char *oauth_mistake(const struct options *o)
{
	if (!o->oauth_issuer)
		return "--oauth-jwks and --oauth-audience need --oauth-issuer: the issuer whose tokens are accepted";
	if (!o->public_url && !host_is_loopback(o->host, strlen(o->host)))
		return "--oauth-issuer needs --public-url with this --host: the URL of /mcp for clients and the issuer";
	return NULL;
}

static int start_oauth(struct loop *l, const struct options *o, struct mcp_http_options *ret)
{
	_cleanup_(str_done) struct str error = {};
	const char *mistake;
	int r;

	if (!o->oauth_issuer && !o->oauth_jwks && !o->oauth_audience)
		return 0;
	mistake = oauth_mistake(o);
	if (mistake) {
		log_error("%s", mistake);
		return -EINVAL;
	}
	r = keyset_new(l, o->oauth_issuer, o->oauth_jwks, (usec_t)o->oauth_jwks_refresh * USEC_PER_MSEC, &ret->keys, &error);
	if (r < 0)
		log_error("%s", error.data);
	return r;
}

int http_options_from(struct loop *l, const struct options *o, struct arena *arena, struct mcp_http_options *ret)
{
	int r;

	*ret = (struct mcp_http_options){
		.host = o->host,
		.port = o->port,
		.allowed_hosts = o->allowed_hosts.items,
		.token = o->auth_token,
		.public_url = o->public_url,
		.issuer = o->oauth_issuer,
		.audience = o->oauth_audience,
		.limits = {
			.head = (size_t)o->http_max_head,
			.body = (size_t)o->http_max_body,
			.connections = (unsigned)o->http_max_connections,
		},
		.requests = (unsigned)o->http_max_requests,
		.sessions = (unsigned)o->http_max_sessions,
		.calls_per_minute = (unsigned)o->http_calls_per_minute,
		.sessions_per_minute = (unsigned)o->http_sessions_per_minute,
		.session_timeout = (usec_t)o->http_session_timeout * USEC_PER_MSEC,
		.health = o->http_health ? report_health : NULL,
		.metrics = o->http_metrics ? report_metrics : NULL,
	};
	if (!ret->token && o->auth_token_file) {
		r = read_token(o->auth_token_file, arena, &ret->token);
		if (r < 0)
			return r;
	}
	if (!ret->token && !ret->issuer && !host_is_loopback(o->host, strlen(o->host))) {
		log_error("--host %s can be reached from other machines: set --auth-token-file (or BROWSERD_AUTH_TOKEN) or "
			  "--oauth-issuer to restrict who can use the server",
			  o->host);
		return -EINVAL;
	}
	r = start_tls(l, o, ret);
	return r < 0 ? r : start_oauth(l, o, ret);
}

void http_options_done(struct mcp_http_options *options)
{
	options->tls = tls_free(options->tls);
	options->keys = keyset_free(options->keys);
}

bool http_wants_tls(const struct options *o)
{
	const char *asked = o->oauth_jwks ? o->oauth_jwks : o->oauth_issuer;

	return o->port >= 0 && (o->tls_cert || (asked && !strncmp(asked, "https://", 8)));
}

void http_announce(const struct mcp_http *h, const struct mcp_http_options *options, const char *program)
{
	const char *header = options->token ? ", \"headers\": { \"Authorization\": \"Bearer ...\" }" : "";

	if (log_is_json()) { /* the log is read by programs, which need no instructions */
		log_notice("Listening on %s", mcp_http_origin(h));
		return;
	}
	fprintf(stderr,
		"Listening on %s\nPut this into your client's configuration:\n"
		"{ \"mcpServers\": { \"%s\": { \"type\": \"http\", \"url\": \"%s\"%s } } }\n",
		mcp_http_origin(h), program, mcp_http_url(h), header);
}
