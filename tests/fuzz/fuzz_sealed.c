/* Any bytes as a sealed document: they are read within their bounds, and only what was sealed with the key opens. */
#include <errno.h>

#include "fuzz.h"
#include "vault/private_file.h"
#include "vault/sealed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct vault_key key = { .bytes = { 1, 2, 3 }, .id = { 'k', 'e', 'y', 'k', 'e', 'y', 'k', 'e' } };
	static const struct sealed_about about = { "state", "ann", "shop" };
	_cleanup_(private_wipe) struct str opened = {}, sealed = {}, why = {};
	_cleanup_(freep) char *copy = fuzz_copy(data, size);
	int r = sealed_open(&key, &about, copy, size, &opened);

	CHECK(r < 0 && opened.len == 0);
	sealed_explain(r, &key, copy, size, &why);
	CHECK(why.len > 0);
	CHECK(sealed_seal(&key, &about, copy, size, &sealed) == 0);
	CHECK(sealed_open(&key, &about, sealed.data, sealed.len, &opened) == 0);
	CHECK(opened.len == size && (size == 0 || memcmp(opened.data, copy, size) == 0));
	return 0;
}
