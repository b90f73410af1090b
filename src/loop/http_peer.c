#include "loop/http_peer.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loop/http_exchange.h"
#include "loop/internal.h"
#include "loop/tcp_sockets.h"

struct ends {
	uint16_t own, other; /* ports */
	unsigned found, foreign;
};

static uint16_t port_of(int (*name)(int fd, struct sockaddr *address, socklen_t *len), int fd)
{
	struct sockaddr_storage address = {};
	socklen_t len = sizeof(address);

	if (name(fd, (struct sockaddr *)&address, &len) < 0)
		return 0;
	if (address.ss_family == AF_INET)
		return ntohs(((const struct sockaddr_in *)&address)->sin_port);
	return address.ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)&address)->sin6_port) : 0;
}

static int peer_name(int fd, struct sockaddr *address, socklen_t *len)
{
	return getpeername(fd, address, len);
}

static int own_name(int fd, struct sockaddr *address, socklen_t *len)
{
	return getsockname(fd, address, len);
}

/*
 * Sockets of several addresses of this machine may have the same two ports. Addresses are not compared, because the listing does not have
 * those of IPv6: one socket of another user is enough for a refusal.
 */
static void http_peer_see(const struct tcp_socket *s, void *data)
{
	struct ends *e = data;

	if (s->local_port != e->other || s->remote_port != e->own || s->inode == 0)
		return;
	e->found++;
	e->foreign += s->user != geteuid() && s->user != 0;
}

bool http_peer_is_own_user(const struct http_exchange *x)
{
	int fd = lws_get_socket_fd(x->wsi);
	struct ends e = { .own = port_of(own_name, fd), .other = port_of(peer_name, fd) };

	return e.own && e.other && tcp_sockets_with_port(e.other, http_peer_see, &e) == 0 && e.found > 0 && !e.foreign;
}
