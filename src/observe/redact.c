#include "observe/redact.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "base/mask.h"

static struct {
	regex_t *patterns;
	size_t count;
	bool headers;
} setting;

bool redact_is_pattern(const char *pattern)
{
	regex_t compiled;

	if (regcomp(&compiled, pattern, REG_EXTENDED) != 0)
		return false;
	regfree(&compiled);
	return true;
}

void redact_done(void)
{
	for (size_t i = 0; i < setting.count; i++)
		regfree(&setting.patterns[i]);
	free(setting.patterns);
	memset(&setting, 0, sizeof(setting));
}

void redact_configure(const struct redact_settings *settings)
{
	const char *const *patterns = settings->patterns;
	size_t count = 0;

	redact_done();
	setting.headers = settings->headers;
	while (patterns && patterns[count])
		count++;
	setting.patterns = must(calloc(count + 1, sizeof(*setting.patterns)));
	for (size_t i = 0; i < count; i++)
		if (regcomp(&setting.patterns[setting.count], patterns[i], REG_EXTENDED) == 0)
			setting.count++;
}

bool redact_active(void)
{
	return setting.count > 0 || mask_active();
}

/*
 * Finds the next non-empty match in `text` from `at` on. With REG_STARTEND the text may contain NULs and is not
 * copied.
 */
static bool next_match(const regex_t *pattern, const struct str *text, size_t at, regmatch_t *ret)
{
	int flags = REG_STARTEND;

	for (; at < text->len; at++) {
		*ret = (regmatch_t){ (regoff_t)at, (regoff_t)text->len };
		if (regexec(pattern, text->data, 1, ret, flags | (at > 0 ? REG_NOTBOL : 0)) != 0)
			return false;
		if (ret->rm_eo > ret->rm_so)
			return true;
	}
	return false;
}

static void mask(const regex_t *pattern, struct str *text)
{
	struct str masked = {};
	size_t at = 0;
	regmatch_t m;

	while (next_match(pattern, text, at, &m)) {
		str_append_len(&masked, text->data + at, (size_t)m.rm_so - at);
		str_append(&masked, REDACTED);
		at = (size_t)m.rm_eo;
	}
	if (at == 0)
		return;
	str_append_len(&masked, text->data + at, text->len - at);
	str_done(text);
	*text = masked;
}

/* Secrets are masked first, because a pattern may match a part of one and leave the rest. */
void redact(struct str *text)
{
	mask_text(text);
	for (size_t i = 0; i < setting.count; i++)
		mask(&setting.patterns[i], text);
}

bool redact_is_secret_header(const char *name)
{
	static const char *const secret[] = { "authorization", "proxy-authorization", "cookie", "set-cookie" };

	for (size_t i = 0; setting.headers && i < ARRAY_SIZE(secret); i++)
		if (strcmp(secret[i], name) == 0)
			return true;
	return false;
}
