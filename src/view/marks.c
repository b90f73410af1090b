#include "view/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/notation.h"

#define REF_MAX 48u /* bytes: f1234567890e1234567890 */

/* What stands for a mark, as scripts/outlinetext.js has it, and what is shown. */
static const struct {
	char written, shown;
} character_table[] = {
	[MARK_QUOTE] = { '\x01', '"' }, [MARK_QUOTE_END] = { '"', '"' },   [MARK_PART] = { '\x02', '|' },
	[MARK_CELL] = { '\x03', ',' },  [MARK_CONTENTS] = { '\x04', ':' }, [MARK_REF] = { '\x05', ' ' },
	[MARK_FOCUS] = { '\x06', ' ' },
};

/* Of each character that stands for a mark the number of that and 1. */
static const uint8_t kind_table[256] = {
	['\x01'] = MARK_QUOTE + 1,    ['\x02'] = MARK_PART + 1, ['\x03'] = MARK_CELL + 1,
	['\x04'] = MARK_CONTENTS + 1, ['\x05'] = MARK_REF + 1,  ['\x06'] = MARK_FOCUS + 1,
};

static void marks_add(struct marks *m, size_t first, size_t at, enum mark_kind kind)
{
	if (m->count - first == MARKS_MAX)
		return;
	if (m->count == m->cap) {
		m->cap = MAX(2 * m->cap, (size_t)64);
		m->list = must(realloc(m->list, m->cap * sizeof(*m->list)));
	}
	m->list[m->count++] = (struct mark){ .at = (uint32_t)at, .kind = kind };
}

/* Secrets are masked before, which may have changed what is marked. */
static bool is_right(enum mark_kind kind, const char *after, size_t len)
{
	const size_t word = strlen(FOCUS_WORD) - 1;

	if (kind == MARK_REF) {
		size_t ref = notation_name(after, MIN(len, (size_t)REF_MAX + 1), "e");

		return ref > 0 && ref <= REF_MAX;
	}
	return kind != MARK_FOCUS || (len >= word && memcmp(after, &FOCUS_WORD[1], word) == 0);
}

/* The end of the text in quotes that begins at text[at - 1]: its quote, or in its place a mark or the end of the row. */
static size_t end_of_quoted(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != '"' && !kind_table[(unsigned char)text[at]])
		at += text[at] == '\\' && at + 1 < len ? 2 : 1;
	return at;
}

void marks_take(struct marks *m, char *text, size_t len)
{
	size_t first = m->count;

	for (size_t at = 0; at < len; at++) {
		unsigned kind = kind_table[(unsigned char)text[at]];

		if (!kind--)
			continue;
		text[at] = character_table[kind].shown;
		if (is_right(kind, text + at + 1, len - at - 1))
			marks_add(m, first, at, kind);
		if (kind != MARK_QUOTE)
			continue;
		at = end_of_quoted(text, len, at + 1);
		if (at < len && text[at] == '"')
			marks_add(m, first, at, MARK_QUOTE_END);
		else
			at--;
	}
}

void marks_add_match(struct marks *m, size_t first, size_t at)
{
	marks_add(m, first, at, MARK_MATCH);
	for (size_t i = m->count - 1; i > first && m->list[i - 1].at > m->list[i].at; i--) {
		struct mark moved = m->list[i];

		m->list[i] = m->list[i - 1];
		m->list[i - 1] = moved;
	}
}

void marks_put(const struct mark *list, size_t count, char *text, size_t len, bool shown)
{
	for (size_t i = 0; i < count && list[i].at < len; i++)
		if (list[i].kind != MARK_MATCH)
			text[list[i].at] = shown ? character_table[list[i].kind].shown : character_table[list[i].kind].written;
}

void marks_trim(struct marks *m)
{
	if (m->list && m->count == m->cap)
		return;
	m->cap = m->count;
	m->list = must(realloc(m->list, MAX(m->cap, (size_t)1) * sizeof(*m->list)));
}

void marks_done(struct marks *m)
{
	free(m->list);
	*m = (struct marks){};
}
