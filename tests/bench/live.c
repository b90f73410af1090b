/*
 * Live pictures: how long it takes from a press of a person to the picture that shows its effect, what viewers cost those whose sessions nobody
 * looks at, and what they cost the server. In this process, with the real browser: without the way over a socket. Never fails because of a
 * number.
 *
 * usage: live [SESSIONS [VIEWERS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/action.h"
#include "act/person.h"
#include "base/log.h"
#include "browser/browser.h"
#include "browser/context.h"
#include "loop/failure_words.h"
#include "measure.h"
#include "page/cast.h"
#include "page/navigate.h"

#define PRESSES 200
#define ROUNDS 12
#define ROUND_CALLS 40
#define SESSIONS_MAX 200
#define SMALL \
	{ \
		320, 200 \
	}
#define LARGE \
	{ \
		1280, 720 \
	}

#define PAGE \
	"data:text/html,<body style='font:16px sans-serif;margin:60px 0'><h1 id=shown>0</h1><button id=button style='position:absolute;left:10px;top:10px;width:100px;height:40px' onclick='shown.textContent=%%2B%%2Bpresses'>Press</button>" \
	"<script>presses=0;for(let i=0;i<40;i++)document.body.append(Object.assign(document.createElement('p'),{textContent:'A line of text '+i}));" \
	"if(%d)setInterval(()=>shown.textContent=performance.now(),1000/%d)</script>"

static struct loop *loop;
static struct browser *browser;
static struct context *contexts[SESSIONS_MAX];
static struct page *pages[SESSIONS_MAX];
static unsigned sessions = 50, viewers = 10;

struct step {
	int (*fn)(struct task *t, void *data);
	void *data;
	bool done;
};

static int run_step(struct task *t, void *data)
{
	struct step *s = data;

	return s->fn(t, s->data);
}

static void on_done(struct task *t, int result, void *data)
{
	if (result < 0) {
		fprintf(stderr, "%s\n", failure_words(t, task_error(t)));
		exit(1);
	}
	((struct step *)data)->done = true;
}

static void run(int (*fn)(struct task *t, void *data), void *data)
{
	struct step s = { fn, data, false };

	task_start(loop, "step", run_step, on_done, &s, NULL);
	while (!s.done)
		loop_step(loop);
}

static int open_sessions(struct task *t, void *data)
{
	int r = 0;

	for (unsigned i = 0; i < sessions && r == 0; i++) {
		r = context_new(t, browser, NULL, &contexts[i]);
		if (r == 0)
			r = context_open_page(t, contexts[i], &pages[i]);
	}
	return r;
}

/* The pages that are looked at change so many times a second. */
static int show_pages(struct task *t, void *data)
{
	int rate = *(int *)data, r = 0;
	char url[2048];

	for (unsigned i = 0; i < sessions && r == 0; i++) {
		snprintf(url, sizeof(url), PAGE, i < viewers ? rate : 0, i < viewers && rate ? rate : 1);
		r = page_navigate(t, pages[i], url, WAIT_LOAD, 60 * USEC_PER_SEC, NULL);
	}
	return r;
}

/* ---- viewers ---- */

static uint64_t shown_count, shown_bytes;

static void show(struct cast_viewer *v, struct cast_picture *p)
{
	v->credit++;
	shown_count++;
	shown_bytes += p->size;
}

/* Each viewer has one session large, and sees all that are looked at as thumbnails. */
static struct cast_viewer *all_join(void)
{
	struct cast_viewer *all = calloc((size_t)viewers * (viewers + 1), sizeof(*all)), *next = all;

	for (unsigned i = 0; i < viewers; i++) {
		*next = (struct cast_viewer){ .size = LARGE, .credit = 2, .show = show };
		cast_join(next++, pages[i]);
		for (unsigned j = 0; j < viewers; j++) {
			*next = (struct cast_viewer){ .size = SMALL, .pause = USEC_PER_SEC, .credit = 1, .show = show };
			cast_join(next++, pages[j]);
		}
	}
	return all;
}

static void all_leave(struct cast_viewer *all)
{
	for (size_t i = 0; i < (size_t)viewers * (viewers + 1); i++)
		cast_leave(&all[i]);
	free(all);
}

/* ---- calls of others ---- */

static int click_other(struct task *t, void *data)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(data));
	const char *element;

	return action_click(t, f,
			    &(const struct click_action){ .target = "{\"selector\": \"#button\"}",
							  .selector = "#button",
							  .timeout = 30 * USEC_PER_SEC,
							  .count = 1 },
			    &element);
}

