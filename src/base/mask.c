#include "base/mask.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/limits.h"
#include "base/mask_internal.h"

#define TAG_OPEN "<secret>"
#define TAG_CLOSE "</secret>"

/* A search pattern: a secret, or the part of its base64 form that does not depend on the neighbouring bytes. */
struct pattern {
	const char *text;
	size_t len;
	const struct secret *secret;
	size_t plain_len;               /* length of the prefix whose characters have no encoded form */
	bool shares_first, shares_last; /* base64: the digit before or after the pattern also holds bits of the secret */
};

struct pattern_list {
	const struct pattern **items;
	size_t count;
};

/* A secret of mask_add(), which owns its texts. */
struct added {
	struct secret secret;
	usec_t until;
};

static struct {
	const struct secret *given;
	struct added added[LIMIT_MASKS_ADDED_COUNT];
	size_t added_count;
	const struct secret *secrets; /* both, in the arena */
	struct arena arena;
	struct pattern_list all;
	struct pattern_list by_first[256]; /* indexed by the first byte in the text */
	uint64_t openings[256][4];         /* bitmap of the byte pairs that a match may begin with */
} setting;

/* ---- the patterns ---- */

static void list_add(struct pattern_list *l, const struct pattern *p)
{
	const struct pattern **grown;

	for (size_t i = 0; i < l->count; i++)
		if (l->items[i] == p)
			return;
	if ((l->count & (l->count - 1)) == 0) {
		grown = arena_alloc(&setting.arena, MAX(2 * l->count, 1u) * sizeof(*grown));
		if (l->count)
			memcpy(grown, l->items, l->count * sizeof(*grown));
		l->items = grown;
	}
	l->items[l->count++] = p;
}

static bool always_plain(char c)
{
	return isalnum((unsigned char)c) && !((unsigned char)c & 0x80);
}

/* The first bytes of all encodings of a character. */
static size_t encoding_openings(char c, char ret[6])
{
	static const char special[] = { '\\', '%', '&', '+', (char)0xc2 };
	size_t count = 0;

	ret[count++] = c;
	for (size_t i = 0; i < sizeof(special) && !always_plain(c); i++)
		ret[count++] = special[i];
	return count;
}

static void mask_mark(unsigned char first, unsigned char second)
{
	setting.openings[first][second / 64] |= UINT64_C(1) << second % 64;
}

static void index_pattern(const struct pattern *p)
{
	char firsts[6], seconds[6];
	size_t first_count = encoding_openings(p->text[0], firsts), second_count = encoding_openings(p->text[1], seconds);

	for (size_t i = 0; i < first_count; i++) {
		unsigned char first = (unsigned char)firsts[i];

		list_add(&setting.by_first[first], p);
		for (unsigned second = 0; second < 256 && i > 0; second++)
			mask_mark(first, (unsigned char)second);
		for (size_t k = 0; k < second_count && i == 0; k++)
			mask_mark(first, (unsigned char)seconds[k]);
	}
}

static void add_pattern(const struct pattern *p)
{
	struct pattern *copy = arena_alloc(&setting.arena, sizeof(*copy));

	*copy = *p;
	while (copy->plain_len < p->len && always_plain(p->text[copy->plain_len]))
		copy->plain_len++;
	list_add(&setting.all, copy);
	index_pattern(copy);
}

/* Adds the URL-safe form of a base64 pattern if it differs. */
static void add_url_safe(const struct pattern *p)
{
	char *text = arena_strndup(&setting.arena, p->text, p->len);

	for (size_t i = 0; i < p->len; i++)
		text[i] = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
	if (memcmp(text, p->text, p->len) != 0)
		add_pattern(&(struct pattern){ .text = text,
					       .len = p->len,
					       .secret = p->secret,
					       .shares_first = p->shares_first,
					       .shares_last = p->shares_last });
}

#define BASE64_PATTERN_MIN 5 /* digits; shorter patterns would match image data by chance */

