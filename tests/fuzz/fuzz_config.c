/* A config file as INI: what is refused is refused with a reason, and what it stands for is JSON. */
#include "base/json.h"
#include "base/limits.h"
#include "fuzz.h"
#include "main/option_parser.h"

static void check_ini(const char *text)
{
	_cleanup_(str_done) struct str converted = {}, error = {};

	if (option_ini_to_json(text, &converted, &error) < 0)
		CHECK(error.len);
	else
		CHECK(json_check(converted.data, converted.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = must(strndup((const char *)data, size));

	check_ini(text);
	free(text);
	return 0;
}
