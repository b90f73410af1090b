/* Any text as the logins of a vault: what is taken is printed as a text that reads the same. */
#include <errno.h>

#include "fuzz.h"
#include "vault/logins.h"
#include "vault/private_file.h"

static void check_login(const struct login *l)
{
	CHECK(l->name && l->name[0] && l->origins && l->origins[0] && l->user && l->password);
	for (char *const *origin = l->origins; *origin; origin++)
		CHECK(strncmp(*origin, "https://", 8) == 0 || strncmp(*origin, "http://", 7) == 0);
}

static void check_that_it_reads_the_same(const struct logins *l)
{
	_cleanup_(logins_freep) struct logins *again = NULL;
	_cleanup_(private_wipe) struct str first = {}, second = {}, error = {};

	logins_print(l, &first);
	CHECK(logins_parse(first.data, first.len, &again, &error) == 0);
	logins_print(again, &second);
	CHECK(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *copy = fuzz_copy(data, size);
	_cleanup_(logins_freep) struct logins *l = NULL;
	_cleanup_(str_done) struct str error = {};
	int r = logins_parse(copy, size, &l, &error);

	CHECK(r == 0 ? l && error.len == 0 : r == -EINVAL && !l && error.len > 0);
	for (size_t i = 0; l && i < l->count; i++)
		check_login(&l->items[i]);
	if (l)
		check_that_it_reads_the_same(l);
	return 0;
}
