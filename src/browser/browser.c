#include "browser/browser.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "browser/browser_state.h"
#include "browser/profile.h"

#define STARTED_FACTOR 10
#define SOON (2 * USEC_PER_SEC)
#define END_TIMEOUT (5 * USEC_PER_SEC) /* for a browser that is asked to end, and writes what its profile keeps */

void browser_fail(struct browser *b, const char *fmt, ...)
{
	va_list ap;

	if (b->failure.code == 0) {
		va_start(ap, fmt);
		failure_vset(&b->failure, -ERR_BROWSER_ERROR, fmt, ap);
		va_end(ap);
		log_warning("%s", b->failure.text.data);
	}
	loop_ready(b->loop, &b->release);
}

void browser_fail_attached(struct browser *b, const char *reason)
{
	_cleanup_(str_done) struct str address = {}, advice = {};

	endpoint_describe(&b->attached.endpoint, &address);
	endpoint_advise(&b->attached.endpoint, &advice);
	if (b->state == BROWSER_RUNNING)
		browser_fail(b, "the connection to the browser at %s (%s) has ended: %s", address.data, b->options->names.endpoint,
			     reason);
	else
		browser_fail(b, "cannot connect to the browser at %s (%s): %s%s", address.data, b->options->names.endpoint, reason,
			     str_text(&advice));
}

bool browser_attached(const struct browser *b)
{
	return b->options->endpoints;
}

bool browser_shares_files(const struct browser *b)
{
	return !browser_attached(b) || endpoint_is_local(&b->attached.endpoint);
}

/* One that was started here runs on this machine, where a hundred sessions may open at once. */
usec_t browser_setup_time(const struct browser *b)
{
	return b->options->endpoint_timeout * (browser_attached(b) ? 1 : STARTED_FACTOR);
}

usec_t browser_setup_limit(const struct browser *b)
{
	usec_t limit = browser_setup_time(b);

	return limit ? clock_now() + limit : USEC_NEVER;
}

void browser_collect_tools(struct browser *b, struct webmcp_watch *watch)
{
	b->webmcp = watch;
}

struct webmcp_watch *browser_webmcp(const struct browser *b)
{
	return b->first->webmcp;
}

void browser_set_proxy(struct browser *b, const char *proxy)
{
	b->proxy = proxy;
}

const struct browser_options *browser_options(const struct browser *b)
{
	return b->options;
}

void browser_use_folder(struct browser *b, const char *folder)
{
	if (!b->options->profile_prefix)
		return;
	str_reset(&b->profile);
	if (folder)
		profile_of_folder(b->options->profile_prefix, folder, &b->profile);
}

void browser_end(struct browser *b)
{
	b->state = BROWSER_ENDING;
	timer_set(b->launch_timer, clock_now() + END_TIMEOUT);
	if (b->options->start.user_data_dir)
		engine_close(b->root);
	else
		launch_kill(b->launch);
}

void browser_log_creation(struct browser *b)
{
	b->logged = true;
	log_lifecycle("create browser (%s)", browser_attached(b)             ? "cdp" :
					     b->options->start.user_data_dir ? "persistent" :
									       "isolated");
}

void browser_log_no_creation(struct browser *b)
{
	b->logged = false;
}

struct browser_failure browser_failure(const struct browser *b)
{
	return (struct browser_failure){ &b->failure, b->attached.may_pass, b->attached.retry_after };
}

unsigned browser_starts(const struct browser *b)
{
	return b->starts;
}

bool browser_running(const struct browser *b)
{
	return b->state == BROWSER_RUNNING;
}

void browser_describe(const struct browser *b, struct str *out)
{
	if (browser_attached(b))
		endpoint_describe(&b->attached.endpoint, out);
}

bool browser_own_context_taken(struct browser *b)
{
	return browser_contexts(b)->persistent;
}

void browser_leave(struct browser *b, const char *reason)
{
	if (b->state == BROWSER_RUNNING && !b->release.queued)
		browser_fail_attached(b, reason);
}

bool browser_has_process(const struct browser *b)
{
	return b->launch;
}

bool browser_has_port(const struct browser *b)
{
	return b->launch && launch_has_open_port(b->launch);
}

bool browser_uses_port(const struct browser *b)
{
	return b->launch && launch_uses_port(b->launch);
}

const char *browser_pipe_reason(const struct browser *b)
{
	return str_text(&b->launches.pipe_reason);
}