static void call_others(struct samples *s)
{
	static unsigned at;
	usec_t before;

	for (int i = 0; i < ROUND_CALLS; i++) {
		before = clock_now();
		run(click_other, pages[viewers + at++ % (sessions - viewers)]);
		add(s, clock_now() - before);
	}
}

static void bench_others(int rate)
{
	struct samples alone = {}, watched = {};
	uint64_t pictures = 0, bytes = 0;
	usec_t began;
	struct cast_viewer *all;
	double seconds = 0;
	char what[80];

	run(show_pages, &rate);
	for (int i = 0; i < ROUNDS; i++) {
		call_others(&alone);
		all = all_join();
		call_others(&watched); /* the first pictures */
		watched.count -= ROUND_CALLS;
		pictures -= shown_count;
		bytes -= shown_bytes;
		began = clock_now();
		call_others(&watched);
		seconds += (double)(clock_now() - began) / USEC_PER_SEC;
		pictures += shown_count;
		bytes += shown_bytes;
		all_leave(all);
	}
	snprintf(what, sizeof(what), "click in a session of others, %d changes a second", rate);
	report(what, "1.03 x", median_msec(&watched), median_msec(&alone), "ms");
	printf("  pictures a second to %u viewers: %.0f, %.0f KiB/s\n", viewers, (double)pictures / seconds,
	       (double)bytes / seconds / 1024);
}

/* ---- input ---- */

struct awaiting {
	struct cast_viewer viewer;
	unsigned count;
};

static void show_awaited(struct cast_viewer *v, struct cast_picture *p)
{
	v->credit++;
	((struct awaiting *)v)->count++;
}

static void press(struct person *x, struct point at)
{
	person_add(x, &(const struct person_event){ .type = PERSON_MOVE, .at = at });
	person_add(x, &(const struct person_event){ .type = PERSON_PRESS, .at = at, .count = 1 });
	person_add(x, &(const struct person_event){ .type = PERSON_RELEASE, .at = at, .count = 1 });
}

static int pause_briefly(struct task *t, void *data)
{
	return task_sleep(t, *(usec_t *)data);
}

static void bench_input(void)
{
	static const struct person_handler handler;
	struct awaiting w = { .viewer = { .size = LARGE, .credit = 2, .show = show_awaited } };
	struct person *x = person_new(loop, pages[0], &handler, NULL);
	usec_t before, rest = 150 * USEC_PER_MSEC;
	struct samples s = {};
	unsigned count;

	run(show_pages, &(int){ 0 });
	cast_join(&w.viewer, pages[0]);
	press(x, (struct point){ 60, 30 });
	for (int i = 0; i < PRESSES; i++) {
		run(pause_briefly, &rest);
		count = w.count;
		before = clock_now();
		press(x, (struct point){ 60, 30 });
		while (w.count == count)
			loop_step(loop);
		add(&s, clock_now() - before);
	}
	report("press of a person until the next picture, median", "", median_msec(&s), 0, "ms");
	report("  95 of 100", "100 ms", percentile_msec(&s, 95), 0, "ms");
	cast_leave(&w.viewer);
	person_free(x);
}

int main(int argc, char **argv)
{
	static const struct browser_options options = {
		.start = { .headless = true },
		.page.viewport = { 1280, 720 },
		.timeout_launch = 60 * USEC_PER_SEC,
		.endpoint_timeout = 60 * USEC_PER_SEC,
	};
	struct cast_viewer *all;
	long before;

	sessions = argc > 1 ? (unsigned)atoi(argv[1]) : sessions;
	viewers = argc > 2 ? (unsigned)atoi(argv[2]) : viewers;
	if (sessions <= viewers || sessions > SESSIONS_MAX)
		return 2;
	log_set_level(LOG_ERROR);
	loop_new(&loop);
	browser = browser_new(loop, &options, NULL, NULL);
	run(open_sessions, NULL);
	bench_input();
	for (int rate = 0; rate <= 10; rate = rate ? rate * 10 : 1)
		bench_others(rate);
	before = pss_kib(getpid());
	all = all_join();
	run(pause_briefly, &(usec_t){ 3 * USEC_PER_SEC });
	report("memory for these viewers", "12 MiB", (double)(pss_kib(getpid()) - before) / 1024, 0, "MiB");
	all_leave(all);
	for (unsigned i = 0; i < sessions; i++) {
		page_unref(pages[i]);
		context_free(contexts[i]);
	}
	browser_free(browser);
	while (task_count() > 0)
		loop_step(loop);
	loop_free(loop);
	return 0;
}
