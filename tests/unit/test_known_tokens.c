#include "test.h"

#include <stdio.h>
#include <string.h>

#include "auth/known_tokens.h"
#include "base/limits.h"

#define NOW 1800000000

static bool is_known(const struct known_tokens *k, const char *text, unsigned keys, int64_t now)
{
	struct token token = {};
	bool found = known_tokens_find(k, text, keys, now, &token);

	if (found)
		assert_true(token.rights == TOKEN_MAY_READ && !strcmp(token.subject, "ann"));
	free(token.subject);
	return found;
}

static void add(struct known_tokens *k, const char *text, unsigned keys)
{
	char subject[] = "ann";

	known_tokens_add(k, text, keys, &(struct token){ .subject = subject, .rights = TOKEN_MAY_READ, .until = NOW + 10 });
}

static void a_token_is_known_until_it_expires_or_keys_come(void **state)
{
	_cleanup_(known_tokens_freep) struct known_tokens *k = known_tokens_new();

	assert_false(is_known(k, "a.b.c", 0, NOW));
	add(k, "a.b.c", 1);
	assert_true(is_known(k, "a.b.c", 1, NOW));
	assert_true(is_known(k, "a.b.c", 1, NOW + 9));
	assert_false(is_known(k, "a.b.c", 1, NOW + 10));
	assert_false(is_known(k, "a.b.c", 2, NOW));
	assert_false(is_known(k, "a.b.d", 1, NOW));
	assert_false(is_known(k, "a.b.c.", 1, NOW));
	add(k, "a.b.c", 2);
	assert_true(is_known(k, "a.b.c", 2, NOW));
}

static void there_is_room_for_so_many(void **state)
{
	_cleanup_(known_tokens_freep) struct known_tokens *k = known_tokens_new();
	unsigned known = 0;
	char text[16];

	for (unsigned i = 0; i < 3 * LIMIT_KNOWN_TOKENS_COUNT; i++) {
		snprintf(text, sizeof(text), "token %u", i);
		add(k, text, 1);
		assert_true(is_known(k, text, 1, NOW));
	}
	for (unsigned i = 0; i < 3 * LIMIT_KNOWN_TOKENS_COUNT; i++) {
		snprintf(text, sizeof(text), "token %u", i);
		known += is_known(k, text, 1, NOW);
	}
	assert_in_range(known, LIMIT_KNOWN_TOKENS_COUNT / 2, LIMIT_KNOWN_TOKENS_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_token_is_known_until_it_expires_or_keys_come),
		cmocka_unit_test(there_is_room_for_so_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
