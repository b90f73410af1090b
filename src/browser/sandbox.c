#include "browser/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "browser/internal.h"
#include "engine/navigation.h"
#include "engine/script.h"
#include "page/frame.h"
#include "page/intercept.h"
#include "page/navigate.h"
#include "scripts/scripts.h"

#define READY_TIMEOUT (2 * USEC_PER_SEC) /* for a new document after a run that has ended */

/*
 * The context's proxy, PROXY_TO_NOWHERE, stops what goes through the network stack. The policy keeps other documents and workers away, and what sends by itself (WebRTC), which the
 * client side takes away as well; its `sandbox` makes the origin an opaque one and lets no window be opened, by whatever
 * means. It has to come as a header field, as documents cannot say it of themselves: the request for the document is
 * answered here. Its address is one of those that are kept for documentation, so that no name is looked up.
 */
#define HOME "http://192.0.2.1/"
#define HOME_POLICY "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; webrtc 'block'"

#define UTF8_MAX 3u /* bytes of a UTF-16 unit */

struct sandbox {
	_kept_ struct context *context;
	_kept_ struct page *page;
	struct page_handler handler;
	struct sandbox_user *user; /* NULL: none */
	struct str pieces;         /* of a message whose last one has not come */
	unsigned commits;          /* of the page: with the run's document, or when the one for the next was asked for */
};

static void end_user(struct sandbox *s)
{
	struct sandbox_user *u = s->user;

	s->user = NULL;
	if (u)
		u->ended(u);
}

static struct sandbox *sandbox_free(struct sandbox *s)
{
	if (!s)
		return NULL;
	end_user(s);
	if (s->page)
		page_set_handler(s->page, NULL);
	page_unref(s->page);
	str_done(&s->pieces);
	context_free(s->context);
	free(s);
	return NULL;
}
DEFINE_FREEP(sandbox);

static void sandbox_end(void *part)
{
	sandbox_free(part);
}

const struct context_part sandbox_part = { .free = sandbox_end, .owns_pages = true };

/*
 * See sendPieces() of scripts/code/run.js. To parse a long message twice, in what the browser sends and then itself, would take the loop
 * too long. Code that sends something else without the client side gets no answer.
 */
static void sandbox_on_message(struct page_handler *h, const char *text)
{
	struct sandbox *s = CONTAINER_OF(h, struct sandbox, handler);
	_cleanup_(str_done) struct str message = {};
	size_t len = strlen(text);

	if (!s->user || len > UTF8_MAX * LIMIT_CODE_PIECE + 1 || s->pieces.len + len > LIMIT_CODE_MESSAGE + 1) {
		str_done(&s->pieces);
	} else if (*text == '+') {
		str_append(&s->pieces, text + 1);
	} else if (*text == '.') {
		str_append(&s->pieces, text + 1);
		str_move(&message, &s->pieces);
		s->user->message(s->user, str_text(&message));
	} else {
		s->user->message(s->user, text);
	}
}

/* Whether the document of the run is there. */
static bool sandbox_alive(const struct sandbox *s)
{
	return page_alive(s->page) && page_commits(s->page) == s->commits;
}

static void on_changed(struct page_handler *h)
{
	struct sandbox *s = CONTAINER_OF(h, struct sandbox, handler);

	if (!sandbox_alive(s))
		end_user(s);
}

struct sandbox_user *sandbox_user(const struct sandbox *s)
{
	return s->user;
}

void sandbox_set_user(struct sandbox *s, struct sandbox_user *u)
{
	s->user = u;
}

/* A new document: timers, globals and whatever else a run has left go with the old one. */
static void ask_for_document(struct sandbox *s)
{
	s->commits = page_commits(s->page);
	str_done(&s->pieces);
	engine_navigate(NULL, page_target(s->page), NULL, HOME);
}

static void sandbox_on_request(struct page_handler *h, struct paused_request *q)
{
	_cleanup_(header_list_done) struct header_list fields = {};

	if (strcmp(paused_request_reported(q)->url, HOME) != 0) {
		paused_request_abort(q, ABORT_BLOCKED_BY_CLIENT);
		return;
	}
	header_list_add(&fields, "Content-Type", "text/html");
	header_list_add(&fields, "Cache-Control", "no-store");
	header_list_add(&fields, "X-DNS-Prefetch-Control", "off");
	header_list_add(&fields, "Content-Security-Policy", HOME_POLICY);
	paused_request_fulfill(q, &(const struct fulfilment){ .status = 200, .headers = &fields });
}

