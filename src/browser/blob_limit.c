#include "browser/blob_limit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/random.h"
#include "base/str.h"
#include "browser/blob_dump.h"
#include "browser/internal.h"
#include "engine/processes.h"

#define PAUSE (5 * USEC_PER_SEC)       /* after a task */
#define DUMP_LIMIT (40 * USEC_PER_SEC) /* a dump waits up to 15 s for processes that do not reply */
#define PROBE_LIMIT USEC_PER_SEC       /* for a page to make its blob */
#define PROBE_BASE 4096u               /* bytes of the smallest */
#define SHARE 4u                       /* of the limit; smaller amounts are not what is wrong */

struct blob_limit {
	struct browser *browser; /* NULL: freed, but for the task that runs */
	struct task *task;
	usec_t not_before;
	struct blob_dump *dump; /* that is being made */
	bool complete;
	struct waitq changed;
};

void blob_limit_on_blobs(const char *store, uint64_t bytes, void *browser)
{
	struct blob_dump *d = browser_blob_limit(browser)->dump;

	if (d)
		blob_dump_add(d, store, bytes);
}

void blob_limit_on_counted(void *browser)
{
	struct blob_limit *l = browser_blob_limit(browser);

	l->complete = true;
	waitq_wake(&l->changed);
}

/* The limit is that of each dump, so that pages that hang do not add up to the end of the whole task. */
static int take_dump(struct task *t, struct blob_limit *l, struct blob_dump *d)
{
	int r;

	task_set_deadline(t, clock_now() + DUMP_LIMIT);
	r = engine_begin_count(t, browser_root(l->browser));
	if (r < 0)
		return r;
	l->dump = d;
	l->complete = false;
	r = engine_count_blobs(t, browser_root(l->browser));
	if (l->browser && browser_root(l->browser))
		engine_end_count(browser_root(l->browser));
	while (r == 0 && !l->complete && l->browser && browser_running(l->browser))
		r = waitq_wait(t, &l->changed, "a memory dump of the browser");
	l->dump = NULL;
	return r == 0 && !l->browser ? -ENOTCONN : r;
}

/* The blob stays until the document has gone or the next one is made. */
static void put_blob(struct task *t, struct page *p, unsigned size)
{
	_cleanup_(frame_unrefp) struct frame *f = frame_ref(page_main_frame(p));
	_cleanup_(str_done) struct str script = {};
	usec_t outer = task_set_deadline(t, clock_now() + PROBE_LIMIT);

	str_appendf(&script, "void (globalThis.browserdBlob = new Blob([new Uint8Array(%u)]))", size);
	frame_probe(t, f, NULL, script.data);
	task_set_deadline(t, outer);
}

static bool may_hold(struct context *c)
{
	return context_holder(c)->limits && !context_holder(c)->is_sandbox && context_page(c);
}

static struct context *next_unmarked(struct browser *b)
{
	struct context *c = NULL;

	while ((c = browser_next_context(b, c)))
		if (may_hold(c) && !context_noted(c)->blob_mark)
			break;
	return c;
}

static unsigned random_size(void)
{
	char name[RANDOM_NAME_SIZE];

	random_name(name);
	name[4] = '\0';
	return PROBE_BASE + (unsigned)strtoul(name, NULL, 16);
}

static int mark_contexts(struct task *t, struct browser *b)
{
	struct context *c = NULL;

	while ((c = browser_next_context(b, c)))
		context_noted(c)->blob_mark = 0;
	while ((c = next_unmarked(b))) {
		_cleanup_(page_unrefp) struct page *p = page_ref(context_page(c));
		unsigned size = random_size();

		context_noted(c)->blob_mark = size;
		put_blob(t, p, size);
		if (task_cancelled(t))
			return -ECANCELED;
	}
	return 0;
}

static struct context *find_holder(struct browser *b, const struct blob_dump *after, const struct blob_store *largest)
{
	struct context *c = NULL, *unknown = NULL;
	unsigned count = 0;
	const struct blob_store *store;

	while ((c = browser_next_context(b, c))) {
		if (!context_noted(c)->blob_mark)
			continue;
		store = blob_dump_grown_by(after, context_noted(c)->blob_mark); /* NULL: none */
		if (store == largest)
			return c;
		if (!store) {
			unknown = c;
			count++;
		}
	}
	return count == 1 ? unknown : NULL;
}

static void blob_limit_end_pages(struct context *c, uint64_t bytes)
{
	struct page *p;

	context_notices(c)->blobs = (unsigned)(bytes >> 20);
	log_warning("the pages of a session keep %u MiB in the main process of the browser and are ended", (unsigned)(bytes >> 20));
	while ((p = page_group_next(context_pages(c), NULL)))
		page_end(p);
}

static int run(struct task *t, void *data)
{
	struct blob_limit *l = data;
	_cleanup_(blob_dump_done) struct blob_dump before = {}, after = {};
	const struct blob_store *largest;
	struct context *c;
	int r;

	r = take_dump(t, l, &before);
	if (r == 0)
		r = mark_contexts(t, l->browser);
	if (r == 0)
		r = take_dump(t, l, &after);
	if (r < 0)
		return r;
	blob_dump_compare(&before, &after);
	largest = blob_dump_largest(&after);
	if (!largest || largest->size < ((uint64_t)browser_options(l->browser)->max_memory << 20) / SHARE)
		return 0;
	c = find_holder(l->browser, &after, largest);
	if (c)
		blob_limit_end_pages(c, largest->size);
	else
		log_warning("whose %u MiB the main process of the browser keeps is not known, so no page is ended",
			    (unsigned)(largest->size >> 20));
	return 0;
}

static void on_done(struct task *t, int result, void *data)
{
	struct blob_limit *l = data;

	if (!l->browser) {
		free(l);
		return;
	}
	l->task = NULL;
	l->dump = NULL;
	l->not_before = clock_now() + PAUSE;
	if (result < 0)
		log_debug("what the main process of the browser keeps cannot be assigned: %s", strerror(-result));
}

static void *blob_limit_new(struct browser *b)
{
	struct blob_limit *l = NEW(struct blob_limit);

	l->browser = b;
	waitq_init(&l->changed);
	return l;
}

static void blob_limit_browser_ended(void *part)
{
	struct blob_limit *l = part;

	waitq_wake(&l->changed);
}

static void blob_limit_free(void *part)
{
	struct blob_limit *l = part;

	l->browser = NULL;
	if (l->task)
		task_cancel(l->task, -ECANCELED, "the browser was released");
	else
		free(l);
}

const struct browser_part blob_limit_part = { .new = blob_limit_new, .ended = blob_limit_browser_ended, .free = blob_limit_free };

void blob_limit_exceeded(struct blob_limit *l, uint64_t memory)
{
	if (l->task || clock_now() < l->not_before)
		return;
	log_warning("the main process of the browser has %llu MiB, more than %s allows", (unsigned long long)(memory >> 20),
		    browser_options(l->browser)->names.max_memory);
	task_start(browser_loop(l->browser), "blob limit", run, on_done, l, &l->task);
}