/* RFC 4648, section 4: six bits per digit. The secret may begin at any of the three bytes of a group. */
static void add_base64(const struct secret *s)
{
	size_t len = strlen(s->value);

	for (size_t before = 0; before < 3; before++) {
		_cleanup_(freep) uint8_t *padded = must(calloc(1, before + len + 1));
		_cleanup_(str_done) struct str digits = {};
		size_t from = (before * 8 + 5) / 6, to = (before + len) * 8 / 6;
		struct pattern p = { .secret = s, .shares_first = before > 0, .shares_last = (before + len) % 3 != 0 };

		memcpy(padded + before, s->value, len);
		base64_encode(&digits, padded, before + len);
		if (to < from + BASE64_PATTERN_MIN)
			continue;
		p.len = to - from;
		p.text = arena_strndup(&setting.arena, digits.data + from, p.len);
		add_pattern(&p);
		add_url_safe(&p);
	}
}

/* Windows-1252 from 0x80 to 0x9f, https://encoding.spec.whatwg.org/index-windows-1252.txt */
static const uint16_t windows_1252[32] = {
	0x20ac, 0x81,   0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
	0x2039, 0x0152, 0x8d,   0x017d, 0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
	0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,   0x017e, 0x0178,
};

/*
 * Adds the secret as it reads when its UTF-8 is taken for a character per byte, which browsers do with bodies that name no charset
 * (Windows-1252) and many programs elsewhere (ISO-8859-1).
 */
static void add_misread(const struct secret *s, bool windows)
{
	_cleanup_(str_done) struct str text = {};
	bool differs = false;

	for (const char *c = s->value; *c; c++) {
		unsigned char byte = (unsigned char)*c;
		bool high = byte >= 0x80 && byte < 0xa0;
		char sequence[4];

		differs |= windows ? high : byte >= 0x80;
		str_append_len(&text, sequence, utf8_encode(windows && high ? windows_1252[byte - 0x80] : byte, sequence));
	}
	if (differs)
		add_pattern(&(struct pattern){
			.text = arena_strndup(&setting.arena, text.data, text.len), .len = text.len, .secret = s });
}

static void forget_patterns(void)
{
	arena_done(&setting.arena);
	setting.arena = (struct arena){};
	setting.secrets = NULL;
	setting.all = (struct pattern_list){};
	memset(setting.by_first, 0, sizeof(setting.by_first));
	memset(setting.openings, 0, sizeof(setting.openings));
}

static size_t count_given(void)
{
	size_t count = 0;

	while (setting.given && setting.given[count].name)
		count++;
	return count;
}

static const struct secret *all_secrets(void)
{
	size_t count = count_given();
	struct secret *all = arena_alloc(&setting.arena, (count + setting.added_count + 1) * sizeof(*all));

	if (count)
		memcpy(all, setting.given, count * sizeof(*all));
	for (size_t i = 0; i < setting.added_count; i++)
		all[count++] = setting.added[i].secret;
	all[count] = (struct secret){};
	return all;
}

static void make_patterns(void)
{
	forget_patterns();
	setting.secrets = all_secrets();
	for (const struct secret *s = setting.secrets; s->name; s++) {
		add_pattern(&(struct pattern){ .text = s->value, .len = strlen(s->value), .secret = s });
		add_misread(s, false);
		add_misread(s, true);
		add_base64(s);
	}
	if (setting.all.count)
		mask_mark('<', 's'); /* TAG_OPEN is looked for as well */
}

/* Closes the gap in the list. */
static void forget_added(size_t i)
{
	struct secret *s = &setting.added[i].secret;

	explicit_bzero((char *)s->value, strlen(s->value)); /* both are copies */
	free((char *)s->value);
	free((char *)s->name);
	setting.added_count--;
	memmove(&setting.added[i], &setting.added[i + 1], (setting.added_count - i) * sizeof(setting.added[i]));
}

void mask_done(void)
{
	forget_patterns();
	while (setting.added_count)
		forget_added(setting.added_count - 1);
	setting.given = NULL;
}

void mask_configure(const struct secret *secrets)
{
	mask_done();
	setting.given = secrets;
	make_patterns();
}

