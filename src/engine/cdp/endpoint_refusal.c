/* What is told of a server that does not give the browser which it was asked for. */
#include <string.h>

#include "engine/cdp/endpoint.h"

#define HIDDEN_MIN 6       /* bytes of a word that is hidden: shorter ones occur by chance, and are settings ("true", "60000") */
#define HIDDEN_PATH_MIN 16 /* of a part of the path, most of which are names */

struct advice {
	unsigned status;
	bool may_pass;
	const char *reason, *text;
};

static const struct advice advice_table[] = {
	{ 400, false, "Bad Request", "it does not take the request; check the address, and whether a session of a grid has ended" },
	{ 401, false, "Unauthorized", "it does not accept the token or password; check the address and the headers" },
	{ 402, false, "Payment Required", "its account has nothing left to use; see to the account" },
	{ 403, false, "Forbidden", "it does not permit this; check the token, and what the account may do" },
	{ 404, false, "Not Found", "there is no browser at this path; check the address, or start another session of the grid" },
	{ 408, true, "Request Timeout", "it had no browser in time" },
	{ 429, true, "Too Many Requests", "its limit of sessions is reached; close a session, or" },
	{ 502, true, "Bad Gateway", "what is behind it does not answer" },
	{ 503, true, "Service Unavailable", "it has no browser to give now" },
	{ 504, true, "Gateway Timeout", "what is behind it does not answer in time" },
};

static const struct advice *find_advice(unsigned status)
{
	for (size_t i = 0; i < ARRAY_SIZE(advice_table); i++)
		if (advice_table[i].status == status)
			return &advice_table[i];
	return NULL;
}

bool endpoint_refusal_may_pass(const struct refusal *r)
{
	const struct advice *a = find_advice(r->status);

	return r->status ? a && a->may_pass : !r->untrusted;
}

/* ---- secrets of the address in what the server says ---- */

static void hide_word(const char *word, size_t len, char *text)
{
	size_t said = strlen(text);

	for (char *at = text; (at = memmem(at, said - (size_t)(at - text), word, len)); at += len)
		memset(at, '*', len);
	/* The end of the text may have cut one. */
	for (size_t part = MIN(len - 1, said); said == REFUSAL_TEXT_MAX && part > 0; part--)
		if (memcmp(text + said - part, word, part) == 0) {
			memset(text + said - part, '*', part);
			break;
		}
}

static void hide_secrets(const struct endpoint *e, char *text)
{
	const char *word = str_text(&e->secrets);

	for (size_t len; *word; word += len + (word[len] != '\0')) {
		len = strcspn(word, "\n");
		if (len)
			hide_word(word, len, text);
	}
}

static void keep_word(struct endpoint *e, const char *word, size_t len, size_t min)
{
	if (len < min)
		return;
	for (size_t i = 0; i < len; i++)
		str_append_char(&e->secrets, word[i] > ' ' && word[i] <= '~' ? word[i] : '?'); /* as a refusal has it */
	str_append_char(&e->secrets, '\n');
}

static void keep_words(struct endpoint *e, const char *text, size_t len, const char *ends, size_t min)
{
	const char *end = text + len;

	while (text < end) {
		size_t word = MIN(strcspn(text, ends), (size_t)(end - text));

		keep_word(e, text, word, min);
		text += word + 1;
	}
}

void endpoint_keep_secrets(struct endpoint *e, const char *text, size_t len)
{
	_cleanup_(str_done) struct str plain = {};

	str_append_percent_decoded(&plain, text, len);
	keep_words(e, text, len, " :&=", HIDDEN_MIN);
	if (plain.len != len)
		keep_words(e, str_text(&plain), plain.len, " ", HIDDEN_MIN);
}

void endpoint_keep_path(struct endpoint *e, const char *url)
{
	size_t path = strcspn(url, "?");

	keep_words(e, url, path, "/", HIDDEN_PATH_MIN);
	for (const char *value = strchr(url + path, '='); value; value = strchr(value, '=')) {
		value++;
		endpoint_keep_secrets(e, value, strcspn(value, "&"));
		value += strcspn(value, "&");
	}
}

void endpoint_explain(const struct endpoint *e, const struct refusal *r, struct str *out)
{
	const struct advice *a = find_advice(r->status);
	struct refusal shown = *r;

	if (!a) {
		str_appendf(out, "the server responded with HTTP status %u", r->status);
	} else {
		str_appendf(out, "the browser provider answered %u %s: %s", r->status, a->reason, a->text);
		if (a->may_pass)
			str_append(out, r->status == 429 ? " try again" : "; try again");
		if (a->may_pass && r->retry_after)
			str_appendf(out, " in %u s", r->retry_after);
		else if (a->may_pass)
			str_append(out, " later");
	}
	hide_secrets(e, shown.text);
	if (*shown.text && *shown.text != '<') /* pages are for browsers */
		str_appendf(out, ". It says: %s", shown.text);
}
