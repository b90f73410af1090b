/*
 * A client of a session's proxy, and the operator's proxy behind it: the first byte of the input is the number of bytes that the
 * client sends, in pieces as long as the second byte says; what follows is the upstream proxy's answer. The rules refuse names,
 * so that nothing is looked up, and this machine. Whatever is sent, the connection ends once both have sent all.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "egress/address.h"
#include "egress/socks.h"
#include "fuzz.h"
#include "loop/listener.h"

static struct {
	struct loop *loop;
	struct socks *socks;
	struct listener *listener;
	struct upstream upstream;
	const char *answer; /* of the upstream proxy */
	size_t answer_len;
	int upstream_fd;
} all = { .upstream_fd = -1 };

static int check(const char *host, int port, const struct sockaddr *address, void *data)
{
	CHECK(*host || !address);
	CHECK(port >= 0 && port <= 65535);
	return !address || address_classify(address) == ADDRESS_LOOPBACK || address_is_own(address);
}

static void refused(const char *host, int port, const struct sockaddr *address, int verdict, void *data)
{
	CHECK(verdict);
}

static void failed(const char *host, int port, const char *why, void *data)
{
	CHECK(*why);
}

static void on_upstream(int fd, const struct sockaddr *address, socklen_t len, void *data)
{
	if (all.upstream_fd >= 0)
		close(all.upstream_fd);
	all.upstream_fd = fd;
	(void)!send(fd, all.answer, all.answer_len, MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
}

static void begin(void)
{
	static const struct socks_rules rules = { .check = check, .refused = refused, .failed = failed };
	const char *why;

	log_set_level(LOG_EMERGENCY);
	CHECK(loop_new(&all.loop) == 0);
	CHECK(listener_new(all.loop, &(struct listen_address){ .host = "127.0.0.1" }, on_upstream, NULL, &all.listener, &why) == 0);
	all.upstream = (struct upstream){ .kind = UPSTREAM_SOCKS5, .host = "127.0.0.1", .port = listener_port(all.listener) };
	CHECK(socks_new(all.loop, &rules, &all.upstream, NULL, &all.socks) == 0);
}

static int connect_client(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons((uint16_t)socks_port(all.socks)),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(fd >= 0 && connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0);
	return fd;
}

/* Until the proxy has closed the connection. What the client is told is at most the two answers and what upstream has sent. */
static void await_end(int fd)
{
	char buffer[4096];
	size_t got = 0;
	ssize_t n;

	while ((n = recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT)) != 0) {
		if (n < 0 && errno != EAGAIN)
			return; /* reset: the proxy has not read all */
		if (n < 0)
			loop_step(all.loop);
		else
			got += (size_t)n;
		CHECK(got <= 2 + 10 + all.answer_len);
	}
}

static void work(struct ready *r)
{
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ready hurry = { .run = work };
	size_t sent = size > 2 ? MIN((size_t)data[0], size - 2) : 0, piece = size > 2 ? data[1] + 1u : 1;
	int fd;

	if (!all.loop)
		begin();
	all.answer = (const char *)data + MIN(size, 2 + sent);
	all.answer_len = size - MIN(size, 2 + sent);
	fd = connect_client();
	for (size_t at = 0; at < sent; at += piece) {
		(void)!send(fd, data + 2 + at, MIN(piece, sent - at), MSG_NOSIGNAL);
		loop_ready(all.loop, &hurry);
		loop_step(all.loop);
	}
	shutdown(fd, SHUT_WR);
	await_end(fd);
	close(fd);
	if (all.upstream_fd >= 0)
		close(all.upstream_fd);
	all.upstream_fd = -1;
	return 0;
}
