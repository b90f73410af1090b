#include "loop/fetch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "loop/dial.h"
#include "loop/http_chunks.h"
#include "loop/http_url.h"
#include "loop/transport_kind.h"

#define HEAD_MAX 16384u
#define NOT_HTTP "what listens there does not serve HTTP"

struct fetch {
	struct loop *loop;
	struct dial *dial;           /* in progress, else NULL */
	struct request request;      /* host and path are owned, for a connection that is not made yet */
	unsigned max_status;         /* 0: only 200 is a success, and the body is read; else the head is enough */
	unsigned status;             /* 0 before the response */
	struct transport *transport; /* NULL before the connection */
	bool in_body, chunked;
	size_t length; /* of the body; SIZE_MAX: it ends with the connection */
	struct http_chunks chunks;
	struct str text; /* the head so far, then the body */
	bool complete;
	void (*done)(struct str *body, const char *failure, void *data);
	void *data;
};

/* The framing of a response: one transport serves one request. */
struct http_transport {
	struct transport transport;
	struct fetch *fetch;
};

static struct fetch *fetch_of(struct transport *t)
{
	return CONTAINER_OF(t, struct http_transport, transport)->fetch;
}

static void fetch_fail(struct fetch *f, const char *reason)
{
	transport_disconnect(f->transport, reason);
}

static void fetch_end(struct fetch *f)
{
	f->complete = true;
	transport_disconnect(f->transport, "");
}

/* ---- the response ---- */

static bool fetch_read_length(const char *value, size_t len, size_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < len; i++) {
		if (value[i] < '0' || value[i] > '9' || *ret > LIMIT_HTTP_BODY)
			return false;
		*ret = *ret * 10 + (size_t)(value[i] - '0');
	}
	return len > 0;
}

static void read_fields(struct fetch *f, const char *end_of_head)
{
	size_t len = 0;
	const char *coding = response_field(f->text.data, end_of_head, "transfer-encoding", &len);
	const char *value;

	f->chunked = coding && len == 7 && strncasecmp(coding, "chunked", 7) == 0;
	f->length = SIZE_MAX;
	value = f->chunked ? NULL : response_field(f->text.data, end_of_head, "content-length", &len);
	if (value && !fetch_read_length(value, len, &f->length))
		fetch_fail(f, "the response has an invalid length");
	else if (value && f->length > LIMIT_HTTP_BODY)
		fetch_fail(f, "the response is too long");
}

static void remove_head(struct fetch *f, const char *body)
{
	f->text.len -= (size_t)(body - f->text.data);
	memmove(f->text.data, body, f->text.len + 1);
}

/* What the server says in place of what was asked for may still be on the way. */
static void fetch_take_refusal(struct fetch *f)
{
	if (refusal_read(f->text.data, f->text.len, &f->transport->refusal) || f->max_status)
		fetch_fail(f, "");
}

static bool is_success(const struct fetch *f)
{
	return f->status >= 200 && f->status <= MAX(f->max_status, 200u);
}

/* A complete head: false if it was an interim response (1xx), which another one follows. */
static bool take_whole_head(struct fetch *f, const char *end_of_head)
{
	f->status = response_status(f->text.data);
	if (f->status >= 100 && f->status < 200) {
		remove_head(f, end_of_head + 4);
		return false;
	}
	if (!f->status) {
		fetch_fail(f, NOT_HTTP);
	} else if (!is_success(f)) {
		fetch_take_refusal(f);
	} else if (f->max_status) {
		str_reset(&f->text);
		fetch_end(f);
	} else {
		read_fields(f, end_of_head + 2);
		remove_head(f, end_of_head + 4);
		f->in_body = true;
	}
	return true;
}

/* Removes the head from the text once it is complete. */
static void fetch_take_head(struct fetch *f)
{
	const char *end_of_head;

	do {
		if (strncmp(str_text(&f->text), "HTTP/1.", MIN(f->text.len, (size_t)7)) != 0) {
			fetch_fail(f, NOT_HTTP);
			return;
		}
		end_of_head = memmem(f->text.data, f->text.len, "\r\n\r\n", 4);
	} while (end_of_head && !take_whole_head(f, end_of_head));
	if (!end_of_head && f->text.len > HEAD_MAX)
		fetch_fail(f, "the response is too long");
}

