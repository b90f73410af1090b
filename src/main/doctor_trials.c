/* What the doctor tries: to start the browser and open a page, and to ask the state store. */
#include <stdio.h>
#include <string.h>

#include "browser/context.h"
#include "browser/pool.h"
#include "engine/launch.h"
#include "loop/failure_words.h"
#include "main/doctor_internal.h"
#include "page/navigate.h"
#include "store/store.h"

#define START_TIMEOUT_SEC 30
#define PAGE "data:text/html,<title>browserd doctor</title><p>It works."
#define PAGE_TITLE "browserd doctor"

/* ---- the browser ---- */

struct trial {
	struct loop *loop;
	struct browser *browser;
	usec_t began, started, shown;
	bool has_port, uses_port;
	struct str title, failure;
	struct str pipe_reason; /* why the connection of the server's browser is a pipe; empty: it is not, or is meant to be */
};

static int open_first_page(struct task *t, struct trial *trial, struct context *c)
{
	_cleanup_(page_unrefp) struct page *page = NULL;
	struct navigation shown;
	int r;

	r = context_open_page(t, c, &page);
	if (r < 0)
		return r;
	r = page_navigate(t, page, PAGE, WAIT_LOAD, START_TIMEOUT_SEC * USEC_PER_SEC, &shown);
	if (r < 0)
		return r;
	trial->shown = clock_now();
	str_append(&trial->title, shown.title);
	return 0;
}

static int trial_run(struct task *t, void *data)
{
	_cleanup_(context_freep) struct context *c = NULL;
	struct trial *trial = data;
	int r;

	task_set_deadline(t, clock_now() + START_TIMEOUT_SEC * USEC_PER_SEC);
	trial->began = clock_now();
	r = browser_ensure(t, trial->browser);
	if (r < 0)
		return r;
	trial->started = clock_now();
	trial->has_port = browser_has_port(trial->browser);
	trial->uses_port = browser_uses_port(trial->browser);
	r = context_new(t, trial->browser, NULL, &c);
	if (r < 0)
		return r;
	return open_first_page(t, trial, c);
}

static void trial_done(struct task *t, int r, void *data)
{
	struct trial *trial = data;

	if (r < 0)
		str_append(&trial->failure, failure_words(t, r));
	loop_stop(trial->loop);
}

static unsigned long long msec(usec_t from, usec_t to)
{
	return (to - from) / USEC_PER_MSEC;
}

/* How the server would be connected to its browser; the trial itself uses no profile on disk. */
static void report_connection(struct doctor *d, const struct trial *trial)
{
	bool required = d->options.start.connection == CONNECTION_PORT;

	if (trial->pipe_reason.len == 0) {
		if (trial->started && !d->options.endpoints)
			doctor_report(d, FINDING_OK, "connection", trial->uses_port ? "the browser's debugging port" : "a pipe");
		return;
	}
	if (!required && d->options.start.product == BROWSER_FIREFOX) {
		doctor_report(
			d, FINDING_NOTE, "connection",
			"the browser's debugging port, open to all users of this machine until the server has its session: %s",
			trial->pipe_reason.data);
		return;
	}
	if (!required) {
		doctor_report(d, FINDING_NOTE, "connection", "a pipe instead of the browser's debugging port: %s",
			      trial->pipe_reason.data);
		return;
	}
	doctor_report(d, FINDING_WRONG, "connection", "the browser's debugging port cannot be made private: %s",
		      trial->pipe_reason.data);
	doctor_advise(d, "leave --browser-connection port out, so that a pipe is used");
}

