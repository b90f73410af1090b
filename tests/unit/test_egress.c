/* Which addresses are of the public Internet, and what an operator's list may hold. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "devserver/egress.h"

static const char *judge(const char *text)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };

	if (inet_pton(AF_INET, text, &four.sin_addr) == 1)
		return egress_judge_address((struct sockaddr *)&four);
	assert_int_equal(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
	return egress_judge_address((struct sockaddr *)&six);
}

static void public_addresses(void **state)
{
	static const char *const addresses[] = { "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
						 "126.255.255.255", "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0",
						 "192.167.255.255", "198.17.0.1", "223.255.255.255", "2606:4700::1111", "2a00::1",
						 "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1" };

	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		assert_null(judge(addresses[i]));
}

static void other_addresses(void **state)
{
	static const char *const addresses[] = { "0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255",
						 "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255",
						 "192.168.255.255", "192.0.0.8", "198.19.255.255", "224.0.0.1", "255.255.255.255",
						 "::", "::1", "::ffff:127.0.0.1", "::ffff:10.1.1.1", "::ffff:169.254.169.254", "::10.0.0.1",
						 "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::", "2001::1", "fc00::1", "fdff::1",
						 "fd00:ec2::254", "fe80::1", "febf::1", "fec0::1", "ff02::1", "2001:db8::1" };

	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++)
		if (!judge(addresses[i]))
			fail_msg("%s is let pass", addresses[i]);
}

static void entries(void **state)
{
	static const char *const good[] = { "example.com", "example.com:443", "*.example.com", "*.example.com:80", "10.0.0.1", "[::1]",
					    "[::1]:8080" };
	static const char *const bad[] = { "", "*", "a b", "http://example.com", "example.com/", "example.com:0", "example.com:70000",
					   "a.*.com", "user@host" };

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!egress_is_host(good[i]))
			fail_msg("%s is refused", good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (egress_is_host(bad[i]))
			fail_msg("\"%s\" is taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(public_addresses),
		cmocka_unit_test(other_addresses),
		cmocka_unit_test(entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
