#include "egress/socks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "egress/address.h"
#include "egress/peer.h"
#include "egress/rules.h"
#include "loop/listener.h"
#include "loop/lookup.h"

#define BUFFER_SIZE 32768
#define ADDRESSES_MAX 8
#define HOST_MAX 256

/* RFC 1928, sections 3 to 6. */
enum { SOCKS_VERSION = 5, METHOD_NONE = 0, COMMAND_CONNECT = 1, TYPE_IPV4 = 1, TYPE_NAME = 3, TYPE_IPV6 = 4 };
enum socks_reply {
	REPLY_DONE = 0,
	REPLY_FAILED = 1,
	REPLY_NOT_ALLOWED = 2,
	REPLY_HOST_UNREACHABLE = 4,
	REPLY_REFUSED = 5,
	REPLY_COMMAND_UNKNOWN = 7,
	REPLY_TYPE_UNKNOWN = 8,
};

enum socks_state { STATE_GREETING, STATE_REQUEST, STATE_LOOKING_UP, STATE_CONNECTING, STATE_UPSTREAM, STATE_RELAYING };

/* The data of one direction. */
struct flow {
	char *data; /* BUFFER_SIZE */
	size_t start, end;
	bool ended; /* the sender has closed its side */
	bool shut;  /* the end was passed on to the receiver */
};

/* One end of a connection. */
struct side {
	int fd; /* -1: none */
	struct watch *watch;
	struct flow in; /* data received from it that the other side has not accepted yet */
};

struct connection {
	TAILQ_ENTRY(connection) link;
	struct socks *socks;
	enum socks_state state;
	struct side client, server;
	char host[HOST_MAX];
	int port;
	struct lookup *lookup;
	struct sockaddr_storage addresses[ADDRESSES_MAX]; /* addresses that were allowed */
	unsigned count, next;
	bool by_upstream; /* `server` is connected to the upstream proxy, which connects to addresses[0] */
	struct sockaddr_storage destination;
	unsigned step; /* step of the handshake with the upstream proxy */
};

struct socks {
	struct loop *loop;
	struct listener *listener;
	const struct socks_rules *rules;
	const struct upstream *upstream;
	void *data;
	TAILQ_HEAD(, connection) connections;
	unsigned count;
};

static void side_close(struct side *s)
{
	watch_free(s->watch);
	if (s->fd >= 0)
		close(s->fd);
	free(s->in.data);
	*s = (struct side){ .fd = -1 };
}

static void socks_drop(struct connection *c)
{
	TAILQ_REMOVE(&c->socks->connections, c, link);
	c->socks->count--;
	lookup_free(c->lookup);
	side_close(&c->client);
	side_close(&c->server);
	free(c);
}

/* ---- relaying ---- */

/* Reads from one side. False when the connection has failed. */
static bool take_in(struct side *from)
{
	struct flow *in = &from->in;
	ssize_t n;

	if (in->ended || in->end > 0)
		return true;
	n = read(from->fd, in->data, BUFFER_SIZE);
	if (n > 0)
		in->end = (size_t)n;
	else if (n == 0)
		in->ended = true;
	return n >= 0 || errno == EAGAIN || errno == EINTR;
}

static bool pass_on(struct side *from, struct side *to)
{
	struct flow *in = &from->in;

	while (in->start < in->end) {
		ssize_t n = send(to->fd, in->data + in->start, in->end - in->start, MSG_NOSIGNAL);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		in->start += (size_t)n;
	}
	in->start = in->end = 0;
	if (in->ended && !in->shut) {
		shutdown(to->fd, SHUT_WR);
		in->shut = true;
	}
	return true;
}

static void update_watches(struct side *s, const struct side *other)
{
	uint32_t events = 0;

	if (!s->in.ended && s->in.end == 0)
		events |= EPOLLIN;
	if (other->in.end > 0)
		events |= EPOLLOUT;
	if (s->watch)
		watch_set_events(s->watch, events);
}

static void relay(struct connection *c)
{
	bool good =
		take_in(&c->client) && pass_on(&c->client, &c->server) && take_in(&c->server) && pass_on(&c->server, &c->client);

	if (!good || (c->client.in.shut && c->server.in.shut)) {
		socks_drop(c);
		return;
	}
	update_watches(&c->client, &c->server);
	update_watches(&c->server, &c->client);
}

/* epoll reports errors and hang-ups even when no event is requested, and repeatedly, so the watch is removed on them. */
static void relay_event(struct connection *c, struct side *s, uint32_t events)
{
	if (events & EPOLLERR || (events & EPOLLHUP && s->in.ended)) {
		socks_drop(c);
		return;
	}
	if (events & EPOLLHUP && s->in.end > 0)
		s->watch = watch_free(s->watch); /* the other side can still receive the buffered data */
	relay(c);
}

