#include "test.h"

#include <errno.h>
#include <string.h>

#include "base/base64.h"

static void assert_decodes(const char *text, const char *bytes)
{
	uint8_t *out = must(malloc(BASE64_DECODED_SIZE(strlen(text))));

	assert_int_equal(base64_decode(text, strlen(text), out), strlen(bytes));
	assert_memory_equal(out, bytes, strlen(bytes));
	free(out);
}

/* RFC 4648, section 10; without padding, too. */
static void vectors_of_the_rfc(void **state)
{
	assert_decodes("", "");
	assert_decodes("Zg==", "f");
	assert_decodes("Zm8=", "fo");
	assert_decodes("Zm9v", "foo");
	assert_decodes("Zm9vYg==", "foob");
	assert_decodes("Zm9vYmE=", "fooba");
	assert_decodes("Zm9vYmFy", "foobar");
	assert_decodes("Zm9vYmE", "fooba");
	assert_decodes("+/+/", "\xfb\xff\xbf");
}

static void other_characters_are_refused(void **state)
{
	uint8_t out[BASE64_DECODED_SIZE(4)];

	assert_int_equal(base64_decode("Zm9\n", 4, out), -EINVAL);
	assert_int_equal(base64_decode("Zm-_", 4, out), -EINVAL);
	assert_int_equal(base64_decode("Z\0 v", 4, out), -EINVAL);
}

static void encoding_is_the_reverse(void **state)
{
	static const char *const pairs[][2] = { { "", "" },        { "f", "Zg==" },          { "fo", "Zm8=" },
						{ "foo", "Zm9v" }, { "foobar", "Zm9vYmFy" }, { "\xfb\xff\xbf", "+/+/" } };

	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		_cleanup_(str_done) struct str out = {};

		base64_encode(&out, (const uint8_t *)pairs[i][0], strlen(pairs[i][0]));
		assert_string_equal(str_text(&out), pairs[i][1]);
	}
}

static void tokens_have_an_alphabet_of_their_own(void **state)
{
	static const char *const wrong[] = { "Zg==", "Zg=", "+/+/", "Zm9vYg=", "Z", "Zm9vY", "Zh", "Zm9", "Zm 9", "Zg\n" };
	uint8_t out[BASE64_DECODED_SIZE(8)];

	assert_int_equal(base64url_decode("-_-_", 4, out), 3);
	assert_memory_equal(out, "\xfb\xff\xbf", 3);
	assert_int_equal(base64url_decode("Zg", 2, out), 1);
	assert_int_equal(base64url_decode("Zm8", 3, out), 2);
	assert_int_equal(base64url_decode("", 0, out), 0);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(base64url_decode(wrong[i], strlen(wrong[i]), out), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_of_the_rfc),
		cmocka_unit_test(other_characters_are_refused),
		cmocka_unit_test(encoding_is_the_reverse),
		cmocka_unit_test(tokens_have_an_alphabet_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
