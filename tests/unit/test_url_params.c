/* Parameters of URLs whose values answers do not show: which spellings are found, and what stays. */
#include "test.h"

#include <string.h>

#include "reply/url_params.h"

static const char *const names[] = { "token", "api_key", NULL };

static void expect(const char *text, const char *redacted)
{
	_cleanup_(str_done) struct str s = {};

	str_append(&s, text);
	url_params_redact(names, &s);
	assert_string_equal(str_text(&s), redacted);
	url_params_redact(names, &s); /* a second time changes nothing */
	assert_string_equal(str_text(&s), redacted);
}

static void places(void **state)
{
	expect("", "");
	expect("http://h/?token=a1&b=2", "http://h/?token=<redacted>&b=2");
	expect("http://h/?b=2&token=a1#c", "http://h/?b=2&token=<redacted>#c");
	expect("http://h/#token=a1 and (http://h/?api_key=a2)", "http://h/#token=<redacted> and (http://h/?api_key=<redacted>)");
	expect("http://h/#/route?token=a1\"", "http://h/#/route?token=<redacted>\"");
	expect("http://h/?token=a1\003 b", "http://h/?token=<redacted>\003 b"); /* a mark in the row of a page */
	expect("http://h/?a=1;token=a1", "http://h/?a=1;token=<redacted>");
	expect("http://h/?a=1&amp;token=a1&amp;b", "http://h/?a=1&amp;token=<redacted>&amp;b");
}

static void spellings(void **state)
{
	expect("?TOKEN=a1&Api_Key=a2", "?TOKEN=<redacted>&Api_Key=<redacted>");
	expect("?%74oken=a1&to%6Ben=a2&%54%4f%4B%45%4E%3Da3",
	       "?%74oken=<redacted>&to%6Ben=<redacted>&%54%4f%4B%45%4E%3D<redacted>");
	expect("?api%5fkey=a1", "?api%5fkey=<redacted>");
	expect("?token[]=a1&token[0][x]=a2&token%5B%5D=a3", "?token[]=<redacted>&token[0][x]=<redacted>&token%5B%5D=<redacted>");
	expect("?token=%0Aa1", "?token=<redacted>");
}

static void addresses_in_addresses(void **state)
{
	expect("?x=http://h/?token=a1", "?x=http://h/?token=<redacted>");
	expect("?x=http%3A%2F%2Fh%2F%3Ftoken%3Da1%26b%3D2&c=3", "?x=http%3A%2F%2Fh%2F%3Ftoken%3D<redacted>%26b%3D2&c=3");
	expect("?x=h%253Ftoken%253Da%2525261%2526b%253D2", "?x=h%253Ftoken%253D<redacted>%2526b%253D2");
	expect("?x=h%3Ftoken%3Da%25261", "?x=h%3Ftoken%3D<redacted>");
}

static void other_texts(void **state)
{
	static const char *const same[] = { "token=a1",   "?token",   "?token=",    "?tokens=a1",   "?a=token", "?my_token=a1",
					    "?token[=a1", "?token[]", "?%74oke=a1", "100%; 5%25 %", "?%zz&%2",  "?token]=a1" };

	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		expect(same[i], same[i]);
	_cleanup_(str_done) struct str s = {};
	str_append(&s, "?token=a");
	url_params_redact(NULL, &s);
	assert_string_equal(s.data, "?token=a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places),
		cmocka_unit_test(spellings),
		cmocka_unit_test(addresses_in_addresses),
		cmocka_unit_test(other_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