static void on_server_event(uint32_t events, void *data);

/* ---- connecting ---- */

static void socks_answer(struct connection *c, enum socks_reply reply)
{
	const uint8_t text[] = { SOCKS_VERSION, (uint8_t)reply, 0, TYPE_IPV4, 0, 0, 0, 0, 0, 0 };

	if (send(c->client.fd, text, sizeof(text), MSG_NOSIGNAL) != sizeof(text) || reply != REPLY_DONE)
		socks_drop(c);
}

static socklen_t address_length(const struct sockaddr_storage *a)
{
	return a->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

/* Starts a connection attempt to the next address. */
static int socks_connect_next(struct connection *c)
{
	while (c->next < c->count) {
		const struct sockaddr_storage *a = &c->addresses[c->next++];
		int fd = socket(a->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;

		if (fd < 0)
			continue;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		if ((connect(fd, (const struct sockaddr *)a, address_length(a)) == 0 || errno == EINPROGRESS) &&
		    watch_new(c->socks->loop, fd, EPOLLOUT, on_server_event, c, &c->server.watch) == 0) {
			c->server.fd = fd;
			return 0;
		}
		close(fd);
	}
	return -ECONNREFUSED;
}

static void socks_fail(struct connection *c, enum socks_reply reply, const char *why)
{
	c->socks->rules->failed(c->host, c->port, why, c->socks->data);
	socks_answer(c, reply);
}

/* Sends the success reply and starts relaying, beginning with data that is already buffered. */
static void connected(struct connection *c)
{
	struct socks *socks = c->socks;
	unsigned before = socks->count;

	c->state = STATE_RELAYING;
	socks_answer(c, REPLY_DONE);
	if (socks->count == before)
		relay(c);
}

/* ---- through the upstream proxy ---- */

#define UPSTREAM_REFUSED "the operator's proxy refused the connection"

static void upstream_step(struct connection *c)
{
	char request[UPSTREAM_REQUEST_MAX];
	size_t len;

	upstream_request(c->socks->upstream, c->step, (const struct sockaddr *)&c->destination, request, &len);
	if (len == 0)
		connected(c);
	else if (send(c->server.fd, request, len, MSG_NOSIGNAL) != (ssize_t)len)
		socks_fail(c, REPLY_FAILED, UPSTREAM_REFUSED);
	else
		watch_set_events(c->server.watch, EPOLLIN);
}

static void upstream_event(struct connection *c)
{
	struct flow *in = &c->server.in;
	ssize_t n = read(c->server.fd, in->data + in->end, BUFFER_SIZE - in->end);
	int taken;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		in->end += (size_t)n;
	taken = n > 0 ? upstream_reply(c->socks->upstream, c->step, in->data, in->end) : -ECONNREFUSED;
	if (taken < 0 || (taken == 0 && in->end >= UPSTREAM_REPLY_MAX)) {
		socks_fail(c, REPLY_FAILED, UPSTREAM_REFUSED);
	} else if (taken > 0) { /* the bytes after the reply come from the destination */
		in->end -= (size_t)taken;
		memmove(in->data, in->data + taken, in->end);
		c->step++;
		upstream_step(c);
	}
}

static void socks_on_connected(struct connection *c)
{
	int error = 0;
	socklen_t len = sizeof(error);

	getsockopt(c->server.fd, SOL_SOCKET, SO_ERROR, &error, &len);
	if (error == 0) {
		c->server.in.data = must(malloc(BUFFER_SIZE));
		if (c->by_upstream) {
			c->state = STATE_UPSTREAM;
			upstream_step(c);
		} else {
			connected(c);
		}
		return;
	}
	side_close(&c->server);
	if (socks_connect_next(c) < 0)
		socks_fail(c, error == ECONNREFUSED ? REPLY_REFUSED : REPLY_HOST_UNREACHABLE,
			   c->by_upstream ? UPSTREAM_REFUSED : strerror(error));
}

static void on_server_event(uint32_t events, void *data)
{
	struct connection *c = data;

	if (c->state == STATE_CONNECTING)
		socks_on_connected(c);
	else if (c->state == STATE_UPSTREAM)
		upstream_event(c);
	else
		relay_event(c, &c->server, events);
}

static void connect_first(struct connection *c)
{
	c->state = STATE_CONNECTING;
	watch_set_events(c->client.watch, 0);
	if (socks_connect_next(c) < 0)
		socks_fail(c, REPLY_HOST_UNREACHABLE, "no connection to its addresses is possible");
}

/* The rules do not apply to the upstream proxy, which the operator has chosen. */
static void on_upstream_addresses(const struct addrinfo *addresses, const char *failure, void *data)
{
	struct connection *c = data;

	c->lookup = NULL;
	for (const struct addrinfo *a = addresses; a && c->count < ADDRESSES_MAX; a = a->ai_next)
		memcpy(&c->addresses[c->count++], a->ai_addr, MIN((size_t)a->ai_addrlen, sizeof(c->addresses[0])));
	if (c->count)
		connect_first(c);
	else
		socks_fail(c, REPLY_HOST_UNREACHABLE, failure ? failure : "the operator's proxy has no address");
}

static void connect_by_upstream(struct connection *c)
{
	const struct upstream *u = c->socks->upstream;

	c->by_upstream = true;
	c->destination = c->addresses[0];
	c->count = 0;
	c->lookup = lookup_new(c->socks->loop, u->host, u->port, on_upstream_addresses, c);
	if (!c->lookup)
		socks_answer(c, REPLY_FAILED);
}

/* ---- checking addresses ---- */

static void socks_refuse(struct connection *c, const struct sockaddr *address, int verdict)
{
	c->socks->rules->refused(c->host, c->port, address, verdict, c->socks->data);
	socks_answer(c, REPLY_NOT_ALLOWED);
}

static int socks_check_address(struct connection *c, const struct sockaddr *address)
{
	return c->socks->rules->check(c->host, c->port, address, c->socks->data);
}

static bool uses_upstream(const struct connection *c)
{
	return c->socks->upstream && address_classify((const struct sockaddr *)&c->addresses[0]) != ADDRESS_LOOPBACK;
}

static void socks_on_addresses(const struct addrinfo *addresses, const char *failure, void *data)
{
	struct connection *c = data;
	const struct sockaddr *refused = NULL;
	int verdict = 0;

	c->lookup = NULL;
	for (const struct addrinfo *a = addresses; a && c->count < ADDRESSES_MAX; a = a->ai_next) {
		int v = a->ai_addrlen <= sizeof(c->addresses[0]) ? socks_check_address(c, a->ai_addr) : 0;

		if (v) {
			verdict = v;
			refused = a->ai_addr;
		} else if (a->ai_addrlen <= sizeof(c->addresses[0])) {
			memcpy(&c->addresses[c->count++], a->ai_addr, a->ai_addrlen);
		}
	}
	if (c->count && uses_upstream(c))
		connect_by_upstream(c);
	else if (c->count)
		connect_first(c);
	else if (verdict)
		socks_refuse(c, refused, verdict);
	else
		socks_fail(c, REPLY_HOST_UNREACHABLE, failure ? failure : "the name has no address");
}

static void look_up_localhost(struct connection *c)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)c->port), .sin6_addr = in6addr_loopback };
	struct sockaddr_in four = { .sin_family = AF_INET,
				    .sin_port = htons((uint16_t)c->port),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct addrinfo second = { .ai_addr = (struct sockaddr *)&six, .ai_addrlen = sizeof(six) };
	struct addrinfo first = { .ai_addr = (struct sockaddr *)&four, .ai_addrlen = sizeof(four), .ai_next = &second };

	socks_on_addresses(&first, NULL, c);
}

