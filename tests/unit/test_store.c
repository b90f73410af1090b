/* Addresses of state stores, and the reading of replies in pieces. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "store/address.h"
#include "store/resp.h"

static void check(const char *url, const char *described, const char *user, const char *password)
{
	_cleanup_(str_done) struct str text = {};
	struct store_address a;

	assert_true(store_address_parse(url, &a));
	store_address_describe(&a, &text);
	assert_string_equal(text.data, described);
	assert_string_equal(str_text(&a.user), user);
	assert_string_equal(str_text(&a.password), password);
	store_address_done(&a);
}

static void addresses_are_read(void **state)
{
	check("redis://localhost", "redis://localhost:6379", "", "");
	check("REDIS://h:1/", "redis://h:1", "", "");
	check("rediss://[::1]:65535/15", "rediss://[::1]:65535/15", "", "");
	check("redis://:p%40ss@h/0", "redis://h:6379", "", "p@ss");
	check("redis://ann:a:b@h", "redis://h:6379", "ann", "a:b");
	check("redis://ann@h", "redis://h:6379", "ann", "");
	check("redis://a:b@c:d@h:2", "redis://h:2", "a", "b@c:d");
	check("redis://u:p/w@h/3", "redis://h:6379/3", "u", "p/w");
}

static void other_texts_are_refused(void **state)
{
	static const char *const table[] = {
		"",
		"redis",
		"redis:",
		"redis://",
		"redis://:1",
		"redis://h:",
		"redis://h:0",
		"redis://h:65536",
		"redis://h:1x",
		"redis://h/x",
		"redis://h/1/2",
		"redis://h/70000",
		"redis://h/99999999",
		"http://h",
		"redis://h?db=1",
		"redis://h#1",
		"redis://[::1",
		"redis://[]",
		"redis://h\n",
		"redis://a b",
		"redis://a%00:b@h",
		"redis://a:%00@h",
		"redis://@",
		"redis://h:-1",
		"redis://h:1:2",
		"localhost:6379",
		"redis://h/-1",
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct store_address a;

		if (store_address_parse(table[i], &a))
			fail_msg("%s was taken", table[i]);
		store_address_done(&a);
	}
}

static void replies_come_in_any_pieces(void **state)
{
	static const char text[] = "+OK\r\n$5\r\na\r\nbc\r\n:12\r\n$-1\r\n*-1\r\n*2\r\n$1\r\nx\r\n$0\r\n\r\n-ERR no\r\n*0\r\n";
	static const enum resp_kind kinds[] = {
		RESP_STATUS, RESP_TEXT, RESP_INTEGER, RESP_NIL, RESP_NIL, RESP_LIST, RESP_ERROR, RESP_LIST,
	};

	if (!resp_available)
		skip();
	for (size_t piece = 1; piece < sizeof(text); piece++) {
		_cleanup_(resp_reader_freep) struct resp_reader *reader = resp_reader_new();
		struct resp *reply;
		size_t count = 0;

		for (size_t at = 0; at < sizeof(text) - 1; at += piece) {
			size_t left = sizeof(text) - 1 - at;

			assert_int_equal(resp_reader_feed(reader, text + at, left < piece ? left : piece), 0);
			while (resp_reader_next(reader, &reply) == 1) {
				assert_int_equal(reply->kind, kinds[count++]);
				resp_free(reply);
			}
		}
		assert_int_equal(count, ARRAY_SIZE(kinds));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_read),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(replies_come_in_any_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
