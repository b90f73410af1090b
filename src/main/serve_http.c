#include "main/serve_http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/host.h"
#include "base/log.h"
#include "base/str.h"
#include "main/report.h"

static int start_tls(struct loop *l, const struct tls_files *files, struct tls **ret)
{
	_cleanup_(str_done) struct str error = {};
	int r;

	if (!files->cert && !files->key)
		return 0;
	if (!files->cert || !files->key) {
		log_error(files->cert ? "--tls-cert needs --tls-key: the file with the certificate's private key" :
					"--tls-key needs --tls-cert: the file with the certificate of this key");
		return -EINVAL;
	}
	r = tls_new(l, files, ret, &error);
	if (r < 0)
		log_error("%s", error.data);
	return r;
}

/* Describes an inconsistency of the OAuth options; NULL: none. */
static const char *oauth_mistake(const struct options *o)
{
	if (!o->keys.issuer)
		return "--oauth-jwks and --oauth-audience need --oauth-issuer: the issuer whose tokens are accepted";
	if (!o->http.public_url && !host_is_loopback(o->http.host, strlen(o->http.host)))
		return "--oauth-issuer needs --public-url with this --host: the URL of /mcp for clients and the issuer";
	return NULL;
}

static int start_oauth(struct loop *l, const struct options *o, struct keyset **ret)
{
	_cleanup_(str_done) struct str error = {};
	const char *mistake;
	int r;

	if (!o->keys.issuer && !o->keys.source && !o->http.audience)
		return 0;
	mistake = oauth_mistake(o);
	if (mistake) {
		log_error("%s", mistake);
		return -EINVAL;
	}
	r = keyset_new(l, &o->keys, ret, &error);
	if (r < 0)
		log_error("%s", error.data);
	return r;
}

int http_services_init(struct mcp_http_services *services, struct loop *l, const struct options *o)
{
	const char *host = o->http.host;
	int r;

	*services = (struct mcp_http_services){
		.health = report_health, .metrics = report_metrics, .ready = report_ready, .has_session = report_has_session
	};
	if (!o->http.token && !o->http.issuer && !host_is_loopback(host, strlen(host))) {
		log_error("--host %s can be reached from other machines: set --auth-token-file (or BROWSERD_AUTH_TOKEN) or "
			  "--oauth-issuer to restrict who can use the server",
			  host);
		return -EINVAL;
	}
	r = start_tls(l, &o->tls, &services->tls);
	return r < 0 ? r : start_oauth(l, o, &services->keys);
}

void http_services_done(struct mcp_http_services *services)
{
	services->tls = tls_free(services->tls);
	services->keys = keyset_free(services->keys);
}

bool http_wants_tls(const struct options *o)
{
	const char *asked = o->keys.source ? o->keys.source : o->keys.issuer;

	return o->http.port >= 0 && (o->tls.cert || (asked && !strncmp(asked, "https://", 8)));
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
