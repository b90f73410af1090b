#include "view/former_line.h"

#include <string.h>

#include "view/outline.h"

/* Where the contents of an old row begin: behind its label if the new row is that label alone, else at the beginning of the row. */
static size_t contents_begin(const struct outline *old, uint32_t row, const struct outline *new, uint32_t now)
{
	size_t label = row_label_length(old, row);

	if (label == old->rows[row].len || label != new->rows[now].len ||
	    memcmp(row_text(old, row), row_text(new, now), label) != 0)
		return 0;
	return label + 2; /* ": " */
}

/* Ends the last part. */
static void end_part(struct former_line *l, size_t end)
{
	l->parts[l->count - 1].end = (uint32_t)end;
}

static void begin_part(struct former_line *l, size_t at)
{
	l->parts[l->count].at = (uint32_t)at;
	l->parts[l->count].len = 0;
	l->parts[l->count++].is_found = false;
}

static void note_ref(struct former_line *l, const struct mark *mark)
{
	size_t len;
	const char *ref = row_ref_at(l->outline, l->row, mark, &len);

	if (l->parts[l->count - 1].len)
		return;
	l->parts[l->count - 1].ref = (uint32_t)(ref - row_text(l->outline, l->row));
	l->parts[l->count - 1].len = (uint32_t)len;
}

void former_line_init(struct former_line *l, const struct outline *old, uint32_t row, const struct outline *new, uint32_t now)
{
	size_t begin = contents_begin(old, row, new, now), count, i = row_marks_before(old, row, begin);
	const struct mark *marks = row_marks(old, row, &count);

	l->outline = old;
	l->row = row;
	l->count = l->found = 0;
	begin_part(l, begin);
	for (; i < count && l->count < FORMER_PARTS_MAX; i++)
		if (marks[i].kind == MARK_PART || marks[i].kind == MARK_CELL) {
			end_part(l, marks[i].at - (marks[i].kind == MARK_PART)); /* " | " or ", " */
			begin_part(l, marks[i].at + 2u);
		} else if (marks[i].kind == MARK_REF) {
			note_ref(l, &marks[i]);
		}
	end_part(l, old->rows[row].len);
}

static bool equals(const struct former_line *l, uint32_t at, size_t len, const char *text, size_t text_len)
{
	return len == text_len && memcmp(row_text(l->outline, l->row) + at, text, len) == 0;
}

enum former_part former_line_find(struct former_line *l, const struct outline *new, uint32_t row)
{
	size_t ref_len;
	const char *text = row_text(new, row), *ref = row_ref(new, row, &ref_len);

	for (unsigned i = 0; i < l->count; i++) {
		bool same = equals(l, l->parts[i].at, l->parts[i].end - l->parts[i].at, text, new->rows[row].len);

		if (l->parts[i].is_found || !(same || (ref_len && equals(l, l->parts[i].ref, l->parts[i].len, ref, ref_len))))
			continue;
		l->parts[i].is_found = true;
		l->found++;
		return same ? FORMER_SAME : FORMER_OTHER;
	}
	return FORMER_NONE;
}

bool former_line_is_complete(const struct former_line *l)
{
	return l->found == l->count;
}