static bool is_numeric(const char *host)
{
	uint8_t address[16];

	return inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1;
}

static void begin_request(struct connection *c)
{
	int verdict;

	watch_set_events(c->client.watch, 0);
	c->state = STATE_LOOKING_UP;
	if (egress_host_is_localhost(c->host)) {
		look_up_localhost(c);
		return;
	}
	verdict = is_numeric(c->host) ? 0 : socks_check_address(c, NULL);
	if (verdict) {
		socks_refuse(c, NULL, verdict);
		return;
	}
	c->lookup = lookup_new(c->socks->loop, c->host, c->port, socks_on_addresses, c);
	if (!c->lookup)
		socks_answer(c, REPLY_FAILED);
}

/* ---- the SOCKS handshake ---- */

/* Length of a request of which at least 5 bytes are there; 0 for an unknown address type. */
static size_t request_length(const uint8_t *p)
{
	switch (p[3]) {
	case TYPE_IPV4:
		return 4 + 4 + 2;
	case TYPE_IPV6:
		return 4 + 16 + 2;
	case TYPE_NAME:
		return 4 + 1 + p[4] + 2u;
	default:
		return 0;
	}
}

static void read_host(struct connection *c, const uint8_t *p, size_t len)
{
	if (p[3] == TYPE_NAME)
		snprintf(c->host, sizeof(c->host), "%.*s", p[4], (const char *)p + 5);
	else
		inet_ntop(p[3] == TYPE_IPV4 ? AF_INET : AF_INET6, p + 4, c->host, sizeof(c->host));
	egress_host_normalise(c->host);
	c->port = p[len - 2] << 8 | p[len - 1];
}

