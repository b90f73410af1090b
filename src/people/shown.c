#include "people/shown.h"

#include <string.h>

#include "base/display.h"
#include "base/limits.h"
#include "observe/clip.h"
#include "observe/redact.h"

#define ADDRESS_SHOWN 120 /* bytes */

void shown_clip(struct str *out, const char *text, size_t max)
{
	size_t len = strnlen(text, max + 1), fits = clip_fit(text, len, max);

	str_append_len(out, text, fits);
	if (fits < len)
		str_append(out, SHOWN_DOTS);
}

static void shown_masked(struct str *out, struct str *text, size_t max)
{
	_cleanup_(str_done) struct str part = {};

	redact(text);
	shown_clip(&part, str_text(text), max);
	display_line(out, str_text(&part));
}

void shown_text(struct str *out, const char *text, size_t max)
{
	_cleanup_(str_done) struct str start = {};

	str_append_len(&start, text, clip_fit(text, strnlen(text, LIMIT_SHOWN_MASKED + 4), LIMIT_SHOWN_MASKED));
	shown_masked(out, &start, max);
}

void shown_lines(struct str *out, const char *text, size_t max)
{
	_cleanup_(str_done) struct str masked = {};

	str_append_len(&masked, text, strnlen(text, max + LIMIT_SHOWN_MASKED));
	redact(&masked);
	shown_clip(out, str_text(&masked), max);
}

/* "http://" for an address with an authority; 0: it has none. */
static size_t authority_begins(const char *url)
{
	size_t n = strcspn(url, ":/?#");

	return starts_with(url + n, "://") ? n + 3 : 0;
}

static bool is_all_content(const char *url)
{
	size_t colon = strcspn(url, ":/.?#");

	return url[colon] == ':' && !authority_begins(url) && !starts_with(url, "about:");
}

/* Behind the last '@' of the authority. */
static size_t host_begins(const char *url, size_t from)
{
	size_t end = from ? from + strcspn(url + from, "/?#") : 0;

	while (end > from && url[end - 1] != '@')
		end--;
	return end;
}

void shown_address(struct str *out, const char *url)
{
	_cleanup_(str_done) struct str start = {}, shown = {};
	size_t from, end;

	str_append_len(&start, url, strnlen(url, LIMIT_SHOWN_MASKED));
	url = str_text(&start);
	from = authority_begins(url);
	end = is_all_content(url) ? strcspn(url, ":") + 1 : strcspn(url, "?#");
	str_append_len(&shown, url, from);
	from = host_begins(url, from);
	str_append_len(&shown, url + from, end - from);
	shown_masked(out, &shown, ADDRESS_SHOWN);
	if (url[end])
		str_append(out, url[end] == '?' ? "?" SHOWN_DOTS : SHOWN_DOTS);
}
