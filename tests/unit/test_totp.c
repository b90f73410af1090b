/* One-time codes: the test vectors of RFC 6238, and the forms in which keys are given. */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "vault/totp.h"

/* RFC 6238, appendix B, with the keys of its program: "1234567890" repeated, as long as the digest. */
#define KEY_SHA1 "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
#define KEY_SHA256 "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA===="
#define KEY_SHA512 "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA="

static void expect_code(const struct totp *t, uint64_t time, const char *code)
{
	char got[TOTP_DIGITS_MAX + 1];

	totp_code(t, time, got);
	assert_string_equal(got, code);
}

static struct totp totp_of(const char *text)
{
	const char *why = NULL;
	struct totp t = {};

	if (totp_parse(text, &t, &why) < 0)
		fail_msg("%s: %s", text, why);
	return t;
}

static void the_vectors_of_rfc_6238(void **state)
{
	static const struct {
		uint64_t time;
		const char *sha1, *sha256, *sha512;
	} vectors[] = {
		{ 59, "94287082", "46119246", "90693936" },         { 1111111109, "07081804", "68084774", "25091201" },
		{ 1111111111, "14050471", "67062674", "99943326" }, { 1234567890, "89005924", "91819424", "93441116" },
		{ 2000000000, "69279037", "90698825", "38618901" }, { 20000000000, "65353130", "77737706", "47863826" },
	};
	struct totp sha1 = totp_of("otpauth://totp/x?digits=8&secret=" KEY_SHA1);
	struct totp sha256 = totp_of("otpauth://totp/x?digits=8&algorithm=SHA256&secret=" KEY_SHA256);
	struct totp sha512 = totp_of("otpauth://totp/x?digits=8&algorithm=sha512&secret=" KEY_SHA512);

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		expect_code(&sha1, vectors[i].time, vectors[i].sha1);
		expect_code(&sha256, vectors[i].time, vectors[i].sha256);
		expect_code(&sha512, vectors[i].time, vectors[i].sha512);
	}
}

static void digits_and_period(void **state)
{
	struct totp six = totp_of(KEY_SHA1), seven = totp_of("otpauth://totp/x?secret=" KEY_SHA1 "&digits=7");
	struct totp minute = totp_of("otpauth://totp/x?secret=" KEY_SHA1 "&period=60&digits=8");

	assert_true(six.digits == 6 && six.period == 30 && six.hash == TOTP_SHA1);
	expect_code(&six, 59, "287082");
	expect_code(&seven, 59, "4287082");
	expect_code(&minute, 119, "94287082"); /* the second period, as 59 is of 30 seconds */
	expect_code(&six, 1111111109, "081804");
}

static void base32_in_all_its_forms(void **state)
{
	static const struct {
		const char *text, *bytes;
	} forms[] = {
		/* RFC 4648, section 10 */
		{ "MY======", "f" },
		{ "MZXQ====", "fo" },
		{ "MZXW6===", "foo" },
		{ "MZXW6YQ=", "foob" },
		{ "MZXW6YTB", "fooba" },
		{ "MZXW6YTBOI======", "foobar" },
		{ "mzxw6ytboi", "foobar" },
		{ "mzxw 6ytb-oi ", "foobar" },
		{ "otpauth://totp/ACME%20Co:ann@example.com?issuer=ACME&secret=MZXW6YTBOI%3D%3D&x", "foobar" },
		{ "OTPAUTH://TOTP/x?SECRET=mzxw6ytboi#secret=MY", "foobar" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct totp t = totp_of(forms[i].text);

		assert_int_equal(t.key_len, strlen(forms[i].bytes));
		assert_memory_equal(t.key, forms[i].bytes, t.key_len);
	}
}

static void what_is_no_key_is_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} wrong[] = {
		{ "", "empty" },
		{ "=", "empty" },
		{ "M", "empty" },
		{ "12345678", "base32" },
		{ "MZXW6YT!", "base32" },
		{ "MZXW6===MZXW6", "padding" },
		{ "otpauth://hotp/x?secret=MZXW6YTBOI&counter=1", "another type" },
		{ "otpauth://totp/x", "no secret" },
		{ "otpauth://totp/x?issuer=secret", "no secret" },
		{ "otpauth://totp/x?secret=", "empty" },
		{ "otpauth://totp/x?secret=MY&digits=5", "digits" },
		{ "otpauth://totp/x?secret=MY&digits=6x", "digits" },
		{ "otpauth://totp/x?secret=MY&digits=", "digits" },
		{ "otpauth://totp/x?secret=MY&period=0", "period" },
		{ "otpauth://totp/x?secret=MY&period=99999999999999999999", "period" },
		{ "otpauth://totp/x?secret=MY&algorithm=MD5", "algorithm" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		const char *why = NULL;
		struct totp t = { .digits = 99 };

		assert_int_equal(totp_parse(wrong[i].text, &t, &why), -EINVAL);
		assert_int_equal(t.digits, 99);
		if (!why || !strstr(why, wrong[i].why))
			fail_msg("%s: %s", wrong[i].text, why);
	}
}

static void a_key_has_a_limit(void **state)
{
	char text[TOTP_KEY_MAX * 2];
	const char *why = NULL;
	struct totp t;

	memset(text, 'A', sizeof(text));
	text[TOTP_KEY_MAX * 8 / 5] = '\0';
	assert_int_equal(totp_parse(text, &t, &why), 0);
	text[TOTP_KEY_MAX * 8 / 5] = 'A';
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(totp_parse(text, &t, &why), -EINVAL);
	assert_string_equal(why, "it has more than 128 bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vectors_of_rfc_6238), cmocka_unit_test(digits_and_period),
		cmocka_unit_test(base32_in_all_its_forms), cmocka_unit_test(what_is_no_key_is_refused),
		cmocka_unit_test(a_key_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
