/*
 * Rows of a page, as scripts/outline.js writes them: views, searches, differences and what is kept for later ones. The input has two
 * pages, parted by a form feed; a page alone is compared with itself.
 */
#include "base/limits.h"
#include "ratios/ratios.h"
#include "view/difference.h"
#include "view/fold.h"
#include "view/found.h"
#include "view/history.h"

/* What stands for marks in rows (view/marks.h); the only place here that knows it. */
#define QUOTE "\001"
#define PART "\002"
#define CELL "\003"
#define CONTENTS "\004"
#define REF "\005"
#define FOCUS "\006"

static struct outline *read_rows(const char *text, size_t len)
{
	_cleanup_(str_done) struct str rows = {};
	struct outline *c = NULL;

	str_append_len(&rows, text, len);
	NEEDED(outline_new(&rows, &c) == 0);
	return c;
}

struct pages {
	struct outline *old, *new;
	struct cursors cursors;
	struct str out;
};

static void begin(struct pages *p, const struct str *in)
{
	const char *part = memchr(in->data, '\f', in->len);

	*p = (struct pages){};
	p->old = read_rows(in->data, part ? (size_t)(part - in->data) : in->len);
	p->new = part ? read_rows(part + 1, in->len - (size_t)(part + 1 - in->data)) : outline_ref(p->old);
	cursors_init(&p->cursors);
}

static void end(struct pages *p)
{
	outline_unref(p->old);
	outline_unref(p->new);
	cursors_done(&p->cursors);
	str_done(&p->out);
}

static unsigned add_cursor(void *data, struct outline *c, size_t first, size_t end)
{
	return cursors_add_rows(data, c, first, end, 0);
}

/* A view, and what its cursors lead to. */
static void fold(const struct str *in)
{
	struct pages p;

	begin(&p, in);
	fold_rows(&p.cursors, p.new, 0, p.new->count, 0, LIMIT_VIEW, &p.out);
	for (unsigned i = 0; i < 20 && p.cursors.last; i++) {
		char name[16];

		snprintf(name, sizeof(name), "c%u", p.cursors.last);
		str_reset(&p.out);
		cursors_show(&p.cursors, name, LIMIT_VIEW, &p.out);
	}
	end(&p);
}

/* Into a file. */
static void print_all(const struct str *in)
{
	struct pages p;

	begin(&p, in);
	fold_rows(&p.cursors, p.new, 0, p.new->count, 0, SIZE_MAX, &p.out);
	end(&p);
}

static void find(const struct str *in)
{
	struct pages p;

	begin(&p, in);
	found_write(&p.cursors, p.new, "a", FOUND_SHOWN, &p.out);
	cursors_show(&p.cursors, "c1+500", LIMIT_VIEW, &p.out);
	end(&p);
}

static void compare(const struct str *in)
{
	size_t left_out;
	struct pages p;

	begin(&p, in);
	difference_write(&p.cursors, p.old, p.new, true, LIMIT_VIEW, &p.out, &left_out);
	end(&p);
}

/* As answers do it one after the other. */
static void keep(const struct str *in)
{
	struct history h = {};
	struct pages p;

	begin(&p, in);
	p.old->revision = 1;
	outline_unref(history_shorten(&h, p.old, add_cursor, &p.cursors));
	history_add(&h, p.old);
	outline_unref(history_shorten(&h, p.new, add_cursor, &p.cursors));
	history_find_ref(&h, "e999999999");
	outline_unref(history_find(&h, 1));
	history_done(&h);
	end(&p);
}

#define LINK "1 I - k#\tlink " QUOTE "INV-#\"" REF "e# " PART " Globex " PART " open\n"
#define MATCH "1 I m k#\tlink " QUOTE "a #\"" REF "e# " PART " a\n"
#define LINK_AGAIN "1 I - x#\tlink " QUOTE "INV-#\"" REF "e# " PART " Globex " PART " paid\n"