/* It becomes that of `owner`. */
static int make(struct task *t, struct context *owner)
{
	_cleanup_(sandbox_freep) struct sandbox *s = NEW(struct sandbox);
	struct context_holder holder;
	int r;

	if (!context_browser(owner))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	r = context_new_offline(t, context_browser(owner), &(const struct context_plan){ .proxy = PROXY_TO_NOWHERE }, &s->context);
	if (r < 0)
		return r;
	r = context_open_page(t, s->context, &s->page);
	if (r < 0)
		return r;
	if (!page_alive(s->page))
		return task_fail(t, -ENOTCONN, ENGINE_BROWSER_ENDED);
	s->handler = (struct page_handler){ .message = sandbox_on_message, .request = sandbox_on_request, .changed = on_changed };
	page_set_handler(s->page, &s->handler);
	context_seal(s->context);
	holder = *context_holder(owner);
	holder.is_sandbox = true;
	context_set_holder(s->context, holder);
	engine_intercept(NULL, page_target(s->page), NULL, HOME, INTERCEPT_REQUESTS);
	engine_expose(page_target(s->page), "browserdAsk", NULL);
	engine_add_init_script(page_target(s->page), code_scripts, NULL);
	ask_for_document(s);
	context_set_sandbox(owner, TAKE_PTR(s));
	return 0;
}

/* Suspends until the document for the next run is there. -ETIMEDOUT: it does not come. */
static int wait_until_ready(struct task *t, struct sandbox *s)
{
	struct page *p = s->page;
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + READY_TIMEOUT));
	int r = 0;

	while (r == 0 && page_alive(p) && (page_commits(p) == s->commits || !(frame_load_states(page_main_frame(p)) & LOAD_LOAD)))
		r = waitq_wait(t, page_changed(p), "a document for the code");
	task_set_deadline(t, outer);
	s->commits = page_commits(p);
	return r == 0 && !page_alive(p) ? -ETIMEDOUT : r;
}

/* A document that is kept for a user is ready for the next run. */
static int sandbox_prepare(struct task *t, struct context *c, bool *again)
{
	struct sandbox *own = context_sandbox(c);
	int r = 0;

	*again = own;
	if (own && own->user)
		return 0;
	if (!own)
		r = make(t, c);
	if (r == 0)
		r = wait_until_ready(t, context_sandbox(c));
	if (r < 0 && context_sandbox(c))
		sandbox_leave(c, false);
	return r;
}

int sandbox_enter(struct task *t, struct context *c, struct sandbox **ret)
{
	bool again;
	int r;

	r = sandbox_prepare(t, c, &again);
	if (r == -ETIMEDOUT && again) /* what the last run left holds the page */
		r = sandbox_prepare(t, c, &again);
	if (r == -ETIMEDOUT)
		return task_fail(t, -ERR_BROWSER_ERROR, "the page that the code runs in did not start in time; call again");
	if (r < 0)
		return r;
	*ret = context_sandbox(c);
	return 0;
}

void sandbox_run(struct sandbox *s, const char *code, const char *facts)
{
	_cleanup_(str_done) struct str call = {};

	str_append(&call, "browserd.run(");
	str_append_quoted(&call, code, strlen(code));
	str_appendf(&call, ", %s)", facts);
	engine_run_in_page(page_target(s->page), call.data);
}

void sandbox_call(struct sandbox *s, const char *function, const char *argument)
{
	_cleanup_(str_done) struct str call = {};

	if (!page_alive(s->page))
		return;
	str_appendf(&call, "browserd.%s(", function);
	str_append(&call, argument);
	str_append_char(&call, ')');
	engine_run_in_page(page_target(s->page), call.data);
}

void sandbox_leave(struct context *c, bool clean)
{
	struct sandbox *s = context_sandbox(c);

	if (!clean || !sandbox_alive(s)) {
		context_set_sandbox(c, sandbox_free(s));
		return;
	}
	if (!s->user)
		ask_for_document(s);
}