void browser_kill(struct browser *b)
{
	if (b->launch) {
		launch_kill(b->launch);
		browser_fail(
			b, "the server is shutting down"); /* calls that wait for a reply end now, not when the process has ended */
	} else if (browser_attached(b) && b->state != BROWSER_STOPPED) {
		for (size_t i = 0; i < BROWSER_PARTS_COUNT; i++)
			if (HAS(b, i, leaving))
				b->parts->of_browser[i]->leaving(b->made[i]);
		browser_fail_attached(b, "the server is shutting down");
	}
}

struct engine_target *browser_root(struct browser *b)
{
	return b->state == BROWSER_RUNNING ? b->root : NULL;
}

/* The titles of the targets from `first` on, where the list has none; a page that does not answer soon has none either. */
static void browser_ask_titles(struct task *t, struct browser *b, struct target_list *list, size_t first)
{
	struct engine_call *calls = arena_alloc(task_arena(t), (list->count - first + 1) * sizeof(*calls));
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + SOON));

	memset(calls, 0, (list->count - first) * sizeof(*calls));
	for (size_t i = first; i < list->count; i++)
		if (!list->items[i].title)
			engine_ask_title(t, browser_root(b), &calls[i - first], list->items[i].id);
	for (size_t i = first; i < list->count; i++) {
		if (!list->items[i].title && !task_cancelled(t) && engine_await(t, &calls[i - first]) == 0)
			engine_take_title(&calls[i - first], list, &list->items[i]);
		if (!list->items[i].title)
			list->items[i].title = "";
		engine_call_done(&calls[i - first]);
	}
	task_set_deadline(t, outer);
	task_forget_failure(t);
}

int browsers_targets(struct task *t, struct browser *const *browsers, size_t count, struct target_list *ret)
{
	struct engine_call *calls = arena_alloc(task_arena(t), count * sizeof(*calls));
	usec_t outer = task_deadline(t);
	int r = 0;

	*ret = (struct target_list){};
	memset(calls, 0, count * sizeof(*calls));
	for (size_t i = 0; i < count; i++)
		engine_ask_targets(t, browser_root(browsers[i]), &calls[i]);
	if (count > 1)
		task_set_deadline(t, MIN(outer, clock_now() + SOON));
	for (size_t i = 0; i < count; i++) {
		int failure = task_cancelled(t) ? -ECANCELED : engine_await(t, &calls[i]);
		size_t first = ret->count;

		if (failure == 0) {
			engine_take_targets(&calls[i], ret);
			browser_ask_titles(t, browsers[i], ret, first);
		} else if (count == 1 || task_cancelled(t))
			r = failure;
		engine_call_done(&calls[i]);
	}
	task_set_deadline(t, outer);
	return r;
}

pid_t browser_process(const struct browser *b)
{
	return b->launch ? launch_pid(b->launch) : 0;
}

struct loop *browser_loop(struct browser *b)
{
	return b->loop;
}

const char *browser_downloads(struct browser *b)
{
	return b->launch ? launch_downloads(b->launch) : b->attached.downloads.data;
}

const char *browser_uploads(struct browser *b)
{
	return b->launch ? launch_uploads(b->launch) : b->attached.uploads.data;
}

struct browser *browser_first(struct browser *b)
{
	return b->first;
}

const struct parts *browser_parts(const struct browser *b)
{
	return b->parts;
}

void *browser_part(struct browser *b, enum browser_part_number number)
{
	return b->made[number];
}

void browser_set_part(struct browser *b, enum browser_part_number number, void *part)
{
	b->made[number] = part;
}

void browser_note_page(struct browser *b)
{
	for (size_t i = 0; i < BROWSER_PARTS_COUNT; i++)
		if (HAS(b, i, page_opened))
			b->parts->of_browser[i]->page_opened(b->made[i]);
}

unsigned browser_idle_contexts(struct browser *b)
{
	unsigned count = 0;

	for (size_t i = 0; i < BROWSER_PARTS_COUNT; i++)
		if (HAS(b, i, idle_contexts))
			count += b->parts->of_browser[i]->idle_contexts(b->made[i]);
	return count;
}

bool browser_proxies_webrtc(struct browser *b)
{
	if (b->state == BROWSER_STOPPED || b->state == BROWSER_ENDING)
		b->proxied_webrtc = true;
	return b->proxied_webrtc;
}
