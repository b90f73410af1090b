#include "test.h"

#include "observe_fixture.h"

#include <stdio.h>
#include <string.h>

#include "../support/normalisers.h"
#include "base/clock.h"
#include "base/limits.h"

void tell_values(struct journal *j, const char *event, uint64_t types, const char *template, ...)
{
	_cleanup_(str_done) struct str text = {};
	_cleanup_(json_freep) struct json *params = NULL;
	va_list ap;

	va_start(ap, template);
	str_vjson(&text, types, template, ap);
	va_end(ap);
	assert_int_equal(json_parse(text.data, text.len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &params), 0);
	for (size_t i = 0; i < ARRAY_SIZE(normaliser_table); i++)
		if (strcmp(normaliser_table[i].event, event) == 0) {
			normaliser_table[i].fn(j, SESSION, params);
			return;
		}
	fail_msg("no normaliser for %s", event);
}

static uint64_t random_state;

void random_begin(void)
{
	const char *seed = getenv("OBSERVE_SEED");

	random_state = seed ? strtoull(seed, NULL, 0) : clock_now() | 1;
	print_message("OBSERVE_SEED=%llu\n", (unsigned long long)random_state);
}

/* xorshift64*, Vigna 2016 */
unsigned random_below(unsigned n)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned)((random_state * 2685821657736338717ull) >> 33) % n;
}
