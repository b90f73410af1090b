#include "loop/fetch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "loop/http_chunks.h"
#include "loop/transport_kind.h"

#define HEAD_MAX 16384u

struct fetch {
	struct transport *transport;
	size_t request; /* bytes at the beginning of the transport's `out` */
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

static void fail(struct fetch *f, const char *reason)
{
	transport_disconnect(f->transport, reason);
}

static void end(struct fetch *f)
{
	f->complete = true;
	transport_disconnect(f->transport, "");
}

/* ---- the response ---- */

static bool read_length(const char *value, size_t len, size_t *ret)
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
	if (value && !read_length(value, len, &f->length))
		fail(f, "the response has an invalid length");
	else if (value && f->length > LIMIT_HTTP_BODY)
		fail(f, "the response is too long");
}

/* Removes the head from the text once it is complete. */
static void take_head(struct fetch *f)
{
	const char *end_of_head = memmem(f->text.data, f->text.len, "\r\n\r\n", 4);
	unsigned status = response_status(f->text.data);
	char reason[64];
	size_t head;

	if (strncmp(f->text.data, "HTTP/1.", MIN(f->text.len, (size_t)7)) != 0 || (end_of_head && !status)) {
		fail(f, "what listens there does not serve HTTP");
	} else if (!end_of_head && f->text.len > HEAD_MAX) {
		fail(f, "the response is too long");
	} else if (end_of_head && status != 200) {
		snprintf(reason, sizeof(reason), "the server responded with HTTP status %u", status);
		fail(f, reason);
	} else if (end_of_head) {
		read_fields(f, end_of_head + 2);
		head = (size_t)(end_of_head + 4 - f->text.data);
		f->text.len -= head;
		memmove(f->text.data, f->text.data + head, f->text.len + 1);
		f->in_body = true;
	}
}

static void take_body(struct fetch *f)
{
	const char *error;

	if (f->chunked && http_chunks_read(&f->chunks, &f->text, LIMIT_HTTP_BODY, &error) != 0) {
		fail(f, error);
	} else if (f->chunked && f->chunks.state == CHUNK_DONE) {
		f->text.len = f->chunks.length;
		end(f);
	} else if (!f->chunked && f->text.len >= f->length) {
		f->text.len = f->length;
		end(f);
	} else if (f->text.len > 2 * LIMIT_HTTP_BODY) {
		fail(f, "the response is too long");
	}
}

static size_t take(struct transport *t)
{
	struct fetch *f = fetch_of(t);

	str_append_len(&f->text, t->in.data, t->in.len);
	if (!f->in_body)
		take_head(f);
	if (f->in_body && t->state != TRANSPORT_CLOSED)
		take_body(f);
	return t->in.len;
}

/* ---- the request ---- */

static void send_request(struct transport *t)
{
	ssize_t n = transport_write(t, t->out.data, t->out.len);

	if (n != (ssize_t)t->out.len) /* the send buffer of a new socket has room */
		transport_disconnect(t, n < 0 ? strerror(errno) : "the connection was closed");
}

static void on_closed(const char *reason, void *data)
{
	struct fetch *f = data;
	bool whole = f->complete || (f->in_body && !f->chunked && f->length == SIZE_MAX && f->text.len <= LIMIT_HTTP_BODY);

	if (whole && !f->text.data)
		str_append(&f->text, "");
	f->done(whole ? &f->text : NULL, whole ? NULL : reason, f->data); /* may free `f` */
}

static const struct transport_kind http_kind = { .ready = send_request, .take = take };
static const struct transport_handler http_handler = { .closed = on_closed };

struct fetch *fetch_new(struct loop *l, int fd, const struct request *request,
			void (*done)(struct str *body, const char *failure, void *data), void *data)
{
	struct http_transport *h = NEW(struct http_transport);
	struct transport *t = &h->transport;
	struct fetch *f = NEW(struct fetch);

	*f = (struct fetch){ .transport = t, .done = done, .data = data };
	h->fetch = f;
	transport_init(t, &http_kind, l, LIMIT_HTTP_BODY, &http_handler, f);
	request_append(&t->out, request);
	str_append(&t->out, "Accept: application/json\r\nConnection: close\r\n\r\n");
	transport_begin(t, fd, request);
	return f;
}

struct fetch *fetch_free(struct fetch *f)
{
	if (!f)
		return NULL;
	transport_free(f->transport);
	str_done(&f->text);
	free(f);
	return NULL;
}
