/* Classes of addresses, and networks. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "egress/address.h"

static struct sockaddr *address(const char *text)
{
	static struct sockaddr_storage storage;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&storage;
	struct sockaddr_in *four = (struct sockaddr_in *)&storage;

	memset(&storage, 0, sizeof(storage));
	if (inet_pton(AF_INET, text, &four->sin_addr) == 1) {
		storage.ss_family = AF_INET;
	} else {
		assert_int_equal(inet_pton(AF_INET6, text, &six->sin6_addr), 1);
		storage.ss_family = AF_INET6;
	}
	return (struct sockaddr *)&storage;
}

static void classes(void **state)
{
	static const struct {
		enum address_class class;
		const char *addresses[32];
	} cases[] = {
		{ ADDRESS_PUBLIC,
		  { "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
		    "128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "198.17.0.1",
		    "223.255.255.255", "2606:4700::1111", "2a00::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1" } },
		{ ADDRESS_LOOPBACK,
		  { "127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3", "::", "::1", "::ffff:127.0.0.1", "::ffff:0.0.0.0",
		    "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::" } },
		{ ADDRESS_PRIVATE,
		  { "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255", "172.16.0.0", "172.31.255.255",
		    "192.168.255.255", "198.19.255.255", "fc00::1", "fdff::1", "fec0::1", "64:ff9b:1::1", "::ffff:10.1.1.1",
		    "::10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::" } },
		{ ADDRESS_METADATA,
		  { "169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254",
		    "fd20:ce::254", "fe80::1", "febf::1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::" } },
		{ ADDRESS_RESERVED,
		  { "192.0.0.8", "192.0.2.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
		    "255.255.255.255", "2001::1", "2001:db8::1", "ff02::1", "ff02::fb", "100::1", "::ffff:224.0.0.251" } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (const char *const *a = cases[i].addresses; *a; a++)
			if (address_classify(address(*a)) != cases[i].class)
				fail_msg("%s is %s", *a, address_class_text(address_classify(address(*a))));
	assert_int_equal(address_classify(&(struct sockaddr){ .sa_family = AF_UNIX }), ADDRESS_RESERVED);
}

static bool contains(const char *network, const char *number)
{
	struct network n;

	if (!network_parse(network, strlen(network), &n))
		fail_msg("%s is refused", network);
	return network_contains(&n, address(number));
}

static void networks(void **state)
{
	static const char *const bad[] = { "",           "10",   "10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/ 8",
					   "fd00::/129", "[::1", "[::1]x", "example.com", "0x7f.1" };
	struct network n;

	assert_true(contains("10.0.0.0/8", "10.255.1.2"));
	assert_false(contains("10.0.0.0/8", "11.0.0.0"));
	assert_true(contains("10.0.0.0/9", "10.127.0.1"));
	assert_false(contains("10.0.0.0/9", "10.128.0.1"));
	assert_true(contains("0.0.0.0/0", "8.8.8.8"));
	assert_false(contains("0.0.0.0/0", "::1"));
	assert_true(contains("fd00::/8", "fdff::1"));
	assert_true(contains("[::1]", "::1"));
	assert_true(contains("10.0.0.0/8", "::ffff:10.1.1.1"));
	assert_true(contains("::ffff:10.0.0.0/104", "10.1.1.1"));
	assert_false(contains("10.0.0.0/8", "64:ff9b::a00:1"));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (network_parse(bad[i], strlen(bad[i]), &n))
			fail_msg("\"%s\" is taken", bad[i]);
}

static void own_addresses(void **state)
{
	assert_true(address_is_own(address("127.0.0.1")));
	assert_false(address_is_own(address("203.0.113.77")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes),
		cmocka_unit_test(networks),
		cmocka_unit_test(own_addresses),
	};

	return cmocka_run_group_tests_name("egress_address", tests, NULL, NULL);
}
