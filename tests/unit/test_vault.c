/* The logins of a vault: what is read, what is refused and how, for whom they are, and their origins. */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "vault/logins.h"
#include "vault/origin.h"
#include "vault/private_file.h"

#define SHOP "{\"name\":\"shop\",\"origins\":[\"https://Shop.example:443/\"],\"user\":\"ann\",\"password\":\"correct horse\"}"
#define VAULT(logins) "{\"version\":1,\"logins\":[" logins "]}"

static struct logins *logins_of(const char *text)
{
	_cleanup_(str_done) struct str error = {};
	struct logins *l = NULL;

	if (logins_parse(text, strlen(text), &l, &error) < 0)
		fail_msg("%s: %s", text, error.data);
	return l;
}

static void a_vault_is_read(void **state)
{
	_cleanup_(logins_freep) struct logins *l =
		logins_of(VAULT(SHOP ",{\"name\":\"bank\",\"origins\":[\"https://bank.example\",\"http://localhost:8080\"],"
				     "\"totp\":\"JBSWY3DPEHPK3PXP\",\"owners\":[\"ann\",\"bob\"]}"));
	const struct login *shop = logins_find(l, "shop"), *bank = logins_find(l, "bank");

	assert_int_equal(l->count, 2);
	assert_string_equal(l->items[0].name, "bank");
	assert_null(logins_find(l, "sho"));
	assert_string_equal(shop->origins[0], "https://shop.example");
	assert_null(shop->origins[1]);
	assert_string_equal(shop->user, "ann");
	assert_string_equal(shop->password, "correct horse");
	assert_false(shop->has_totp);
	assert_null(shop->owners);
	assert_string_equal(bank->origins[1], "http://localhost:8080");
	assert_string_equal(bank->password, "");
	assert_true(bank->has_totp);
	assert_string_equal(bank->owners[1], "bob");
}

static void what_is_printed_is_read_again(void **state)
{
	_cleanup_(logins_freep) struct logins *l = logins_of(VAULT(
		"{\"name\":\"a.b-c_1\",\"origins\":[\"https://a.example\"],\"user\":\"\\u00fc\\\"\",\"password\":\"p\\\\\\u20ac \\t\","
		"\"totp\":\"otpauth://totp/x?secret=MZXW6YTBOI\",\"owners\":[\"ann\"]}," SHOP));
	_cleanup_(logins_freep) struct logins *again = NULL;
	_cleanup_(str_done) struct str first = {}, second = {};

	logins_print(l, &first);
	again = logins_of(first.data);
	logins_print(again, &second);
	assert_string_equal(first.data, second.data);
	assert_string_equal(again->items[0].password, "p\\\u20ac \t");
}

static void what_is_wrong_is_named_without_secrets(void **state)
{
	static const struct {
		const char *text, *part;
	} wrong[] = {
		{ "", "not JSON" },
		{ "[]", "not a vault" },
		{ "{\"version\":2,\"logins\":[]}", "not a vault of this version" },
		{ "{\"version\":1}", "no list" },
		{ "{\"version\":1,\"logins\":{}}", "no list" },
		{ VAULT("1"), "not the name of a login" },
		{ VAULT("{}"), "not the name of a login" },
		{ VAULT("{\"name\":\"a b\"}"), "\"a b\" is not the name" },
		{ VAULT("{\"name\":\"../a\"}"), "is not the name" },
		{ VAULT("{\"name\":\"a\",\"password\":\"hunter2\"}"), "it has no origins" },
		{ VAULT("{\"name\":\"a\",\"origins\":[],\"password\":\"hunter2\"}"), "it has no origins" },
		{ VAULT("{\"name\":\"a\",\"origins\":\"https://a.example\",\"password\":\"hunter2\"}"), "origins is not a list" },
		{ VAULT("{\"name\":\"a\",\"origins\":[1],\"password\":\"hunter2\"}"), "origins is not possible" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"http://a.example\"],\"password\":\"hunter2\"}"), "use https" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"user\":\"hunter2\"}"), "neither a password nor" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"password\":\"abc\"}"), "password has to be" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"password\":\"hunter2\\n\"}"), "password has to be" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"password\":7}"), "password has to be" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"totp\":\"hunter2!\"}"), "totp is not possible" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"password\":\"hunter2\",\"owners\":[\"\"]}"),
		  "owners" },
		{ VAULT("{\"name\":\"a\",\"origins\":[\"https://a.example\"],\"passwort\":\"hunter2\"}"),
		  "passwort is not a member" },
		{ VAULT(SHOP "," SHOP), "two of this name" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		_cleanup_(str_done) struct str error = {};
		struct logins *l = NULL;

		assert_int_equal(logins_parse(wrong[i].text, strlen(wrong[i].text), &l, &error), -EINVAL);
		assert_null(l);
		if (!strstr(str_text(&error), wrong[i].part) || strstr(error.data, "hunter2"))
			fail_msg("%s: %s", wrong[i].text, str_text(&error));
	}
}

