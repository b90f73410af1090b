/* What is said to a proxy that connections go through. */
#include "test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "egress/upstream.h"

static void addresses(void **state)
{
	static const char *const bad[] = { "https://p:1", "socks4://p:1", "http://", "http://user:word@p:1",
					   "http://p:0",  "http://p:1/x", "http=p:1" };
	struct upstream u;

	assert_true(upstream_parse("http://proxy:3128", &u));
	assert_string_equal(u.host, "proxy");
	assert_int_equal(u.port, 3128);
	assert_true(upstream_parse("socks5://[::1]", &u));
	assert_string_equal(u.host, "::1");
	assert_int_equal(u.kind, UPSTREAM_SOCKS5);
	assert_int_equal(u.port, 1080);
	assert_true(upstream_parse("proxy:81/", &u));
	assert_int_equal(u.kind, UPSTREAM_HTTP);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (upstream_parse(bad[i], &u))
			fail_msg("%s is taken", bad[i]);
}

static void http(void **state)
{
	const struct upstream u = { .kind = UPSTREAM_HTTP };
	struct sockaddr_in6 six = { .sin6_family = AF_INET6, .sin6_port = htons(443), .sin6_addr = in6addr_loopback };
	char text[UPSTREAM_REQUEST_MAX];
	size_t len;

	upstream_request(&u, 0, (struct sockaddr *)&six, text, &len);
	assert_int_equal(len, strlen("CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n"));
	assert_memory_equal(text, "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n\r\n", len);
	assert_int_equal(upstream_reply(&u, 0, "HTTP/1.1 200 OK\r\n", 17), 0);
	assert_int_equal(upstream_reply(&u, 0, "HTTP/1.1 200 OK\r\n\r\nrest", 23), 19);
	assert_int_equal(upstream_reply(&u, 0, "HTTP/1.1 403 No\r\n\r\n", 19), -ECONNREFUSED);
	assert_int_equal(upstream_reply(&u, 0, "SSH-2.0\r\n\r\n", 11), -ECONNREFUSED);
	upstream_request(&u, 1, (struct sockaddr *)&six, text, &len);
	assert_int_equal(len, 0);
}

static void socks(void **state)
{
	const struct upstream u = { .kind = UPSTREAM_SOCKS5 };
	struct sockaddr_in four = { .sin_family = AF_INET, .sin_port = htons(258), .sin_addr.s_addr = htonl(0x01020304) };
	char text[UPSTREAM_REQUEST_MAX];
	size_t len;

	upstream_request(&u, 0, (struct sockaddr *)&four, text, &len);
	assert_int_equal(len, 3);
	assert_int_equal(upstream_reply(&u, 0, "\5", 1), 0);
	assert_int_equal(upstream_reply(&u, 0, "\5\0", 2), 2);
	assert_int_equal(upstream_reply(&u, 0, "\5\377", 2), -ECONNREFUSED);
	upstream_request(&u, 1, (struct sockaddr *)&four, text, &len);
	assert_int_equal(len, 10);
	assert_memory_equal(text, "\5\1\0\1\1\2\3\4\1\2", 10);
	assert_int_equal(upstream_reply(&u, 1, "\5\0\0\1\0\0\0\0\0", 9), 0);
	assert_int_equal(upstream_reply(&u, 1, "\5\0\0\1\0\0\0\0\0\0more", 14), 10);
	assert_int_equal(upstream_reply(&u, 1, "\5\2\0\1\0\0\0\0\0\0", 10), -ECONNREFUSED);
	upstream_request(&u, 2, (struct sockaddr *)&four, text, &len);
	assert_int_equal(len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(http),
		cmocka_unit_test(socks),
	};

	return cmocka_run_group_tests_name("egress_upstream", tests, NULL, NULL);
}
