#include "test.h"

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static void gives_zeroed_aligned_memory_of_any_size(void **state)
{
	_cleanup_(arena_done) struct arena a = {};

	for (size_t size = 0; size < 20000; size = size * 3 / 2 + 1) {
		unsigned char *p = arena_alloc(&a, size);

		assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, size); /* must not reach into what follows */
	}
}

static void small_pieces_after_a_large_one_share_a_block(void **state)
{
	_cleanup_(arena_done) struct arena a = {};
	struct arena_block *first;

	arena_alloc(&a, 16);
	first = a.blocks;
	arena_alloc(&a, 100000);
	arena_alloc(&a, 16);
	assert_ptr_equal(a.blocks, first);
}

static void copies_text(void **state)
{
	_cleanup_(arena_done) struct arena a = {};

	assert_null(arena_strdup(&a, NULL));
	assert_string_equal(arena_strdup(&a, ""), "");
	assert_string_equal(arena_strdup(&a, "text"), "text");
	assert_string_equal(arena_strndup(&a, "text", 2), "te");
	assert_string_equal(arena_printf(&a, "%d %s", 7, "seven"), "7 seven");
	assert_int_equal(strlen(arena_printf(&a, "%*d", 9000, 1)), 9000);
}

static void done_twice_is_harmless(void **state)
{
	struct arena a = {};

	arena_done(&a);
	arena_alloc(&a, 1);
	arena_done(&a);
	arena_done(&a);
	assert_null(a.blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_zeroed_aligned_memory_of_any_size),
		cmocka_unit_test(small_pieces_after_a_large_one_share_a_block),
		cmocka_unit_test(copies_text),
		cmocka_unit_test(done_twice_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