static int put(struct logins *l, const char *name, const char *text, struct str *error)
{
	_cleanup_(json_freep) struct json *v = NULL;

	assert_int_equal(json_parse(text, strlen(text), 8, JSON_REFUSE_UNREPRESENTABLE, &v), 0);
	return logins_put(l, name, v, error);
}

static void logins_are_added_replaced_and_removed(void **state)
{
	_cleanup_(logins_freep) struct logins *l = logins_new();
	_cleanup_(str_done) struct str error = {};

	assert_int_equal(put(l, "b", "{\"origins\":[\"https://b.example\"],\"password\":\"old one\"}", &error), 0);
	assert_int_equal(put(l, "a", "{\"origins\":[\"https://a.example\"],\"password\":\"other\"}", &error), 0);
	assert_int_equal(put(l, "c", "{\"origins\":[\"https://c.example\"],\"password\":\"third\"}", &error), 0);
	assert_int_equal(put(l, "b", "{\"origins\":[\"https://b.example\"],\"password\":\"new one\"}", &error), 0);
	assert_int_equal(l->count, 3);
	assert_string_equal(logins_find(l, "b")->password, "new one");
	assert_int_equal(put(l, "b", "{\"origins\":[\"https://b.example\"]}", &error), -EINVAL);
	assert_string_equal(logins_find(l, "b")->password, "new one");
	assert_true(logins_remove(l, "a"));
	assert_false(logins_remove(l, "a"));
	assert_int_equal(l->count, 2);
	assert_string_equal(logins_find(l, "c")->password, "third");
}

static void there_is_a_most_of_logins(void **state)
{
	_cleanup_(logins_freep) struct logins *l = logins_new();
	_cleanup_(str_done) struct str error = {};
	char name[16];

	for (unsigned i = 0; i < LIMIT_LOGINS_COUNT; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		assert_int_equal(put(l, name, "{\"origins\":[\"https://b.example\"],\"password\":\"old one\"}", &error), 0);
	}
	assert_int_equal(put(l, "more", "{\"origins\":[\"https://b.example\"],\"password\":\"old one\"}", &error), -ENOSPC);
	assert_int_equal(put(l, "n7", "{\"origins\":[\"https://b.example\"],\"password\":\"new one\"}", &error), 0);
}

static void who_may_use_a_login(void **state)
{
	static char ann[] = "ann", *owners[] = { ann, NULL };
	struct login open = {}, owned = { .owners = owners };

	assert_true(login_permits(&open, NULL, true));
	assert_false(login_permits(&open, NULL, false));
	assert_false(login_permits(&open, "ann", true));
	assert_true(login_permits(&owned, "ann", false));
	assert_false(login_permits(&owned, "an", false));
	assert_false(login_permits(&owned, "bob", true));
	assert_false(login_permits(&owned, NULL, true));
}