/* Whether the value is one of the secrets; one that was added stays until then. */
static bool is_masked(const char *value, usec_t until)
{
	bool found = false;

	for (const struct secret *s = setting.given; s && s->name; s++)
		found |= strcmp(s->value, value) == 0;
	for (size_t i = 0; i < setting.added_count; i++) {
		if (strcmp(setting.added[i].secret.value, value) != 0)
			continue;
		setting.added[i].until = MAX(setting.added[i].until, until);
		found = true;
	}
	return found;
}

void mask_add(const struct secret *s, usec_t until)
{
	usec_t now = clock_now();

	if (strlen(s->value) < MASK_VALUE_MIN || is_masked(s->value, until))
		return;
	for (size_t i = setting.added_count; i-- > 0;)
		if (setting.added[i].until <= now)
			forget_added(i);
	if (setting.added_count == LIMIT_MASKS_ADDED_COUNT)
		forget_added(0);
	setting.added[setting.added_count++] = (struct added){
		.secret = { must(strdup(s->name)), must(strdup(s->value)), s->is_whole },
		.until = until,
	};
	make_patterns();
}

bool mask_active(void)
{
	return setting.all.count > 0;
}

bool mask_is_value(const char *text, size_t len, struct str *out)
{
	for (const struct secret *s = setting.secrets; s && s->name; s++) {
		if (strlen(s->value) != len || memcmp(s->value, text, len) != 0)
			continue;
		str_appendf(out, TAG_OPEN "%s" TAG_CLOSE, s->name);
		return true;
	}
	return false;
}

/* ---- the search ---- */

/* Length of the <secret> tag that begins at `p`, 0 if none does. */
static size_t tag_at(const char *p, size_t left)
{
	const size_t open = sizeof(TAG_OPEN) - 1, close = sizeof(TAG_CLOSE) - 1;

	if (left < open + close || memcmp(p, TAG_OPEN, open) != 0)
		return 0;
	for (const struct secret *s = setting.secrets; s->name; s++) {
		size_t len = strlen(s->name);

		if (left >= open + len + close && !memcmp(p + open, s->name, len) && !memcmp(p + open + len, TAG_CLOSE, close))
			return open + len + close;
	}
	return 0;
}

static bool opens(const char *p)
{
	unsigned char first = (unsigned char)p[0], second = (unsigned char)p[1];

	return setting.openings[first][second / 64] >> second % 64 & 1;
}

/* The last of the plain characters is compared first: a page that repeats the others would have them compared at each byte. */
static bool has_plain_start(const char *p, const struct pattern *pattern)
{
	size_t len = pattern->plain_len;

	return len == 0 || (p[len - 1] == pattern->text[len - 1] && memcmp(p, pattern->text, len) == 0);
}

/* The patterns that may begin at `p`, by their first byte. One is compared as fast as that is found out. */
#define MANY_PATTERNS 1

struct mask_filter {
	const struct pattern_list *list;
	struct mask_firsts firsts;
	bool is_used;
};

static struct mask_filter patterns_at(const char *p, size_t left)
{
	struct mask_filter f = { .list = &setting.by_first[(unsigned char)*p] };

	f.is_used = f.list->count > MANY_PATTERNS && !always_plain(*p);
	if (f.is_used)
		mask_firsts_at(p, left, &f.firsts);
	return f;
}

static bool may_begin(const struct mask_filter *f, const struct pattern *pattern)
{
	unsigned char first = (unsigned char)pattern->text[0];

	return !f->is_used || f->firsts.bytes[first / 64] >> first % 64 & 1;
}

/* Length of the longest match at `p`, 0 if no pattern matches. */
static size_t longest_at(const struct mask_filter *f, const char *p, size_t left, const struct pattern **ret)
{
	size_t longest = 0;

	for (size_t i = 0; i < f->list->count; i++) {
		const struct pattern *pattern = f->list->items[i];
		size_t len;

		if (!may_begin(f, pattern) || left < pattern->plain_len || !has_plain_start(p, pattern))
			continue;
		len = mask_match(p, left, pattern->text, pattern->len);
		if (len <= longest)
			continue;
		longest = len;
		*ret = pattern;
	}
	return longest;
}

