#include "main/serve_http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
		log_error(o->tls_cert ? "--tls-cert needs --tls-key: the file with the certificate's private key"
				      : "--tls-key needs --tls-cert: the file with the certificate of this key");
		return -EINVAL;
	}
	r = tls_new(l, o->tls_cert, o->tls_key, &ret->tls, &error);
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
	if (!ret->token && !mcp_http_is_loopback(o->host)) {
		log_error("--host %s can be reached from other machines: set --auth-token-file (or BROWSERD_AUTH_TOKEN), so that "
			  "not everybody who finds the port has a browser here", o->host);
		return -EINVAL;
	}
	return start_tls(l, o, ret);
}

void http_options_done(struct mcp_http_options *options)
{
	options->tls = tls_free(options->tls);
}

bool http_wants_tls(const struct options *o)
{
	return o->port >= 0 && o->tls_cert;
}

/* A wildcard is no address that a client could dial. */
static const char *dialled(const char *host)
{
	return !strcmp(host, "0.0.0.0") || !strcmp(host, "::") ? "localhost" : host;
}

void http_announce(const struct mcp_http_options *options, const char *program, int port)
{
	const char *host = dialled(options->host);
	_cleanup_(str_done) struct str url = {}, config = {};

	str_appendf(&url, strchr(host, ':') ? "%s://[%s]:%d" : "%s://%s:%d", options->tls ? "https" : "http", host, port);
	str_appendf(&config, "{ \"mcpServers\": { \"%s\": { \"type\": \"http\", \"url\": \"%s/mcp\"", program, url.data);
	if (options->token)
		str_append(&config, ", \"headers\": { \"Authorization\": \"Bearer ...\" }");
	str_append(&config, " } } }");
	fprintf(stderr, "Listening on %s\nPut this into your client's configuration:\n%s\n", url.data, config.data);
}
