#include "loop/ws.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "loop/internal.h"

#define OVERSIZE_HEAD 256 /* bytes of a skipped message that are still shown */

struct out {
	TAILQ_ENTRY(out) link;
	size_t len;
	unsigned char data[]; /* LWS_PRE bytes of head room, then the message */
};

struct ws {
	struct loop *loop;
	struct lws *wsi; /* NULL before and after the connection */
	const struct ws_handler *handler;
	void *data;
	TAILQ_HEAD(, out) queue;
	size_t pending;
	struct str in;
	size_t limit;
	bool skipping; /* the rest of a message that is too long */
	bool is_open;
	char reason[160];
	struct ready close_notice;
};

static void run_close_notice(struct ready *r)
{
	struct ws *w = CONTAINER_OF(r, struct ws, close_notice);

	w->handler->closed(w->reason, w->data);
}

static void disconnected(struct ws *w, const char *reason)
{
	w->wsi = NULL;
	w->is_open = false;
	snprintf(w->reason, sizeof(w->reason), "%s", reason);
	loop_ready(w->loop, &w->close_notice);
}

static void receive(struct ws *w, struct lws *wsi, const char *data, size_t len)
{
	if (lws_is_first_fragment(wsi)) {
		str_reset(&w->in);
		w->skipping = false;
	}
	if (!w->skipping && w->in.len + len > w->limit)
		w->skipping = true;
	if (!w->skipping)
		str_append_len(&w->in, data, len);
	if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
		return;
	if (w->skipping)
		w->handler->oversize(str_text(&w->in), MIN(w->in.len, (size_t)OVERSIZE_HEAD), w->data);
	else
		w->handler->message(w->in.data, w->in.len, w->data);
	if (w->in.cap > WS_READ_SIZE) { /* one large message must not keep its memory */
		str_done(&w->in);
		w->in = (struct str){};
	}
}

static int flush(struct ws *w)
{
	while (!TAILQ_EMPTY(&w->queue)) {
		struct out *o = TAILQ_FIRST(&w->queue);

		if (lws_send_pipe_choked(w->wsi)) {
			lws_callback_on_writable(w->wsi);
			return 0;
		}
		if (lws_write(w->wsi, o->data + LWS_PRE, o->len, LWS_WRITE_TEXT) < 0)
			return -1;
		TAILQ_REMOVE(&w->queue, o, link);
		w->pending -= o->len;
		free(o);
	}
	return 0;
}

int ws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len)
{
	struct ws *w = lws_get_opaque_user_data(wsi);

	if (!w)
		return 0;
	switch (reason) {
	case LWS_CALLBACK_CLIENT_ESTABLISHED:
		w->is_open = true;
		if (!TAILQ_EMPTY(&w->queue))
			lws_callback_on_writable(wsi);
		w->handler->open(w->data);
		return 0;
	case LWS_CALLBACK_CLIENT_RECEIVE:
		receive(w, wsi, in, len);
		return 0;
	case LWS_CALLBACK_CLIENT_WRITEABLE:
		return flush(w);
	case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
		lws_set_opaque_user_data(wsi, NULL);
		disconnected(w, in ? in : "could not connect");
		return 0;
	case LWS_CALLBACK_CLIENT_CLOSED:
		lws_set_opaque_user_data(wsi, NULL);
		disconnected(w, "the connection was closed");
		return 0;
	default:
		return 0;
	}
}

int ws_connect(struct loop *l, const char *host, int port, const char *path, size_t message_limit,
	       const struct ws_handler *handler, void *data, struct ws **ret)
{
	struct ws *w = NEW(struct ws);

	*w = (struct ws){ .loop = l, .handler = handler, .data = data, .limit = message_limit };
	w->close_notice.run = run_close_notice;
	TAILQ_INIT(&w->queue);
	w->wsi = loop_connect(l, (struct lws_client_connect_info){
		.address = host,
		.port = port,
		.path = path,
		.local_protocol_name = WS_PROTOCOL,
		.opaque_user_data = w,
	});
	if (!w->wsi && !w->close_notice.queued)
		disconnected(w, "could not connect");
	*ret = w;
	return 0;
}

int ws_send(struct ws *w, const char *text, size_t len)
{
	struct out *o;

	if (!w->wsi)
		return -ENOTCONN;
	if (w->pending + len > LIMIT_CDP_PENDING)
		return -ENOBUFS;
	o = malloc(sizeof(*o) + LWS_PRE + len);
	if (!o)
		abort();
	o->len = len;
	memcpy(o->data + LWS_PRE, text, len);
	TAILQ_INSERT_TAIL(&w->queue, o, link);
	w->pending += len;
	if (w->is_open)
		lws_callback_on_writable(w->wsi);
	return 0;
}

struct ws *ws_free(struct ws *w)
{
	struct out *o;

	if (!w)
		return NULL;
	loop_drop_connection(w->wsi);
	loop_cancel_ready(w->loop, &w->close_notice);
	while ((o = TAILQ_FIRST(&w->queue))) {
		TAILQ_REMOVE(&w->queue, o, link);
		free(o);
	}
	str_done(&w->in);
	free(w);
	return NULL;
}
