/* A secret, a newline, and a text: neither the secret nor the value of a parameter is left in the text, and a second pass changes nothing. */
#include "base/mask.h"
#include "fuzz.h"
#include "reply/url_params.h"

#define SECRET_MAX 100
#define TEXT_MAX 10000

static void check_parameters(const char *text)
{
	static const char *const names[] = { "token", NULL };
	_cleanup_(str_done) struct str once = {}, twice = {};

	str_append(&once, text);
	url_params_redact(names, &once);
	CHECK(!strstr(str_text(&once), "?token=a"));
	str_append(&twice, str_text(&once));
	url_params_redact(names, &twice);
	CHECK(strcmp(str_text(&once), str_text(&twice)) == 0);
}

static void check_secret(const char *value, const char *text)
{
	const struct secret secrets[] = { { "X", value }, {} };
	_cleanup_(str_done) struct str masked = {};

	if (strlen(value) < MASK_VALUE_MIN || strstr("<secret>X</secret>", value))
		return;
	mask_configure(secrets);
	str_append(&masked, text);
	mask_text(&masked);
	CHECK(masked.len == 0 || *text == '{' || *text == '[' || strstr(value, "<") || strstr(value, ">") ||
	      !strstr(masked.data, value));
	mask_done();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = memchr(data, '\n', size);
	size_t len = newline ? (size_t)(newline - data) : size;
	char *value = must(strndup((const char *)data, MIN(len, (size_t)SECRET_MAX)));
	char *text = newline ? must(strndup((const char *)newline + 1, MIN(size - len - 1, (size_t)TEXT_MAX))) : must(strdup(""));

	check_secret(value, text);
	check_parameters(text);
	free(value);
	free(text);
	return 0;
}