static void take_request(struct connection *c)
{
	const uint8_t *p = (const uint8_t *)c->client.in.data;
	size_t have = c->client.in.end, len = have >= 5 ? request_length(p) : 5;

	if (len == 0)
		socks_answer(c, REPLY_TYPE_UNKNOWN);
	else if (have < len)
		return;
	else if (p[0] != SOCKS_VERSION || p[1] != COMMAND_CONNECT)
		socks_answer(c, REPLY_COMMAND_UNKNOWN);
	else {
		read_host(c, p, len);
		c->client.in.end -= len; /* the bytes after the request are for the server */
		memmove(c->client.in.data, c->client.in.data + len, c->client.in.end);
		begin_request(c);
	}
}

static void socks_take_greeting(struct connection *c)
{
	static const uint8_t reply[] = { SOCKS_VERSION, METHOD_NONE };
	const uint8_t *p = (const uint8_t *)c->client.in.data;
	size_t have = c->client.in.end, len;

	if (have < 2 || have < (len = 2u + p[1]))
		return;
	if (p[0] != SOCKS_VERSION || !memchr(p + 2, METHOD_NONE, p[1]) ||
	    send(c->client.fd, reply, sizeof(reply), MSG_NOSIGNAL) != sizeof(reply)) {
		socks_drop(c);
		return;
	}
	c->client.in.end -= len;
	memmove(c->client.in.data, c->client.in.data + len, c->client.in.end);
	c->state = STATE_REQUEST;
	if (c->client.in.end)
		take_request(c);
}

static void read_head(struct connection *c)
{
	struct flow *in = &c->client.in;
	ssize_t n = read(c->client.fd, in->data + in->end, BUFFER_SIZE - in->end);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		socks_drop(c);
		return;
	}
	in->end += (size_t)n;
	if (c->state == STATE_GREETING)
		socks_take_greeting(c);
	else
		take_request(c);
}

static void on_client_event(uint32_t events, void *data)
{
	struct connection *c = data;

	if (c->state == STATE_RELAYING) {
		relay_event(c, &c->client, events);
	} else if (c->state != STATE_GREETING && c->state != STATE_REQUEST) {
		socks_drop(c); /* an event although none is requested: the client has disconnected */
	} else {
		read_head(c);
	}
}

static bool is_of_this_user(int fd)
{
	uid_t user;
	int r = peer_user(fd, &user);

	if (r == 0 && user == geteuid())
		return true;
	if (r == 0)
		log_warning("a session's proxy refused a connection from a process of user %u, which is not the browser's user",
			    (unsigned)user);
	else if (r != -ENOENT) /* the client has already disconnected */
		log_warning("a session's proxy refused a connection because its user cannot be determined: %s", strerror(-r));
	return false;
}

static void on_accepted(int fd, const struct sockaddr *address, socklen_t len, void *data)
{
	struct socks *s = data;
	struct connection *c;
	int on = 1;

	if (s->count >= LIMIT_SOCKS_CONNECTIONS_COUNT || !is_of_this_user(fd)) {
		close(fd);
		return;
	}
	c = NEW(struct connection);
	c->socks = s;
	c->server.fd = -1;
	c->client.fd = fd;
	c->client.in.data = must(malloc(BUFFER_SIZE));
	TAILQ_INSERT_TAIL(&s->connections, c, link);
	s->count++;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (watch_new(s->loop, fd, EPOLLIN, on_client_event, c, &c->client.watch) < 0)
		socks_drop(c);
}

int socks_new(struct loop *l, const struct socks_rules *rules, const struct upstream *upstream, void *data, struct socks **ret)
{
	_cleanup_(socks_freep) struct socks *s = NEW(struct socks);
	const char *why;
	int r;

	s->loop = l;
	s->rules = rules;
	s->upstream = upstream;
	s->data = data;
	TAILQ_INIT(&s->connections);
	r = listener_new(l, &(struct listen_address){ .host = "127.0.0.1" }, on_accepted, s, &s->listener, &why);
	if (r == 0)
		*ret = TAKE_PTR(s);
	return r;
}

int socks_port(const struct socks *s)
{
	return listener_port(s->listener);
}

struct socks *socks_free(struct socks *s)
{
	if (!s)
		return NULL;
	while (!TAILQ_EMPTY(&s->connections))
		socks_drop(TAILQ_FIRST(&s->connections));
	listener_free(s->listener);
	free(s);
	return NULL;
}
