/* Output of a connection: complete and streamed responses, and the queue of unsent bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/http_status.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/str.h"
#include "loop/http_exchange.h"
#include "loop/internal.h"

#define WRITE_SIZE (128u << 10)     /* bytes passed to libwebsockets in one call */
#define LINGER_TIMEOUT USEC_PER_SEC /* for the client to read the last response before the connection is closed */

void exchange_send(struct http_exchange *x, const char *data, size_t len)
{
	if (x->dropped)
		return;
	if (x->out.len - x->sent + len > LIMIT_HTTP_PENDING) {
		log_info("dropping the connection of %s: it does not read its responses", x->peer);
		exchange_drop(x);
		return;
	}
	if (x->sent >= x->out.len / 2 && x->sent > 0) {
		memmove(x->out.data, x->out.data + x->sent, x->out.len - x->sent);
		x->out.len -= x->sent;
		x->sent = 0;
	}
	str_append_len(&x->out, data, len);
	loop_ready(x->server->loop, &x->write_ready);
	exchange_account(x);
}

static void finish_output(struct http_exchange *x)
{
	str_reset(&x->out);
	x->sent = 0;
	if (x->out.cap > EXCHANGE_KEEP_SIZE)
		str_done(&x->out);
	if (x->state != STATE_CLOSING || x->shut)
		return;
	x->shut = true;
	tls_finish(x->wsi);
	shutdown(lws_get_socket_fd(x->wsi), SHUT_WR);
	exchange_set_timeout(x, LINGER_TIMEOUT);
}

/* lws_write() needs LWS_PRE bytes of space before the data, so the data is copied. */
int exchange_write(struct http_exchange *x)
{
	static unsigned char buffer[LWS_PRE + WRITE_SIZE];

	if (x->dropped)
		return 0;
	while (x->sent < x->out.len) {
		size_t len = MIN(x->out.len - x->sent, (size_t)WRITE_SIZE);

		if (lws_partial_buffered(x->wsi)) {
			lws_callback_on_writable(x->wsi);
			return 0;
		}
		memcpy(buffer + LWS_PRE, x->out.data + x->sent, len);
		if (lws_write(x->wsi, buffer + LWS_PRE, len, LWS_WRITE_RAW) < 0)
			return -1;
		x->sent += len;
	}
	exchange_account(x);
	if (lws_partial_buffered(x->wsi)) /* libwebsockets buffers the rest and calls back when it was sent */
		return 0;
	finish_output(x);
	return 0;
}

/* The Date line is formatted at most once a second. */
static void append_date(struct str *out)
{
	static char line[64];
	static time_t of;
	time_t now = time(NULL);
	struct tm tm;

	if (now != of)
		strftime(line, sizeof(line), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", gmtime_r(&now, &tm));
	of = now;
	str_append(out, line);
}

static void begin_answer(struct http_exchange *x, int status, const char *type, struct str *out)
{
	x->server->answers[status]++;
	str_reserve(out, 256);
	str_appendf(out, "HTTP/1.1 %d ", status);
	str_append(out, http_status_phrase(status));
	str_append(out, "\r\n");
	append_date(out);
	if (type) {
		str_append(out, "Content-Type: ");
		str_append(out, type);
		str_append(out, "\r\n");
	}
	str_append(out, str_text(&x->fields));
	if (x->close)
		str_append(out, "Connection: close\r\n");
	str_reset(&x->fields);
}

void http_add_fields(struct http_exchange *x, const char *fields)
{
	str_append(&x->fields, fields);
}

void http_answer(struct http_exchange *x, int status, const char *type, const char *body, size_t len)
{
	_cleanup_(str_done) struct str out = {};

	begin_answer(x, status, type, &out);
	if (status != 204 && status != 304)
		str_appendf(&out, "Content-Length: %zu\r\n", len);
	str_append(&out, "\r\n");
	if (!x->head.method || strcmp(x->head.method, "HEAD") != 0)
		str_append_len(&out, body, len);
	exchange_send(x, out.data, out.len);
	exchange_answered(x);
}

void exchange_begin_body(struct http_exchange *x, int status, const char *type, uint64_t len)
{
	_cleanup_(str_done) struct str out = {};

	begin_answer(x, status, type, &out);
	str_appendf(&out, "Content-Length: %" PRIu64 "\r\n\r\n", len);
	x->state = STATE_STREAMING;
	exchange_send(x, out.data, out.len);
}

void http_stream_begin(struct http_exchange *x, const char *type)
{
	_cleanup_(str_done) struct str out = {};

	x->close |= x->head.http_1_0;
	begin_answer(x, 200, type, &out);
	if (!x->head.http_1_0)
		str_append(&out, "Transfer-Encoding: chunked\r\n");
	str_append(&out, "\r\n");
	x->state = STATE_STREAMING;
	exchange_send(x, out.data, out.len);
}

void http_stream_send(struct http_exchange *x, const char *text, size_t len)
{
	char size[24];

	if (len == 0)
		return;
	snprintf(size, sizeof(size), "%zx\r\n", len);
	if (!x->head.http_1_0)
		exchange_send(x, size, strlen(size));
	exchange_send(x, text, len);
	if (!x->head.http_1_0)
		exchange_send(x, "\r\n", 2);
}

void http_stream_end(struct http_exchange *x)
{
	if (!x->head.http_1_0)
		exchange_send(x, "0\r\n\r\n", 5);
	exchange_answered(x);
}
