#include "loop/httpget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/limits.h"
#include "loop/internal.h"
#include "loop/lookup.h"
#include "loop/turn.h"

#define BODY_READ_SIZE 4096
#define ANY_CERTIFICATE \
	(LCCSCF_ALLOW_SELFSIGNED | LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK | LCCSCF_ALLOW_EXPIRED | LCCSCF_ALLOW_INSECURE)

/* The server and path; name and path are only needed until the connection is established. */
struct target {
	bool tls, any_certificate;
	char name[256]; /* "" when only the address is known */
	int port;
	const char *path;
};

struct httpget {
	struct loop *loop;
	struct lookup *lookup; /* in progress, else NULL */
	struct target target;
	char *path;      /* the target's path when this object owns it */
	struct lws *wsi; /* NULL before and after the connection */
	void (*done)(struct str *body, const char *failure, void *data);
	void *data;
	unsigned max_status; /* 0: only 200 is a success, and the body is read */
	unsigned status;     /* 0 before the response */
	struct str body;
	char failure[160]; /* "" for none */
	struct ready notice;
};

static void run_notice(struct ready *r)
{
	struct httpget *h = CONTAINER_OF(r, struct httpget, notice);

	h->done(h->failure[0] ? NULL : &h->body, h->failure[0] ? h->failure : NULL, h->data); /* may free `h` */
}

/* Only the first call has an effect: the connection is also closed after a response. */
static void end(struct httpget *h, struct lws *wsi, const char *failure)
{
	if (wsi)
		lws_set_opaque_user_data(wsi, NULL);
	h->wsi = NULL;
	snprintf(h->failure, sizeof(h->failure), "%s", failure ? failure : "");
	loop_ready(h->loop, &h->notice);
}

static int refuse(struct httpget *h, struct lws *wsi, const char *failure)
{
	end(h, wsi, failure);
	return -1;
}

/* libwebsockets ends the name that it verifies at the first colon, so IPv6 addresses are verified here. */
static bool name_is_checked_here(const struct target *t)
{
	return t->tls && !t->any_certificate && strchr(t->name, ':');
}

static int check_status(struct httpget *h, struct lws *wsi)
{
	char text[64];

	h->status = lws_http_client_http_response(wsi);
	if (h->max_status && h->status >= HTTP_STATUS_OK && h->status <= h->max_status) {
		end(h, wsi, NULL);
		return -1; /* close it */
	}
	snprintf(text, sizeof(text), "the server responded with HTTP status %u", h->status);
	return h->status == HTTP_STATUS_OK && !h->max_status ? 0 : refuse(h, wsi, text);
}

/* Translates an error text of libwebsockets into one for the user. */
static const char *explain(const char *failure)
{
	if (!failure || strcmp(failure, "Unable to connect") == 0)
		return "cannot connect to the server";
	return strcmp(failure, "read failed") == 0 ? "the server closed the connection or does not serve HTTP" : failure;
}

/* This call makes libwebsockets deliver the body to LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ. */
static int read_body(struct lws *wsi)
{
	char buffer[LWS_PRE + BODY_READ_SIZE], *start = buffer + LWS_PRE;
	int len = BODY_READ_SIZE;

	return lws_http_client_read(wsi, &start, &len);
}

static int take(struct httpget *h, struct lws *wsi, const char *data, size_t len)
{
	if (h->body.len + len > LIMIT_HTTP_BODY)
		return refuse(h, wsi, "the response is too long");
	str_append_len(&h->body, data, len);
	return 0;
}

int httpget_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct httpget *h = lws_get_opaque_user_data(wsi);

	if (!h)
		return 0;
	turn_begin();
	switch (reason) {
	case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
		if (name_is_checked_here(&h->target) && !tls_server_has_address(wsi, h->target.name))
			return refuse(h, wsi, "the server's certificate is for another address");
		return check_status(h, wsi);
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
		return read_body(wsi);
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
		return take(h, wsi, in, len);
	case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
		end(h, wsi, NULL);
		return -1; /* close it */
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		end(h, wsi, explain(in));
		return 0;
	case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
		end(h, wsi, "the server closed the connection without a response");
		return 0;
	default:
		return 0;
	}
}

