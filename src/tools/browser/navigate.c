/* browser_navigate, browser_navigate_back; navigation for other tools. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "observe/journal.h"
#include "page/address.h"
#include "page/navigate.h"
#include "reply/writer.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_navigate {
	const char *sessionId, *url;
};

static const struct param browser_navigate_params[] = {
	PARAM(browser_navigate, url, "Without a scheme, http:// is added for localhost, else https://", .required = true,
	      .max_length = LIMIT_URL),
	PARAM(browser_navigate, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int navigate_explain(struct browse *b, int r, const char *url)
{
	enum reason reason = task_error_reason(b->call.t);
	const char *log =
		arena_printf(task_arena(b->call.t),
			     "\nCall log:\n\x1b[2m  - navigating to \"%s\", waiting until \"domcontentloaded\"\x1b[22m\n", url);

	if (r != -ERR_NAVIGATION_FAILED)
		return r;
	if (!b->call.app->answers->writer->quotes_reference)
		log = "";
	else if (reason == REASON_NAVIGATION_UNANSWERED || reason == REASON_NAVIGATION_SLOW)
		return browse_fail_timeout(&b->call, b->call.timeouts.navigation, log);
	return browse_wrap(&b->call, r, BROWSE_FAILURE_OF_CALL, "", log);
}

/* A page cannot navigate while a dialog is open, and navigating would discard an open file chooser. */
static int fail_blocked(struct tool_call *call, const struct page *p, const char *url)
{
	if (page_dialog_type(p))
		return browse_fail(call,
				   "Error: The page did not navigate to %s because its \"%s\" dialog is open: handle that with "
				   "browser_handle_dialog, then navigate again.",
				   url, page_dialog_type(p));
	return browse_fail(call,
			   "Error: The page did not navigate to %s because its file chooser is open: choose files with "
			   "browser_file_upload, or cancel it by calling that without paths, then navigate again.",
			   url);
}

/* Whether the address differs from that of the document in its fragment only, so that it leads to a place in that document. */
static bool stays_in_document(const struct page *p, const char *url)
{
	size_t len = strcspn(url, "#");

	return url[len] && strcspn(page_url(p), "#") == len && strncmp(page_url(p), url, len) == 0;
}

int browse_goto(struct browse *b, struct page *p, const char *url)
{
	_cleanup_(settle_done) struct settle settle = {};
	int r;

	url = address_complete(task_arena(b->call.t), url, NULL);
	r = address_check(b->call.t, url, page_options(p));
	if (r < 0)
		return r;
	if (page_blocked(p))
		return fail_blocked(&b->call, p, url);
	browse_statement(b, NULL, (struct code_call){ .verb = CODE_GOTO, .text = url });
	b->response.snapshot = SNAPSHOT_LINK;
	settle_open(b->call.t, p, &settle);
	/* Firefox may run a call to the document that is left in the one that comes, in a sandbox of that one which it gives up at once. */
	r = stays_in_document(p, url) ? settle_watch(b->call.t, &settle, page_main_frame(p)) : 0;
	if (r < 0)
		return r;
	journal_restart(page_journal(p), b->call.app->answers->compat >= COMPAT_0_0_84);
	r = page_navigate(b->call.t, p, url, WAIT_DOMCONTENTLOADED, b->call.timeouts.navigation, NULL);
	if (r < 0 && r != -ERR_DOWNLOAD)
		return navigate_explain(b, r, url);
	return browse_settle(b, &settle);
}

static int browser_navigate_run(struct browse *b, const void *args)
{
	return browse_goto(b, b->page, ((const struct browser_navigate *)args)->url);
}

const struct tool tool_browser_navigate = BROWSE_TOOL(
	"browser_navigate", "Navigate to a URL", browser_navigate,
	"Open a URL in the current tab and wait until it has loaded. Answers its title and the name of a snapshot file; browser_snapshot shows the page.",
	(&(const struct browse_tool){ .run = browser_navigate_run, .modals = MODAL_IGNORES }),
	.terse = "Open a URL; answers a view of the page");

struct browser_navigate_back {
	const char *sessionId;
};

static const struct param browser_navigate_back_params[] = {
	PARAM(browser_navigate_back, sessionId, NULL, .schema = BROWSE_SESSION), {}
};

static int back_run(struct browse *b, const void *args)
{
	browse_code(b, "goBack();");
	b->response.snapshot = SNAPSHOT_LINK;
	return page_go_back(b->call.t, b->page, b->call.timeouts.navigation);
}

const struct tool tool_browser_navigate_back =
	BROWSE_TOOL("browser_navigate_back", "Go back", browser_navigate_back, "Go back to the previous page of the tab.",
		    (&(const struct browse_tool){ .run = back_run, .acts = true }), .terse = "Go back in history");