static void report_trial(struct doctor *d, const struct trial *trial)
{
	if (trial->started)
		doctor_report(d, FINDING_OK, "start", "the browser answered after %llu ms", msec(trial->began, trial->started));
	if (trial->failure.len > 0)
		doctor_report(d, FINDING_WRONG, trial->started ? "first page" : "start", "%s", trial->failure.data);
	else if (strcmp(str_text(&trial->title), PAGE_TITLE) != 0)
		doctor_report(d, FINDING_WRONG, "first page", "the page has the wrong title \"%s\"", str_text(&trial->title));
	else
		doctor_report(d, FINDING_OK, "first page", "loaded after another %llu ms", msec(trial->started, trial->shown));
	report_connection(d, trial);
	if (d->options.endpoints) {
		doctor_report(d, FINDING_NOTE, "debugging port",
			      "the browser of --cdp-endpoint can be controlled by everyone who can connect to its port");
	} else if (trial->has_port) {
		doctor_report(d, FINDING_WRONG, "debugging port",
			      "the browser listens on a debugging port that the server did not request: every user and "
			      "page on this machine can control it");
		doctor_advise(d, "remove --remote-debugging-port from the script that starts the browser, or from its settings");
	} else if (trial->started && !(trial->uses_port && trial->pipe_reason.len)) {
		doctor_report(d, FINDING_OK, "debugging port", "%s: only the server can control the browser",
			      trial->uses_port ? "closed to everyone else" : "none");
	}
	if (!trial->started)
		doctor_advise(
			d,
			"the browser's messages are above; try --log-level debug for more, --executable-path for another browser");
}

static void note_pipe_reason(const struct options *o, struct trial *trial)
{
	const char *reason = browser_pipe_reason(trial->browser);

	if (!*reason && o->browser.start.connection != CONNECTION_PIPE && !o->browser.endpoints)
		reason = launch_port_obstacle(trial->loop, &o->browser.start);
	str_append(&trial->pipe_reason, reason ? reason : "");
}

void doctor_try_start(struct doctor *d, const struct options *o)
{
	_cleanup_(str_done) struct str address = {};
	struct trial trial = {};
	int r;

	r = loop_new(&trial.loop);
	if (r < 0) {
		doctor_report(d, FINDING_WRONG, "start", "cannot create an event loop: %s", strerror(-r));
		return;
	}
	dprintf(d->out, "%6s %-17s opening a page, which may take up to %d s\n", "", "start", START_TIMEOUT_SEC);
	trial.browser = browser_new(trial.loop, &d->options, NULL, NULL);
	browser_describe(trial.browser, &address);
	if (address.len && o->browser.endpoints[1])
		doctor_report(d, FINDING_NOTE, "browser", "the next is at %s", address.data);
	r = task_start(trial.loop, "doctor", trial_run, trial_done, &trial, NULL);
	if (r == 0)
		r = loop_run(trial.loop);
	if (r < 0)
		str_appendf(&trial.failure, "%s", strerror(-r));
	note_pipe_reason(o, &trial);
	browser_free(trial.browser);
	loop_free(trial.loop);
	report_trial(d, &trial);
	str_done(&trial.title);
	str_done(&trial.failure);
	str_done(&trial.pipe_reason);
}

/* With an address for each session, that of a session "doctor". */
void doctor_try_endpoints(struct doctor *d, const struct options *o)
{
	d->options.per_session = false;
	for (const char *const *address = o->browser.endpoints; *address; address++) {
		_cleanup_(str_done) struct str expanded = {};

		pool_expand(*address, "doctor", &expanded);
		d->options.endpoints = (const char *const[]){ expanded.data, NULL };
		doctor_try_start(d, o);
	}
}

/* ---- the state store ---- */

struct store_trial {
	struct loop *loop;
	struct store *store;
	struct str failure;
};

static int store_trial_run(struct task *t, void *data)
{
	return store_ping(t, ((struct store_trial *)data)->store);
}

static void store_trial_done(struct task *t, int r, void *data)
{
	struct store_trial *trial = data;

	if (r < 0)
		str_append(&trial->failure, failure_words(t, r));
	loop_stop(trial->loop);
}

void doctor_try_store(struct doctor *d, const struct options *o)
{
	struct store_trial trial = {};
	int r;

	if (!o->store.url)
		return;
	r = loop_new(&trial.loop);
	if (r < 0) {
		doctor_report(d, FINDING_WRONG, "state store", "cannot create an event loop: %s", strerror(-r));
		return;
	}
	trial.store = store_new(trial.loop, &o->store);
	r = task_start(trial.loop, "doctor", store_trial_run, store_trial_done, &trial, NULL);
	if (r == 0)
		r = loop_run(trial.loop);
	if (r < 0)
		str_append(&trial.failure, strerror(-r));
	if (trial.failure.len > 0)
		doctor_report(d, FINDING_WRONG, "state store", "%s", trial.failure.data);
	else
		doctor_report(d, FINDING_OK, "state store", "%s answers", store_address(trial.store));
	store_free(trial.store);
	loop_free(trial.loop);
	str_done(&trial.failure);
}
