#include "loop/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loop/transport_kind.h"

struct channel {
	struct transport transport;
	size_t searched; /* bytes at the beginning of `in` that are known to contain no NUL */
};

static void channel_append_text(struct transport *t, const char *text, size_t len)
{
	str_append_len(&t->out, text, len);
	str_append_char(&t->out, '\0');
}

static void channel_take_message(struct transport *t, char *text, size_t len)
{
	if (t->skipping || len > t->limit) {
		transport_skip(t, text, len);
		transport_end_message(t);
	} else {
		transport_deliver(t, text, len);
	}
}

/* Keeps the incomplete message at `at` until more input arrives, or skips it when it exceeds the limit. */
static size_t channel_keep_rest(struct channel *c, size_t at)
{
	struct transport *t = &c->transport;
	size_t len = t->in.len - at;

	if (t->skipping || len > t->limit) {
		transport_skip(t, t->in.data + at, len);
		c->searched = 0;
		return t->in.len;
	}
	c->searched = len;
	return at;
}

static size_t channel_take(struct transport *t)
{
	struct channel *c = CONTAINER_OF(t, struct channel, transport);
	size_t at = 0, from = c->searched;

	while (t->state == TRANSPORT_OPEN) {
		char *end = memchr(t->in.data + from, '\0', t->in.len - from);

		if (!end)
			return channel_keep_rest(c, at);
		channel_take_message(t, t->in.data + at, (size_t)(end - t->in.data) - at);
		at = from = (size_t)(end - t->in.data) + 1;
	}
	return at;
}

static const struct transport_kind channel_kind = { .append = channel_append_text, .take = channel_take };

int channel_open(struct loop *l, int fd, size_t message_limit, const struct transport_handler *handler, void *data,
		 struct transport **ret)
{
	struct channel *c = NEW(struct channel);
	int r;

	transport_init(&c->transport, &channel_kind, l, message_limit, handler, data);
	c->transport.fd = fd;
	r = fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ? -errno : transport_watch(&c->transport, TRANSPORT_OPEN);
	if (r < 0) {
		transport_free(&c->transport);
		return r;
	}
	*ret = &c->transport;
	return 0;
}
