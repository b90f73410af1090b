/*
 * What views cost in the server: rows read, folded, searched and compared, for 10,000 and for 50,000 rows. The ratio of both is about 5
 * where the time is linear.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/limits.h"
#include "view/difference.h"
#include "view/fold.h"
#include "view/found.h"

#define SMALL 10000
#define LARGE 50000
#define TURNS 5

enum shape {
	TABLE,
	TABLE_CHANGED,  /* one row */
	TABLE_AGAIN,    /* written again by the page, without its first row */
	TABLE_AFTER,    /* without its first row, the last tenth is new */
	TABLE_SORTED,   /* the other way round */
	GROUPS,         /* of two rows */
	GROUPS_CHANGED, /* a row in each */
	DEEP,           /* forty levels, all rows below them */
	FOUND,          /* every row matches */
	HEADINGS,
};

static void add_table(struct str *rows, enum shape shape, unsigned count)
{
	str_append(rows, "0 L - m\tmain\005e1\n1 C - t\ttable\005e2\n2 2 - h\th2 \001Invoices\"\n");
	for (unsigned i = shape == TABLE_AGAIN || shape == TABLE_AFTER; i < count; i++) {
		unsigned number = shape == TABLE_SORTED ? count - i : i;

		str_appendf(rows, "2 I %s k%c%u\tlink \001INV-%06u\"\005e%u \002 Globex \002 %s\n", shape == FOUND ? "m" : "-",
			    shape == TABLE_AGAIN || (shape == TABLE_AFTER && i > count / 10 * 9) ? 'x' : 'y', number, number,
			    number + 10, shape == TABLE_CHANGED && i == count / 2 ? "paid" : "open");
	}
}

static struct outline *page(enum shape shape, unsigned count)
{
	_cleanup_(str_done) struct str rows = {};
	struct outline *c = NULL;

	if (shape == GROUPS || shape == GROUPS_CHANGED) {
		str_append(&rows, "0 L - m\tmain\005e1\n");
		for (unsigned i = 0; i < count / 3; i++)
			str_appendf(&rows, "1 C - g%u\tgroup\n2 t - h%u\tone\n2 t - i%u\t%s\n", i, i, i,
				    shape == GROUPS ? "two" : "three");
	} else if (shape == DEEP) {
		for (unsigned i = 0; i < count; i++)
			str_appendf(&rows, "%u %c - d%u\tregion %u\n", MIN(i, 40u), i < 40 ? 'L' : 't', i, i);
	} else if (shape == HEADINGS) {
		for (unsigned i = 0; i < count; i++)
			str_appendf(&rows, "0 %c - d%u\theading %u\n", "1223456"[i % 7], i, i);
	} else {
		add_table(&rows, shape, count);
	}
	if (outline_new(&rows, &c) < 0)
		abort();
	return c;
}

static void fold_page(struct outline *old, struct outline *new, struct cursors *cursors, struct str *out)
{
	fold_rows(cursors, new, 0, new->count, 0, LIMIT_VIEW, out);
}

static void find_in_page(struct outline *old, struct outline *new, struct cursors *cursors, struct str *out)
{
	found_write(cursors, new, "x", FOUND_SHOWN, out);
	cursors_show(cursors, "c1+500", LIMIT_VIEW, out);
}

static void compare_pages(struct outline *old, struct outline *new, struct cursors *cursors, struct str *out)
{
	size_t left_out;

	difference_write(cursors, old, new, false, LIMIT_VIEW, out, &left_out);
}

/* Processor time of this process, in milliseconds: other programs do not count. */
static double cpu_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The shortest of some turns. */
static double measure(enum shape before, enum shape after, unsigned count,
		      void (*work)(struct outline *, struct outline *, struct cursors *, struct str *))
{
	struct outline *old = page(before, count), *new = page(after, count);
	double best = 1e9;

	for (int i = 0; i < TURNS; i++) {
		_cleanup_(str_done) struct str out = {};
		struct cursors cursors;
		double start;

		cursors_init(&cursors);
		start = cpu_msec();
		work(old, new, &cursors, &out);
		best = MIN(best, cpu_msec() - start);
		cursors_done(&cursors);
	}
	outline_unref(old);
	outline_unref(new);
	return best;
}

static void report(const char *what, enum shape before, enum shape after,
		   void (*work)(struct outline *, struct outline *, struct cursors *, struct str *))
{
	double small = measure(before, after, SMALL, work), large = measure(before, after, LARGE, work);

	printf("%-36s %8.2f ms %8.2f ms %6.1f\n", what, small, large, large / MAX(small, 0.001));
}

static double parse(unsigned count)
{
	double start = cpu_msec();
	struct outline *c = page(TABLE, count);
	double msec = cpu_msec() - start;

	outline_unref(c);
	return msec;
}

int main(void)
{
	double small = parse(SMALL), large = parse(LARGE);

	printf("%-36s %8u    %8u     ratio\n", "rows", SMALL, LARGE);
	printf("%-36s %8.2f ms %8.2f ms %6.1f\n", "written and read", small, large, large / small);
	report("view of a table", TABLE, TABLE, fold_page);
	report("view of small groups", GROUPS, GROUPS, fold_page);
	report("view of a deep page", DEEP, DEEP, fold_page);
	report("view of headings", HEADINGS, HEADINGS, fold_page);
	report("search that matches every row", FOUND, FOUND, find_in_page);
	report("nothing changed", TABLE, TABLE, compare_pages);
	report("one row changed", TABLE, TABLE_CHANGED, compare_pages);
	report("written again, one row less", TABLE, TABLE_AGAIN, compare_pages);
	report("first row gone, a tenth new", TABLE, TABLE_AFTER, compare_pages);
	report("sorted", TABLE, TABLE_SORTED, compare_pages);
	report("a row in each group changed", GROUPS, GROUPS_CHANGED, compare_pages);
	report("deep page", DEEP, DEEP, compare_pages);
	return 0;
}
