/*
 * Masks texts: those that are JSON so that they remain valid. browserd has printed or checked JSON before it is masked, so its grammar is not
 * checked while it is rewritten.
 */
#include <ctype.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/mask_internal.h"

/*
 * A text that is in more strings of JSON than this is masked as text that is no JSON: each level is read several times, and a page can nest
 * as many as fit into a text.
 */
#define NESTING_MAX 8u

struct rewriter {
	const char *p, *end;
	struct str out;
	const struct mask_exemption *exempt; /* NULL: none */
	const char *open;
	unsigned depth, open_depth; /* of `open`'s member while it is copied, else 0 */
	unsigned nesting;           /* in strings of JSON */
	bool changed;
};

/* Length of the string literal that begins at `p`, quotes included. */
static size_t literal_len(const char *p, const char *end)
{
	const char *start = p++;

	while (p < end && *p != '"')
		p += *p == '\\' ? 2 : 1;
	return (size_t)(MIN(p + 1, end) - start);
}

/* mask_text() for what is in so many strings of JSON. */
static bool mask_at(struct str *text, unsigned nesting);

/* Unescapes the literal, masks it and escapes it again. */
static bool rewrite_literal(struct rewriter *w, size_t len)
{
	_cleanup_(json_freep) struct json *v = NULL;
	_cleanup_(str_done) struct str text = {};
	struct mask_hit hit;

	if (!mask_next(w->p + 1, len - 2, 0, &hit) || json_parse(w->p, len, 1, JSON_REPLACE_UNREPRESENTABLE, &v) < 0)
		return false;
	str_append(&text, json_text(v, NULL));
	if (!mask_at(&text, w->nesting + 1))
		return false;
	str_append_quoted(&w->out, text.data, text.len);
	return true;
}

static bool rewrite_number(struct rewriter *w, size_t len)
{
	_cleanup_(str_done) struct str text = {};

	if (!mask_is_value(w->p, len, &text))
		return false;
	str_append_quoted(&w->out, text.data, text.len);
	return true;
}

static void mask_json_copy(struct rewriter *w, size_t len)
{
	str_append_len(&w->out, w->p, len);
	w->p += len;
}

/* Copies a string or number, masked. */
static void mask_json_take(struct rewriter *w, size_t len, bool rewritten)
{
	w->changed |= rewritten;
	if (rewritten)
		w->p += len;
	else
		mask_json_copy(w, len);
}

/* Copies an exempt member's value of any type unchanged. */
static void copy_value(struct rewriter *w)
{
	unsigned depth = 0;

	do {
		size_t len = *w->p == '"' ? literal_len(w->p, w->end) : 1;

		if (!depth && strchr(",}]", *w->p))
			return;
		depth += *w->p == '{' || *w->p == '[';
		depth -= *w->p == '}' || *w->p == ']';
		mask_json_copy(w, len);
	} while (w->p < w->end);
}

static bool named(const struct rewriter *w, size_t len, const char *name)
{
	return strlen(name) == len - 2 && !memcmp(w->p + 1, name, len - 2);
}

static bool is_exempt(const struct rewriter *w, size_t len)
{
	for (const struct mask_exemption *e = w->exempt; e->name; e++)
		if ((!e->depth || e->depth == w->depth) && named(w, len, e->name))
			return true;
	return false;
}

/* Handles the name of a member when there are exemptions. */
static void mask_json_take_name(struct rewriter *w, size_t len)
{
	bool exempt = is_exempt(w, len);

	if (w->open && named(w, len, w->open))
		w->open_depth = w->depth + 1;
	mask_json_copy(w, len + 1);
	if (exempt)
		copy_value(w);
}

static bool inside_open(struct rewriter *w)
{
	if (w->depth < w->open_depth)
		w->open_depth = 0;
	return w->open_depth > 0;
}

static void take_literal(struct rewriter *w)
{
	size_t len = literal_len(w->p, w->end);

	if (w->exempt && !inside_open(w) && w->p + len < w->end && w->p[len] == ':')
		mask_json_take_name(w, len);
	else
		mask_json_take(w, len, rewrite_literal(w, len));
}

static void mask_json_take_next(struct rewriter *w)
{
	size_t len = 1;

	if (*w->p == '"') {
		take_literal(w);
	} else if (isdigit((unsigned char)*w->p) || *w->p == '-') {
		while (w->p + len < w->end && strchr("0123456789+-.eE", w->p[len]) && w->p[len])
			len++;
		mask_json_take(w, len, rewrite_number(w, len));
	} else {
		w->depth += *w->p == '{' || *w->p == '[';
		w->depth -= *w->p == '}' || *w->p == ']';
		mask_json_copy(w, 1);
	}
}

/* mask_json() for what is in so many strings of JSON. */
static bool rewrite_json(struct str *json, const struct mask_exemption *exempt, const char *open, unsigned nesting)
{
	struct rewriter w = { .exempt = exempt, .open = open, .nesting = nesting };
	struct mask_hit hit;

	if (!mask_active() || !json->len || !mask_next(json->data, json->len, 0, &hit))
		return false;
	w.p = json->data;
	w.end = json->data + json->len;
	str_reserve(&w.out, json->len + 64);
	while (w.p < w.end)
		mask_json_take_next(&w);
	if (!w.changed) {
		str_done(&w.out);
		return false;
	}
	str_done(json);
	*json = w.out;
	return true;
}

bool mask_json(struct str *json, const struct mask_exemption *exempt, const char *open)
{
	return rewrite_json(json, exempt, open, 0);
}

static bool mask_json_is_json(const struct str *text)
{
	return strchr("{[", text->data[0]) && json_check(text->data, text->len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE) == 0;
}

static bool mask_at(struct str *text, unsigned nesting)
{
	struct mask_hit hit;

	if (!mask_active() || !text->len || !mask_next(text->data, text->len, 0, &hit))
		return false;
	return nesting < NESTING_MAX && mask_json_is_json(text) ? rewrite_json(text, NULL, NULL, nesting) : mask_plain(text);
}

bool mask_text(struct str *text)
{
	return mask_at(text, 0);
}