static void fetch_take_body(struct fetch *f)
{
	const char *error;

	if (f->chunked && http_chunks_read(&f->chunks, &f->text, LIMIT_HTTP_BODY, &error) != 0) {
		fetch_fail(f, error);
	} else if (f->chunked && f->chunks.state == CHUNK_DONE) {
		f->text.len = f->chunks.length;
		fetch_end(f);
	} else if (!f->chunked && f->text.len >= f->length) {
		f->text.len = f->length;
		fetch_end(f);
	} else if (f->text.len > 2 * LIMIT_HTTP_BODY) {
		fetch_fail(f, "the response is too long");
	}
}

static size_t fetch_take(struct transport *t)
{
	struct fetch *f = fetch_of(t);

	str_append_len(&f->text, t->in.data, t->in.len);
	if (!f->in_body)
		fetch_take_head(f);
	if (f->in_body && t->state != TRANSPORT_CLOSED)
		fetch_take_body(f);
	return t->in.len;
}

/* ---- the request ---- */

static void fetch_send_request(struct transport *t)
{
	ssize_t n = transport_write(t, t->out.data, t->out.len);

	if (n != (ssize_t)t->out.len) /* the send buffer of a new socket has room */
		transport_disconnect(t, n < 0 ? strerror(errno) : "the connection was closed");
}

static void fetch_on_closed(const char *reason, void *data)
{
	struct fetch *f = data;
	char by_status[64];
	bool whole = f->complete || (f->in_body && !f->chunked && f->length == SIZE_MAX && f->text.len <= LIMIT_HTTP_BODY);

	if (f->transport->refusal.status) {
		snprintf(by_status, sizeof(by_status), "the server responded with HTTP status %u", f->status);
		reason = by_status;
	}
	if (whole && !f->text.data)
		str_append(&f->text, "");
	f->done(whole ? &f->text : NULL, whole ? NULL : reason, f->data); /* may free `f` */
}

static const struct transport_kind http_kind = { .ready = fetch_send_request, .take = fetch_take };
static const struct transport_handler http_handler = { .closed = fetch_on_closed };

static void fetch_begin(struct fetch *f, int fd, const struct request *request)
{
	struct http_transport *h = NEW(struct http_transport);
	struct transport *t = &h->transport;

	h->fetch = f;
	f->transport = t;
	transport_init(t, &http_kind, f->loop, LIMIT_HTTP_BODY, &http_handler, f);
	request_append(&t->out, request);
	str_append(&t->out, f->max_status ? "" : "Accept: application/json\r\n");
	str_append(&t->out, "Connection: close\r\n\r\n");
	transport_begin(t, fd, request);
}

static struct fetch *new_fetch(struct loop *l, void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct fetch *f = NEW(struct fetch);

	*f = (struct fetch){ .loop = l, .done = done, .data = data };
	return f;
}

struct fetch *fetch_new(struct loop *l, int fd, const struct request *request,
			void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct fetch *f = new_fetch(l, done, data);

	fetch_begin(f, fd, request);
	return f;
}

/* ---- with a connection of its own ---- */

static void fetch_on_dialled(const struct dial_result *result, void *data)
{
	struct fetch *f = data;

	if (result->fd < 0)
		f->done(NULL, result->failure, f->data); /* may free `f` */
	else
		fetch_begin(f, result->fd, &f->request);
}

static void dial(struct fetch *f, const char *address, const struct request *request)
{
	f->request = *request;
	f->request.host = must(strdup(request->host));
	f->request.path = must(strdup(request->path));
	f->dial = dial_new(f->loop, address, request->port, fetch_on_dialled, f);
}

struct fetch *fetch_url_new(struct loop *l, const char *url, void (*done)(struct str *body, const char *failure, void *data),
			    void *data)
{
	struct http_url u;
	struct fetch *f;

	if (!http_url_split(url, &u))
		return NULL;
	f = new_fetch(l, done, data);
	dial(f, u.host, &(const struct request){ .host = u.host, .port = u.port, .tls = u.tls, .path = u.path });
	return f;
}

struct fetch *fetch_probe_new(struct loop *l, const char *address, const struct request *request, unsigned max_status,
			      void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct fetch *f = new_fetch(l, done, data);

	f->max_status = max_status;
	dial(f, address, request);
	return f;
}

const struct refusal *fetch_refusal(const struct fetch *f)
{
	return f->transport ? &f->transport->refusal : NULL;
}

unsigned fetch_status(const struct fetch *f)
{
	return f->status;
}

struct fetch *fetch_free(struct fetch *f)
{
	if (!f)
		return NULL;
	dial_free(f->dial);
	transport_free(f->transport);
	free((char *)f->request.host);
	free((char *)f->request.path);
	str_done(&f->text);
	free(f);
	return NULL;
}