/* `make` of rows: the unit at each level of the tree, to the depth that views know. */
static void make_deep(struct str *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		str_appendf(out, "%u %c m d%u\tregion " QUOTE "a\"" REF "e%u\n", i % 60, i % 60 < 59 ? 'C' : 't', i, i);
}

static void make_sorted(struct str *out, unsigned n)
{
	ratio_repeat(out, LINK, n);
	str_append(out, "\f");
	for (unsigned i = n; i-- > 0;)
		ratio_append(out, LINK, i);
}

const struct ratio_row ratio_view_rows[] = {
	{ "view: links", 10000, fold, .unit = LINK },
	{ "view: headings", 10000, fold, .unit = "0 # - h#\theading " QUOTE "a\"\n" },
	{ "view: landmarks", 3000, fold, .unit = "0 L - n#\tnavigation" REF "e#\n1 t - t#\ta\n" },
	{ "view: depth", 10000, fold, .make = make_deep },
	{ "view: a row of words for the focus", 10000, fold, .head = "0 t - p\tparagraph " QUOTE "", .unit = "active active ",
	  .tail = "\"\n" },
	{ "view: a row of quotes", 40000, fold, .head = "0 t - p\t", .unit = QUOTE "\\\"\" " },
	{ "view: a row of marks", 40000, fold, .head = "0 I - p\tlist" CONTENTS, .unit = CELL REF FOCUS QUOTE "" },
	{ "view: a row of parts", 40000, fold, .head = "0 I - p\tlink", .unit = PART " a " },
	{ "view: all rows into a file", 10000, print_all, .unit = LINK },
	{ "view: all of a row of parts into a file", 40000, print_all, .head = "0 I - p\tlink", .unit = PART " a " REF "e1 | " },
	{ "find: every row", 10000, find, .unit = MATCH },
	{ "find: every row, deep", 10000, find, .make = make_deep },
	{ "find: a row of matches", 40000, find, .head = "0 I m k\tlink " QUOTE "", .unit = "a b\\\"", .tail = "\"\n" },
	{ "find: a row of parts", 40000, find, .head = "0 I m k\tlink", .unit = PART " a" REF "e1 " },
	{ "difference: nothing", 10000, compare, .unit = LINK },
	{ "difference: every row", 10000, compare, .unit = LINK, .middle = "\f", .close = LINK_AGAIN },
	{ "difference: sorted", 10000, compare, .make = make_sorted },
	{ "difference: all gone but one", 10000, compare, .head = "0 C - m\tmain\n", .unit = LINK,
	  .tail = "\f0 C - m\tmain\n1 t - t\ta\n" },
	{ "difference: a row that grows by words for the focus", 10000, compare, .head = "0 t - p\tparagraph " QUOTE "",
	  .unit = "active ", .middle = "\"\n\f0 t - p\tparagraph " QUOTE "", .close = "active ",
	  .tail = " x\"" REF "e1" FOCUS "active\n" },
	{ "difference: a row that loses its parts", 10000, compare, .head = "0 I - k\tlink" REF "e1 ", .unit = PART " part # ",
	  .tail = "\n\f0 I - k\tlink" REF "e1 " PART " a\n" },
	{ "difference: fields that go, and a long row that stays", 10000, compare, .head = "0 C - m\tmain\n",
	  .unit = "1 I - f#\ttextbox " QUOTE "f#\"" REF "e#\n",
	  .middle = "1 I - k\tlink " QUOTE "\n\f0 C - m\tmain\n1 I - k\tlink " QUOTE "", .close = "aaaaaaaaaaaaaaaaaaaa ",
	  .tail = "\"\n" },
	{ "difference: depth", 10000, compare, .make = make_deep },
	{ "history: landmarks", 3000, keep, .unit = "0 L - n#\tnavigation" REF "e#\n1 t - t#\ta\n" },
	{ "history: links", 10000, keep, .unit = LINK },
	{},
};