/* What a text may be cut with (mask_is_cut_at()) begins with one of these, which are no plain characters. */
static bool begins_cut(char c)
{
	return c == '\'' || c == '"' || c == '.' || c == "…"[0];
}

/* `cut`: the number of bytes before the next one that begins_cut(). Within the plain characters a text can only be cut there. */
static size_t match_cut(const char *p, size_t left, size_t cut, const struct pattern *pattern)
{
	if (cut < pattern->plain_len)
		return memcmp(p, pattern->text, cut) == 0 && mask_is_cut_at(p, left, pattern->text, pattern->len, cut) ? cut : 0;
	if (left < pattern->plain_len || !has_plain_start(p, pattern))
		return 0;
	return mask_match_cut(p, left, pattern->text, pattern->len);
}

/* The longest pattern of which the text has only the beginning: the bytes of that, 0 for none. `ret`: the pattern. */
static size_t longest_cut_at(const struct mask_filter *f, const char *p, size_t left, size_t cut, const struct pattern **ret)
{
	size_t longest = 0;

	for (size_t i = 0; cut < left && i < f->list->count; i++) {
		const struct pattern *pattern = f->list->items[i];
		size_t len = pattern->secret->is_whole || !may_begin(f, pattern) ? 0 : match_cut(p, left, cut, pattern);

		if (len <= longest)
			continue;
		longest = len;
		*ret = pattern;
	}
	return longest;
}

static bool is_base64_digit(char c)
{
	return always_plain(c) || (c && strchr("+/-_", c));
}

/* Extends a base64 match by the digits that hold bits of the secret. A digit after a backslash may belong to an escape. */
static void widen(const char *text, size_t len, size_t from, const struct pattern *p, struct mask_hit *hit)
{
	size_t at = hit->from;

	if (p->shares_first && at > from && is_base64_digit(text[at - 1]) && (at < 2 || text[at - 2] != '\\'))
		hit->from--;
	if (p->shares_last && hit->to < len && is_base64_digit(text[hit->to]))
		hit->to++;
}

/*
 * The last backslash of the run at `i`; `i` where there is none. All of a run escape what follows it, or are the first of a value, so what
 * does not begin at its first one does not begin at another one either.
 */
static size_t mask_skip_backslashes(const char *text, size_t len, size_t i)
{
	while (text[i] == '\\' && i + 1 < len && text[i + 1] == '\\')
		i++;
	return i;
}

bool mask_next(const char *text, size_t len, size_t from, struct mask_hit *ret)
{
	const struct pattern *p = NULL;
	size_t found, cut = from;
	struct mask_filter f;

	for (size_t i = from; i + 1 < len; i++) {
		if (!opens(text + i))
			continue;
		found = tag_at(text + i, len - i);
		if (found) {
			i += found - 1;
			continue;
		}
		f = patterns_at(text + i, len - i);
		found = longest_at(&f, text + i, len - i, &p);
		if (found) {
			*ret = (struct mask_hit){ i, i + found, p->secret->name };
			widen(text, len, from, p, ret);
			return true;
		}
		for (cut = MAX(cut, i); cut < len && !begins_cut(text[cut]); cut++)
			;
		found = longest_cut_at(&f, text + i, len - i, cut - i, &p);
		if (found) {
			*ret = (struct mask_hit){ i, i + found, p->secret->name };
			return true;
		}
		i = mask_skip_backslashes(text, len, i);
	}
	return false;
}

bool mask_plain(struct str *text)
{
	struct str masked = {};
	struct mask_hit hit;
	size_t at = 0;

	while (mask_next(text->data, text->len, at, &hit)) {
		str_append_len(&masked, text->data + at, hit.from - at);
		str_appendf(&masked, TAG_OPEN "%s" TAG_CLOSE, hit.name);
		at = hit.to;
	}
	if (at == 0)
		return false;
	str_append_len(&masked, text->data + at, text->len - at);
	str_done(text);
	*text = masked;
	return true;
}