static void origins_as_browsers_have_them(void **state)
{
	static const struct {
		const char *text, *origin; /* NULL: refused */
	} origins[] = {
		{ "https://shop.example", "https://shop.example" },
		{ "HTTPS://Shop.EXAMPLE/", "https://shop.example" },
		{ "https://shop.example:443", "https://shop.example" },
		{ "https://shop.example:8443/", "https://shop.example:8443" },
		{ "https://xn--bcher-kva.example", "https://xn--bcher-kva.example" },
		{ "https://192.0.2.7", "https://192.0.2.7" },
		{ "https://[::1]:8443", "https://[::1]:8443" },
		{ "http://localhost:3000", "http://localhost:3000" },
		{ "http://app.localhost", "http://app.localhost" },
		{ "http://127.0.0.1:80", "http://127.0.0.1" },
		{ "http://[::1]", "http://[::1]" },
		{ "http://shop.example", NULL },
		{ "http://localhost.shop.example", NULL },
		{ "http://127.0.0.1.shop.example", NULL },
		{ "shop.example", NULL },
		{ "ftp://shop.example", NULL },
		{ "file:///etc/passwd", NULL },
		{ "https://", NULL },
		{ "https:///", NULL },
		{ "https://:443", NULL },
		{ "https://shop.example/login", NULL },
		{ "https://shop.example?", NULL },
		{ "https://shop.example#", NULL },
		{ "https://shop.example//", NULL },
		{ "https://ann@shop.example", NULL },
		{ "https://shop.example:", NULL },
		{ "https://shop.example:0", NULL },
		{ "https://shop.example:65536", NULL },
		{ "https://shop.example:443x", NULL },
		{ "https://shop.example:0443", NULL },
		{ "https://*.shop.example", NULL },
		{ "https://shop.example.", NULL },
		{ "https://shop..example", NULL },
		{ "https://.example", NULL },
		{ "https://b\u00fccher.example", NULL },
		{ "https://sh%6fp.example", NULL },
		{ "https://shop.example\\@evil.example", NULL },
		{ "https://127.1", NULL },
		{ "https://0x7f.1", NULL },
		{ "https://2130706433", NULL },
		{ "https://017.0.0.1", NULL },
		{ "https://[::2]", NULL },
		{ "https://[::1", NULL },
		{ "https://[::1]x", NULL },
		{ " https://shop.example", NULL },
		{ "https://shop.example ", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(origins); i++) {
		_cleanup_(str_done) struct str out = {};
		const char *why = NULL;
		int r = login_origin_parse(origins[i].text, &out, &why);

		if ((r == 0) != (origins[i].origin != NULL) ||
		    strcmp(str_text(&out), origins[i].origin ? origins[i].origin : "") != 0)
			fail_msg("%s: %d, %s", origins[i].text, r, str_text(&out));
		assert_true(r == 0 || why);
	}
}

static void a_file_is_written_and_read(void **state)
{
	static const struct vault_key key = { .bytes = { 1 }, .id = { 1 } }, other = { .bytes = { 2 }, .id = { 2 } };
	_cleanup_(logins_freep) struct logins *l = logins_of(VAULT(SHOP)), *read = NULL;
	_cleanup_(str_done) struct str path = {}, error = {}, command = {};
	char folder[] = "/tmp/browserd-vault-XXXXXX";

	assert_non_null(mkdtemp(folder));
	str_appendf(&path, "%s/vault", folder);
	assert_int_equal(logins_read(&key, path.data, &read, &error), -ENOENT);
	assert_int_equal(logins_write(&key, path.data, l, &error), 0);
	assert_int_equal(logins_read(&key, path.data, &read, &error), 0);
	assert_string_equal(logins_find(read, "shop")->password, "correct horse");
	str_reset(&error);
	assert_int_equal(logins_read(&other, path.data, &read, &error), -ENOKEY);
	assert_non_null(strstr(error.data, path.data));
	str_appendf(&command, "rm -rf %s", folder);
	assert_int_equal(system(command.data), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_vault_is_read),
		cmocka_unit_test(what_is_printed_is_read_again),
		cmocka_unit_test(what_is_wrong_is_named_without_secrets),
		cmocka_unit_test(logins_are_added_replaced_and_removed),
		cmocka_unit_test(there_is_a_most_of_logins),
		cmocka_unit_test(who_may_use_a_login),
		cmocka_unit_test(origins_as_browsers_have_them),
		cmocka_unit_test(a_file_is_written_and_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
