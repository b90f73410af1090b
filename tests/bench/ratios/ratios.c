/*
 * Whether time is linear in what others choose: every row runs a function with an input that is the worst for it, and with one four
 * times as long. Fails if the second takes more than RATIO_MAX times as long. Arguments: words that the names of the rows have.
 *
 * The processor time of this process is measured, the shortest of several runs. A ratio that is too high is measured again, because
 * another program may have had the caches.
 */
#include "ratios/ratios.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <time.h>

#include "base/log.h"
#include "base/macros.h"

#define RATIO_MAX 5.0
#define RUNS 5
#define TRIES 12
#define LONG_MSEC 400. /* a run that takes longer is not repeated as often */

void ratio_append(struct str *out, const char *unit, unsigned number)
{
	for (const char *at = unit; *at; at += *at != '\0') {
		size_t len = strcspn(at, "#");

		str_append_len(out, at, len);
		at += len;
		if (!*at)
			return;
		str_append_uint(out, number);
	}
}

void ratio_repeat(struct str *out, const char *unit, unsigned n)
{
	for (unsigned i = 0; unit && i < n; i++)
		ratio_append(out, unit, i);
}

static void ignore_result(struct task *t, int r, void *data)
{
}

void ratio_in_task(int (*fn)(struct task *t, void *data), void *data)
{
	static struct loop *loop;
	struct task *t;

	if (!loop)
		NEEDED(loop_new(&loop) == 0);
	NEEDED(task_start(loop, "ratios", fn, ignore_result, data, &t) == 0);
	while (task_count())
		loop_step(loop);
}

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

static void make(const struct ratio_row *row, unsigned n, struct str *input)
{
	if (row->make) {
		row->make(input, n);
		return;
	}
	str_append(input, or_nothing(row->head));
	ratio_repeat(input, row->unit, n);
	str_append(input, or_nothing(row->middle));
	ratio_repeat(input, row->close, n);
	str_append(input, or_nothing(row->tail));
}

static double cpu_msec(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double run_once(const struct ratio_row *row, const struct str *input)
{
	double start = cpu_msec();

	row->run(input);
	return cpu_msec() - start;
}

/* The shortest of several runs. */
static double shortest(const struct ratio_row *row, const struct str *input)
{
	double best = run_once(row, input);

	for (unsigned i = 1; i < RUNS && best < LONG_MSEC; i++)
		best = fmin(best, run_once(row, input));
	return best;
}

struct measured {
	double small, large;
};

static double ratio_of(const struct measured *m)
{
	return m->large / fmax(m->small, 0.001);
}

/* A ratio that is too high is measured again: that of a function that is not linear stays too high. */
static struct measured measure(const struct ratio_row *row)
{
	_cleanup_(str_done) struct str small = {}, large = {};
	struct measured m = { INFINITY, INFINITY };

	make(row, row->n, &small);
	make(row, 4 * row->n, &large);
	for (unsigned i = 0; i < TRIES && (i == 0 || (ratio_of(&m) > RATIO_MAX && m.large < LONG_MSEC)); i++) {
		double a = shortest(row, &small), b = shortest(row, &large);

		if (b / a < ratio_of(&m) || i == 0)
			m = (struct measured){ a, b };
	}
	return m;
}

static bool is_wanted(const struct ratio_row *row, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(row->what, argv[i]))
			return true;
	return argc <= 1;
}

/* Returns how many rows are not linear. */
static unsigned run_table(const struct ratio_row *rows, int argc, char **argv, unsigned *ret_count)
{
	unsigned failed = 0;

	const struct ratio_row *row = rows;

	for (; row->what; row++) {
		struct measured m;
		bool linear;

		if (row->prepare)
			row->prepare();
		if (!is_wanted(row, argc, argv))
			continue;
		m = measure(row);
		linear = ratio_of(&m) <= RATIO_MAX;
		printf("%-64s %9u %9.2f ms %9.2f ms %6.1f%s\n", row->what, row->n, m.small, m.large, ratio_of(&m),
		       linear ? "" : "  NOT LINEAR");
		fflush(stdout);
		failed += !linear;
		++*ret_count;
	}
	if (row->prepare)
		row->prepare();
	return failed;
}

int main(int argc, char **argv)
{
	static const struct ratio_row *const tables[] = { ratio_text_rows,  ratio_json_rows,   ratio_mask_rows, ratio_observe_rows,
							  ratio_page_rows,  ratio_client_rows, ratio_wire_rows, ratio_view_rows,
							  ratio_trace_rows, ratio_http_rows,   ratio_file_rows };
	unsigned count = 0, failed = 0;

	log_set_level(LOG_EMERGENCY);
	mallopt(M_MMAP_MAX, 0); /* what was freed stays with the process, whose time would else have the kernel's for new pages */
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	printf("%-64s %9s %9s    %9s    %6s\n", "function: shape", "n", "n", "4 n", "ratio");
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		failed += run_table(tables[i], argc, argv, &count);
	printf("%u rows, %u not linear\n", count, failed);
	return failed || !count;
}
