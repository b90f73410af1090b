#include "loop/httpget.h"

#include <stdio.h>

#include "base/limits.h"
#include "loop/internal.h"

#define BODY_READ_SIZE 4096

struct httpget {
	struct loop *loop;
	struct lws *wsi; /* NULL before and after the connection */
	void (*done)(struct str *body, const char *failure, void *data);
	void *data;
	unsigned max_status; /* 0: 200 is wanted, and the body */
	struct str body;
	char failure[160]; /* "": there is none */
	struct ready notice;
};

static void run_notice(struct ready *r)
{
	struct httpget *h = CONTAINER_OF(r, struct httpget, notice);

	h->done(h->failure[0] ? NULL : &h->body, h->failure[0] ? h->failure : NULL, h->data); /* may free `h` */
}

/* The first end counts: the connection is closed behind an answer, too. */
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

static int check_status(struct httpget *h, struct lws *wsi)
{
	unsigned status = lws_http_client_http_response(wsi);
	char text[64];

	if (h->max_status && status >= HTTP_STATUS_OK && status <= h->max_status) {
		end(h, wsi, NULL);
		return -1; /* close it */
	}
	snprintf(text, sizeof(text), "it answered with HTTP status %u", status);
	return status == HTTP_STATUS_OK && !h->max_status ? 0 : refuse(h, wsi, text);
}

/* libwebsockets hands the body to LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ out of this call. */
static int read_body(struct lws *wsi)
{
	char buffer[LWS_PRE + BODY_READ_SIZE], *start = buffer + LWS_PRE;
	int len = BODY_READ_SIZE;

	return lws_http_client_read(wsi, &start, &len);
}

static int take(struct httpget *h, struct lws *wsi, const char *data, size_t len)
{
	if (h->body.len + len > LIMIT_HTTP_BODY)
		return refuse(h, wsi, "its answer is too long");
	str_append_len(&h->body, data, len);
	return 0;
}

int httpget_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct httpget *h = lws_get_opaque_user_data(wsi);

	if (!h)
		return 0;
	switch (reason) {
	case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
		return check_status(h, wsi);
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP:
		return read_body(wsi);
	case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ:
		return take(h, wsi, in, len);
	case LWS_CALLBACK_COMPLETED_CLIENT_HTTP:
		end(h, wsi, NULL);
		return -1; /* close it */
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		end(h, wsi, in ? in : "nothing answers there");
		return 0;
	case LWS_CALLBACK_CLOSED_CLIENT_HTTP:
		end(h, wsi, "it closed the connection without an answer");
		return 0;
	default:
		return 0;
	}
}

struct httpget *httpget_new(struct loop *l, const char *host, int port, const char *path,
			    void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	return httpget_new_status(l, host, port, path, 0, done, data);
}

struct httpget *httpget_new_status(struct loop *l, const char *host, int port, const char *path, unsigned max_status,
				   void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct httpget *h = NEW(struct httpget);

	*h = (struct httpget){ .loop = l, .done = done, .data = data, .max_status = max_status, .notice.run = run_notice };
	h->wsi = loop_connect(l, (struct lws_client_connect_info){
		.address = host,
		.port = port,
		.path = path,
		.method = "GET",
		.alpn = "http/1.1",
		.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT,
		.local_protocol_name = HTTPGET_PROTOCOL,
		.opaque_user_data = h,
	});
	if (!h->wsi && !h->notice.queued)
		end(h, NULL, "nothing answers there");
	return h;
}

struct httpget *httpget_free(struct httpget *h)
{
	if (!h)
		return NULL;
	loop_drop_connection(h->wsi);
	loop_cancel_ready(h->loop, &h->notice);
	str_done(&h->body);
	free(h);
	return NULL;
}
