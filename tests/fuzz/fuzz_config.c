/* A config file, as INI or as JSON, and a storage state: what is refused is refused with a reason, and what an INI stands for is JSON. */
#include "base/json.h"
#include "base/limits.h"
#include "browser/storage.h"
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

static void check_state(const char *text)
{
	_cleanup_(json_freep) struct json *state = NULL;

	if (json_parse(text, strlen(text), LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &state) == 0)
		(void)storage_check(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = must(strndup((const char *)data, size));

	check_ini(text);
	check_state(text);
	free(text);
	return 0;
}
