/*
 * The address of the operator's proxy, a newline, and what the proxy answers: what is accepted is a host and a port, and an answer
 * means the same however it is cut.
 */
#include <arpa/inet.h>
#include <netinet/in.h>

#include "egress/upstream.h"
#include "fuzz.h"

static void check_address(const struct upstream *u)
{
	CHECK(u->port >= 1 && u->port <= 65535 && *u->host && strlen(u->host) < sizeof(u->host));
	CHECK(!strpbrk(u->host, "@;="));
}

static void check_requests(const struct upstream *u)
{
	const struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_addr = in6addr_loopback, .sin6_port = htons(65535) };
	char request[UPSTREAM_REQUEST_MAX];
	size_t len = 1;

	for (unsigned step = 0; len; step++) {
		upstream_request(u, step, (const struct sockaddr *)&six, request, &len);
		CHECK(len < sizeof(request) && step <= 2);
	}
}

static void check_replies(const struct upstream *u, const char *data, size_t size)
{
	for (unsigned step = 0; step < 2; step++) {
		int all = upstream_reply(u, step, data, size), part = 0;

		CHECK(all <= (int)size);
		for (size_t len = 1; len < size && part == 0; len++) {
			char *cut = fuzz_copy(data, len);

			part = upstream_reply(u, step, cut, len);
			CHECK(part <= (int)len);
			free(cut);
		}
		CHECK(part == 0 || part == all);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size, rest = newline ? size - len - 1 : 0;
	char *address = must(strndup((const char *)data, len)), *reply = fuzz_copy(data + size - rest, rest);
	struct upstream u;

	if (upstream_parse(address, &u)) {
		check_address(&u);
		check_requests(&u);
		check_replies(&u, reply, MIN(rest, (size_t)UPSTREAM_REPLY_MAX));
	}
	free(address);
	free(reply);
	return 0;
}
