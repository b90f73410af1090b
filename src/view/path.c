#include "view/path.h"

#include <ctype.h>
#include <string.h>

#include "view/print.h"

#define PATH_ROWS 3       /* at most, the nearest ones */
#define PATH_LABEL_MAX 60 /* bytes of each */
#define HEADER_MAX 200    /* bytes of the names of the columns of a table */
#define HEADER_ROWS 4     /* of a table are looked at for them */
#define SHORT_MAX 40      /* bytes of a row without a ref, where another is said to be behind it */

void append_shortened(const struct outline *c, size_t row, size_t len, size_t max, struct str *out)
{
	const char *text = row_text(c, row), *ref;
	size_t ref_len;

	if (len <= max) {
		str_append_len(out, text, len);
		return;
	}
	len = whole_parts(c, row, len, max);
	ref = row_ref(c, row, &ref_len);
	str_append_len(out, text, len);
	str_append(out, row_in_quotes(c, row, len) ? "...\"" : "...");
	if (ref_len && ref + ref_len > text + len) {
		str_append_char(out, ' ');
		str_append_len(out, ref, ref_len);
	}
}

static void append_label(const struct outline *c, size_t row, size_t max, struct str *out)
{
	append_shortened(c, row, row_label_length(c, row), max, out);
}

/* A heading is no place: what pages put into its element, such as a dialog, is above the page. */
static bool is_place(const struct outline *c, size_t row)
{
	return !isdigit((unsigned char)c->rows[row].kind);
}

bool path_append_inside(const struct outline *c, size_t row, struct str *out)
{
	size_t rows[PATH_ROWS], count = 0, at = row, inner = SIZE_MAX;

	for (; count < PATH_ROWS && at != inner; at = row_parent(c, at)) {
		if (is_place(c, at))
			rows[count++] = at;
		inner = at;
	}
	for (size_t i = count; i-- > 0;) {
		append_label(c, rows[i], PATH_LABEL_MAX, out);
		str_append(out, i ? " > " : "");
	}
	return count;
}

bool path_append(const struct outline *c, size_t row, struct str *out)
{
	size_t parent = row_parent(c, row);

	if (parent == row)
		return false;
	return path_append_inside(c, parent, out);
}

void path_append_short(const struct outline *c, size_t row, struct str *out)
{
	size_t len;
	const char *ref = row_ref(c, row, &len);

	if (len)
		str_append_len(out, ref, len);
	else
		append_label(c, row, SHORT_MAX, out);
}

const char *path_noun(const struct outline *c, size_t row)
{
	static const struct {
		const char *container, *noun;
	} noun_table[] = { { "table", "rows" },       { "grid", "rows" },  { "treegrid", "rows" },
			   { "list", "items" },       { "tree", "items" }, { "listbox", "options" },
			   { "combobox", "options" }, { "menu", "items" }, { "tablist", "tabs" } };
	size_t parent = row_parent(c, row);

	if (parent != row && row_has_role(c, parent, "navigation") && row_has_role(c, row, "link"))
		return "links";
	for (size_t i = 0; parent != row && i < ARRAY_SIZE(noun_table); i++)
		if (row_has_role(c, parent, noun_table[i].container))
			return noun_table[i].noun;
	return "lines";
}

void path_append_header(const struct outline *c, size_t row, struct str *out)
{
	size_t table = row_parent(c, row), at = table + 1;

	if (table == row || c->rows[row].kind != 'I')
		return;
	for (unsigned i = 0; i < HEADER_ROWS && at < row; i++, at = c->rows[at].end) {
		if (!(c->rows[at].flags & ROW_HEADER) || c->rows[at].end > at + 1)
			continue;
		str_append(out, out->len ? "\n" : "");
		append_shortened(c, at, c->rows[at].len, HEADER_MAX, out);
		return;
	}
}
