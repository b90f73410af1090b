/* Rules about where a session may connect: how they are written, and what they allow. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "egress/rules.h"

static struct egress_rules *parse(const char *text)
{
	_cleanup_(str_done) struct str error = {};
	struct egress_rules *r = NULL;

	if (egress_rules_parse(text, &r, &error) < 0)
		fail_msg("%s: %s", text, error.data);
	return r;
}

/* `number` NULL: may the host be looked up? */
static bool allowed(const char *text, const char *host, int port, const char *number)
{
	_cleanup_(egress_rules_freep) struct egress_rules *r = parse(text);
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };

	if (!number)
		return egress_rules_allow(r, host, port, NULL);
	if (inet_pton(AF_INET, number, &four.sin_addr) == 1)
		return egress_rules_allow(r, host, port, (struct sockaddr *)&four);
	assert_int_equal(inet_pton(AF_INET6, number, &six.sin6_addr), 1);
	return egress_rules_allow(r, host, port, (struct sockaddr *)&six);
}

static void what_is_allowed(void **state)
{
	static const struct {
		const char *rules, *host;
		int port;
		const char *number;
		bool allowed;
	} cases[] = {
		{ "none", "a.test", 80, "8.8.8.8", false },
		{ "none", "a.test", 80, NULL, false },
		{ "all", "a.test", 80, "169.254.169.254", true },
		{ "public", "a.test", 80, NULL, true },
		{ "public", "a.test", 80, "8.8.8.8", true },
		{ "public", "a.test", 80, "127.0.0.1", false },
		{ "public", "a.test", 80, "10.0.0.1", false },
		{ "public", "::ffff:7f00:1", 80, "::ffff:127.0.0.1", false },
		{ "public:443", "a.test", 80, "8.8.8.8", false },
		{ "public:443", "a.test", 80, NULL, false },
		{ "loopback:3000-3009", "localhost", 3005, "127.0.0.1", true },
		{ "loopback:3000-3009", "localhost", 3010, "127.0.0.1", false },
		{ "loopback", "a.test", 80, "::1", true },
		{ "private", "a.test", 80, "192.168.1.1", true },
		{ "private", "a.test", 80, "8.8.8.8", false },
		{ "public,private,loopback", "a.test", 80, "169.254.169.254", false },
		{ "public,private,loopback", "a.test", 80, "224.0.0.1", false },
		{ "10.0.0.0/8:8080", "db.test", 8080, "10.1.2.3", true },
		{ "10.0.0.0/8:8080", "db.test", 8081, "10.1.2.3", false },
		{ "10.0.0.0/8:8080", "db.test", 8080, "192.168.0.1", false },
		{ "fd00::/8:8080", "db.test", 8080, "fd12::1", true },
		{ "0.0.0.0/0", "a.test", 80, "169.254.169.254", false },
		{ "169.254.169.254", "169.254.169.254", 80, "169.254.169.254", false },
		{ "10.1.2.3:8080", "10.1.2.3", 8080, "10.1.2.3", true },
		{ "10.1.2.3:8080", "rebound.test", 8080, "10.1.2.3", false },
		{ "127.0.0.1", "127.0.0.1", 80, "127.0.0.1", true },
		{ "127.0.0.1", "localhost", 80, "127.0.0.1", false },
		{ "[::1]:80", "::1", 80, "::1", true },
		{ "db.test", "db.test", 80, "10.1.1.1", true },
		{ "db.test", "db.test", 80, "8.8.8.8", true },
		{ "db.test", "db.test", 80, "127.0.0.1", false },
		{ "db.test", "other.test", 80, NULL, false },
		{ "DB.test.", "db.test", 80, "8.8.8.8", true },
		{ "localhost:3000", "localhost", 3000, "127.0.0.1", true },
		{ "localhost:3000", "localhost", 3001, NULL, false },
		{ "*.test", "a.test", 80, "8.8.8.8", true },
		{ "*.test", "a.b.test", 80, "8.8.8.8", true },
		{ "*.test", "test", 80, "8.8.8.8", false },
		{ "*.test", "atest", 80, "8.8.8.8", false },
		{ "*.test", "a.test", 80, "10.0.0.1", false },
		{ "public, db.test:8080", "db.test", 8080, "10.0.0.1", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (allowed(cases[i].rules, cases[i].host, cases[i].port, cases[i].number) != cases[i].allowed)
			fail_msg("%s: %s:%d (%s)", cases[i].rules, cases[i].host, cases[i].port, cases[i].number);
}

static void what_is_written(void **state)
{
	static const char *const good[] = { "public",   "Loopback:3000", "private:1-65535", "none",     "all",
					    "a.test",   "a_b.test:1",    "*.a.test:80",     "10.0.0.1", "10.0.0.0/8:22",
					    "[::1]:80", "fd00::/8",      "[fd00::]/8:80" };
	static const char *const bad[] = {
		"",        "*",           "a b",       "http://a.test", "a.test/", "a.test:0",    "a.test:70000",
		"a.test:", "a.*.test",    "user@host", "none:80",       "all:80",  "public:9-8",  "public:-8",
		":80",     "10.0.0.0/33", "::1",       "*.*.test",      ".test",   "a.test:80:90"
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!egress_is_rule(good[i]))
			fail_msg("%s is refused", good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (egress_is_rule(bad[i]))
			fail_msg("\"%s\" is taken", bad[i]);
	assert_true(egress_is_host("*.a.test:80") && egress_is_host("10.0.0.1") && egress_is_host("[::1]:8080"));
	assert_false(egress_is_host("public") || egress_is_host("10.0.0.0/8") || egress_is_host("none"));
}

static void what_does_not_go_together(void **state)
{
	static const char *const bad[] = { "none,public", "public,none", "all,public", "", "public,,private", "public,nonsense!" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_cleanup_(str_done) struct str error = {};
		struct egress_rules *r = NULL;

		if (egress_rules_parse(bad[i], &r, &error) == 0 || !error.len)
			fail_msg("\"%s\" is taken", bad[i]);
	}
}

static void what_restricts(void **state)
{
	_cleanup_(egress_rules_freep) struct egress_rules *all = parse("all"), *some = parse(" public , loopback:1 ");

	assert_false(egress_rules_restrict(NULL) || egress_rules_restrict(all));
	assert_true(egress_rules_restrict(some));
	assert_string_equal(egress_rules_text(some), "public,loopback:1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_allowed),
		cmocka_unit_test(what_is_written),
		cmocka_unit_test(what_does_not_go_together),
		cmocka_unit_test(what_restricts),
	};

	return cmocka_run_group_tests_name("egress_rules", tests, NULL, NULL);
}
