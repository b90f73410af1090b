#include "observe/redact.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
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
 * The search for one pattern in one text. A page can choose a text for which a pattern takes time that is quadratic in its length: for
 * [a-z]+@, a run of letters. So the text is searched in slices, and what is behind the last one for which there was time is left out.
 * REG_STARTEND and the functions below, which regcomp() is a part of in glibc, take a length, so that the text may contain NULs.
 */
struct search {
	regex_t *pattern;
	const struct str *text;
	size_t at;      /* no match begins before that but those that were returned */
	uint64_t until; /* processor time of this thread, nanoseconds */
	bool is_cut;
};

#define SLICE_STEPS (4u << 20) /* of a slice: characters that are looked at, if each beginning leads to the end of the window */
#define WINDOW ((size_t)(64u << 10)) /* how far the end of a match may be from its beginning before the match is known to exist */

static uint64_t processor_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* `$` matches at the end of the text only. */
static size_t end_of_window(struct search *s, size_t from, size_t window)
{
	size_t end = s->text->len - from > window ? from + window : s->text->len;

	s->pattern->not_eol = end < s->text->len;
	return end;
}

/* The end of the longest match at `from`, which may be longer than a window. */
static size_t end_of_match(struct search *s, size_t from)
{
	for (size_t window = WINDOW;; window *= 2) {
		size_t end = end_of_window(s, from, window);
		regoff_t len = re_match(s->pattern, s->text->data, (regoff_t)end, (regoff_t)from, NULL);

		if (len <= 0 || from + (size_t)len < end || end == s->text->len)
			return from + (size_t)MAX(len, 0);
	}
}

/* Finds the next match that is not empty. */
static bool next_match(struct search *s, size_t *ret_from, size_t *ret_to)
{
	while (s->at < s->text->len && !s->is_cut) {
		size_t end = end_of_window(s, s->at, WINDOW), starts = MIN(SLICE_STEPS / (end - s->at), end - s->at);
		regoff_t found = re_search(s->pattern, s->text->data, (regoff_t)end, (regoff_t)s->at, (regoff_t)starts - 1, NULL);

		*ret_from = found >= 0 ? (size_t)found : 0;
		*ret_to = found >= 0 ? end_of_match(s, *ret_from) : 0;
		s->at = found < 0 ? s->at + starts : MAX(*ret_to, *ret_from + 1);
		s->is_cut = s->at < s->text->len && processor_time() > s->until;
		if (*ret_to > *ret_from)
			return true;
	}
	return false;
}

static void mask(regex_t *pattern, struct str *text)
{
	struct search s = { .pattern = pattern, .text = text };
	struct str masked = {};
	size_t at = 0, from, to;

	s.until = processor_time() + LIMIT_REDACT_NSEC + LIMIT_REDACT_NSEC_PER_BYTE * (uint64_t)text->len;
	while (next_match(&s, &from, &to)) {
		str_append_len(&masked, text->data + at, from - at);
		str_append(&masked, REDACTED);
		at = to;
	}
	if (at == 0 && !s.is_cut)
		return;
	str_append_len(&masked, text->data + at, (s.is_cut ? s.at : text->len) - at);
	str_append(&masked, s.is_cut ? REDACTED " (the rest takes too long to search)" : "");
	str_move(text, &masked);
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

/* What is no letter, digit or "+-." does not belong to a scheme. Before the host there may be a name and a password. */
void redact_privately(struct str *out, const char *text)
{
	size_t scheme = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789+-."), length;
	const char *host = text + scheme + 3, *at;

	if (!scheme || strncmp(text + scheme, "://", 3) != 0) {
		str_append(out, REDACTED_PRIVATELY);
		return;
	}
	length = strcspn(host, "/?#\\ \n");
	at = memrchr(host, '@', length);
	length -= at ? (size_t)(at + 1 - host) : 0;
	str_append_len(out, text, scheme + 3);
	str_append_len(out, at ? at + 1 : host, length);
	str_append_char(out, '/');
}
