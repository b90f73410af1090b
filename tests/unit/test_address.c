/* Which addresses may be opened, however they are written. */
#include "test.h"

#include <string.h>

#include "page/address.h"

static const char *const allowed[] = {
	"http://example.com/",
	"HTTPS://EXAMPLE.COM",
	"http:example.com",
	"  \t\r\nhttp://x",
	"ht\ntp://x",
	"\x01http://x",
	"data:text/html,x",
	"DATA:,",
	"data:text/html,<script>location='chrome://gpu'</script>",
	"blob:http://x/1",
	"blob:https://x/1",
	"blob:null/1",
	"BLOB:\thttp://x",
	"about:blank",
	"about:blank#file:///etc/passwd",
	"about:blank?x",
	"about:blank \n",
	"About:blank",
	"about:srcdoc",
	("a\tbout:b"
	 "lank"),
};

static const char *const refused[] = {
	"file:///etc/passwd",
	"FILE:/etc/passwd",
	"  file:///",
	"\tfile:///",
	"\x01\x1f file:///",
	"fi\tle:///",
	"f\ri\nl\te\t:///etc",
	"file\n:x",
	"view-source:http://x",
	"view-source:view-source:file:///",
	"VIEW-SOURCE:file:///",
	"view-\nsource:http://x",
	"view-source:about:blank",
	"filesystem:http://x/temporary/y",
	"filesystem:file:///x",
	"devtools://devtools/bundled/inspector.html",
	"chrome://gpu",
	"chrome:gpu",
	"Chrome://GPU",
	" chrome://version",
	"chrome-untrusted://x",
	"chrome-extension://x/y",
	"chrome-search://x",
	"chrome-error://chromewebdata/",
	"chrome-devtools://x",
	"javascript:alert(1)",
	"java\nscript:1",
	"about:version",
	"about:gpu",
	"about:blank/../gpu",
	"about:blankx",
	"about:",
	"about://gpu",
	"about:BLANK",
	"blob:file:///x",
	"blob:chrome://gpu/1",
	"blob:null",
	"blob:",
	"blob:blob:http://x",
	"blob:view-source:http://x",
	"ftp://x",
	"ws://x",
	"mailto:a@b",
	"intent://x",
	"isolated-app://x",
	"externalfile:x",
	"content://x",
	"unheard-of-and-longer-than-any-scheme:x",
	"data",
	"",
	" ",
	":",
	"//x",
	"/etc/passwd",
	"1http://x",
	("\xef\xbb\xbf"
	 "http://x"),
	"http\xc3\xa9:x",
	"ht tp://x",
	"-file:x",
};

static void what_may_be_opened(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
		if (!address_allowed(allowed[i], false) || !address_allowed(allowed[i], true))
			fail_msg("%s is refused", allowed[i]);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (address_allowed(refused[i], false))
			fail_msg("%s is allowed", refused[i]);
}

static void files_where_they_are_allowed(void **state)
{
	assert_true(address_allowed("file:///etc/hostname", true));
	assert_true(address_allowed("blob:file:///1", true));
	assert_false(address_allowed("view-source:file:///etc/hostname", true));
	assert_false(address_allowed("filesystem:file:///x", true));
	assert_false(address_allowed("chrome://gpu", true));
	assert_false(address_allowed("blob:chrome://gpu", true));
}

static void where_a_page_may_stay(void **state)
{
	assert_true(address_may_stay("", false));
	assert_true(address_may_stay("chrome-error://chromewebdata/", false));
	assert_true(address_may_stay("chrome://newtab/", false));
	assert_true(address_may_stay("https://example.com/", false));
	assert_false(address_may_stay("chrome://gpu/", false));
	assert_false(address_may_stay("file:///etc/hostname", false));
	assert_true(address_may_stay("file:///etc/hostname", true));
}

static void the_scheme(void **state)
{
	char scheme[ADDRESS_SCHEME_SIZE];

	assert_string_equal(address_scheme(" V\tiew-Source:\nhttp://x", scheme), "http://x");
	assert_string_equal(scheme, "view-source");
	assert_null(address_scheme("no scheme: here", scheme));
	assert_string_equal(scheme, "");
	assert_string_equal(address_scheme("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz:x", scheme), "x");
	assert_int_equal(strlen(scheme), ADDRESS_SCHEME_SIZE - 1);
}

static void completion(void **state)
{
	static const struct {
		const char *typed, *whole;
	} cases[] = {
		{ "localhost:3000", "http://localhost:3000" },
		{ "LOCALHOST", "http://LOCALHOST" },
		{ "127.0.0.1:8080/x", "http://127.0.0.1:8080/x" },
		{ "[::1]:80", "http://[::1]:80" },
		{ "0.0.0.0:80", "http://0.0.0.0:80" },
		{ "example.com", "https://example.com" },
		{ " example.com/a:b", "https://example.com/a:b" },
		{ "example.com:8443/x", "https://example.com:8443/x" },
		{ "http://x", "http://x" },
		{ "  HTTP://x", "HTTP://x" },
		{ "data:1,2", "data:1,2" },
		{ "file:1", "file:1" },
		{ "about:blank", "about:blank" },
		{ "chrome://gpu", "chrome://gpu" },
		{ "fi\tle:///x", "fi\tle:///x" },
		{ "view-source:http://x", "view-source:http://x" },
	};
	struct arena a = {};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(address_complete(&a, cases[i].typed, NULL), cases[i].whole);
	arena_done(&a);
}

static void completion_of_relative_addresses(void **state)
{
	static const struct {
		const char *typed, *whole;
	} cases[] = {
		{ "/login?next=%2F", "http://localhost:5173/login?next=%2F" },
		{ " users/7", "http://localhost:5173/app/users/7" },
		{ "?tab=2", "http://localhost:5173/app/start?tab=2" },
		{ "#end", "http://localhost:5173/app/start#end" },
		{ "//cdn.example/x", "http://cdn.example/x" },
		{ "localhost:3000", "http://localhost:3000" },
		{ "10.0.0.5:80", "https://10.0.0.5:80" },
		{ "db:5432", "https://db:5432" },
		{ "https://example.com/", "https://example.com/" },
	};
	struct arena a = {};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(address_complete(&a, cases[i].typed, "http://localhost:5173/app/start"), cases[i].whole);
	assert_string_equal(address_complete(&a, "?q=1", "http://localhost:5173"), "http://localhost:5173/?q=1");
	arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_be_opened),
		cmocka_unit_test(files_where_they_are_allowed),
		cmocka_unit_test(where_a_page_may_stay),
		cmocka_unit_test(the_scheme),
		cmocka_unit_test(completion),
		cmocka_unit_test(completion_of_relative_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