static void connect_to(struct httpget *h, const char *address)
{
	const struct target *t = &h->target;
	struct lws_vhost *vhost = t->tls ? tls_client_vhost(h->loop, !t->any_certificate) : NULL;
	char host[sizeof(t->name) + 16];

	snprintf(host, sizeof(host), strchr(t->name, ':') ? "[%s]:%d" : "%s:%d", t->name, t->port);
	h->wsi = t->tls && !vhost ?
			 NULL :
			 loop_connect(h->loop,
				      (struct lws_client_connect_info){
					      .address = address,
					      .host = t->name[0] ? host : NULL,
					      .vhost = vhost,
					      .port = t->port,
					      .path = t->path,
					      .method = "GET",
					      .alpn = "http/1.1",
					      .ssl_connection =
						      LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (t->tls ? LCCSCF_USE_SSL : 0) |
						      (name_is_checked_here(t) ? LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK : 0) |
						      (t->any_certificate ? ANY_CERTIFICATE : 0),
					      .local_protocol_name = HTTPGET_PROTOCOL,
					      .opaque_user_data = h,
				      });
	if (!h->wsi && !h->notice.queued)
		end(h, NULL, "cannot connect to the server");
}

static struct httpget *new_get(struct loop *l, void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct httpget *h = NEW(struct httpget);

	*h = (struct httpget){ .loop = l, .done = done, .data = data, .notice.run = run_notice };
	return h;
}

struct httpget *httpget_probe_new(struct loop *l, const struct httpget_probe *probe,
				  void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct httpget *h = new_get(l, done, data);

	h->max_status = probe->max_status;
	h->target = (struct target){ .tls = probe->tls, .any_certificate = true, .port = probe->port, .path = probe->path };
	snprintf(h->target.name, sizeof(h->target.name), "%s", probe->name);
	connect_to(h, probe->address);
	return h;
}

/* ---- URLs ---- */

/* scheme://name[:port][/path], where the name may be an IPv6 address in brackets. */
static bool split_url(const char *url, struct target *ret)
{
	const char *host = strstr(url, "://") ? strstr(url, "://") + 3 : url, *rest;
	size_t len = strcspn(host, "/"), name_len;
	bool brackets = host[0] == '[';
	int port_len = 0;

	*ret = (struct target){ .tls = !strncmp(url, "https://", 8), .path = host[len] ? host + len : "/" };
	if ((!ret->tls && strncmp(url, "http://", 7) != 0) || strpbrk(url, "@?# \t"))
		return false;
	host += brackets;
	name_len = strcspn(host, brackets ? "]/" : ":/");
	if (name_len == 0 || name_len >= sizeof(ret->name) || (brackets && host[name_len] != ']'))
		return false;
	memcpy(ret->name, host, name_len);
	rest = host + name_len + brackets;
	ret->port = ret->tls ? 443 : 80;
	if (*rest == ':' && (sscanf(rest, ":%5d%n", &ret->port, &port_len) != 1 || ret->port < 1 || ret->port > 65535))
		return false;
	return rest[port_len] == '/' || !rest[port_len];
}

bool httpget_url_is_supported(const char *url)
{
	struct target target;

	return split_url(url, &target);
}

bool httpget_is_safe(const char *url)
{
	struct target target;

	return split_url(url, &target) && (target.tls || host_is_loopback(target.name, strlen(target.name)));
}

static void on_addresses(const struct addrinfo *addresses, const char *failure, void *data)
{
	struct httpget *h = data;
	char address[64];

	h->lookup = NULL;
	if (!addresses)
		end(h, NULL, failure);
	else if (getnameinfo(addresses->ai_addr, addresses->ai_addrlen, address, sizeof(address), NULL, 0, NI_NUMERICHOST) == 0)
		connect_to(h, address);
	else
		end(h, NULL, "the address of the server cannot be used");
}

struct httpget *httpget_url_new(struct loop *l, const char *url, void (*done)(struct str *body, const char *failure, void *data),
				void *data)
{
	struct httpget *h = new_get(l, done, data);

	if (!split_url(url, &h->target)) {
		end(h, NULL, "not a URL that begins with http:// or https://");
		return h;
	}
	h->target.path = h->path = must(strdup(h->target.path));
	h->lookup = lookup_new(l, h->target.name, h->target.port, on_addresses, h);
	if (!h->lookup)
		end(h, NULL, "too many name look-ups are in progress");
	return h;
}

unsigned httpget_status(const struct httpget *h)
{
	return h->status;
}

struct httpget *httpget_free(struct httpget *h)
{
	if (!h)
		return NULL;
	loop_drop_connection(h->wsi);
	lookup_free(h->lookup);
	free(h->path);
	loop_cancel_ready(h->loop, &h->notice);
	str_done(&h->body);
	free(h);
	return NULL;
}
