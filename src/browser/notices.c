/* What limits have done to a context, in words for its owner. */
#include "base/limits.h"
#include "browser/internal.h"

static void append_windows(const struct notices *n, const struct session_limits *limits, struct str *out)
{
	str_appendf(
		out,
		"Closed %u window%s that the pages have opened: there are too many pages (%s: %u in a session, %u in all of yours)",
		n->windows, n->windows == 1 ? "" : "s", limits->names.pages, limits->pages,
		LIMIT_OWNER_PAGES_FACTOR * limits->pages);
	if (n->closed.len)
		str_appendf(out, ", and the page %s, which went on opening them", n->closed.data);
}

static void append_too_large(const struct notices *n, const struct session_limits *limits, struct str *out)
{
	str_appendf(out, "Ended the page %s", str_text(&n->too_large));
	if (n->too_large_count > 1)
		str_appendf(out, " and %u more", n->too_large_count - 1);
	str_appendf(
		out,
		", which took the most memory of the session, because all its pages together took more than %s allows (%u MiB); open "
		"it again if it is needed, keep less in it, or close pages that are not needed",
		limits->names.memory, limits->memory);
}

static void append_blobs(struct context *c, struct str *out)
{
	const struct browser_options *o = context_browser(c) ? browser_options(context_browser(c)) : NULL;

	str_appendf(
		out,
		"Ended all pages of the session: they kept %u MiB of blobs in the main process of the browser, which had more than %s "
		"allows; open those again that are needed, and keep less in blobs",
		context_notices(c)->blobs, o ? o->names.max_memory : "its limit");
}

static void append_stored(struct context *c, struct str *out)
{
	const struct browser_options *o = context_browser(c) ? browser_options(context_browser(c)) : NULL;

	str_appendf(
		out,
		"Ended all pages of the session and cleared what their origins have stored: they made the main process of the browser, "
		"which had more than %s allows, grow (databases, caches, files, blobs, channels, workers...); open those again that are "
		"needed, and let them keep less",
		o ? o->names.max_memory : "its limit");
}

bool context_next_notice(struct context *c, struct str *out)
{
	struct notices *n = context_notices(c);

	if (n->windows) {
		append_windows(n, context_holder(c)->limits, out);
		n->windows = 0;
		str_reset(&n->closed);
	} else if (n->restored.len) {
		str_append(out, n->restored.data);
		str_reset(&n->restored);
	} else if (n->downloads) {
		str_appendf(out, "Cancelled %u download%s of the pages: %u at a time are kept until an answer has reported them",
			    n->downloads, n->downloads == 1 ? "" : "s", LIMIT_DOWNLOADS_COUNT);
		n->downloads = 0;
	} else if (n->drawing.len) {
		str_appendf(
			out,
			"Ended the page %s, which kept the graphics process of the browser busy, so that no page of any session was "
			"drawn; open it again if it is needed, without the filters, blending or layers that take so long",
			n->drawing.data);
		str_reset(&n->drawing);
	} else if (n->blobs) {
		append_blobs(c, out);
		n->blobs = 0;
	} else if (n->stored) {
		append_stored(c, out);
		n->stored = false;
	} else if (n->workers) {
		str_appendf(
			out,
			"Ended all pages of the session and cleared what their origins have stored: they started more than %u service workers "
			"or shared workers, and %u more in a minute; open those again that are needed, and let them start fewer",
			LIMIT_SHARED_WORKERS_BURST, LIMIT_SHARED_WORKERS_PER_MINUTE);
		n->workers = false;
	} else if (n->too_large_count) {
		append_too_large(n, context_holder(c)->limits, out);
		n->too_large_count = 0;
	} else {
		return false;
	}
	return true;
}

void context_announce(struct context *c, const char *text)
{
	str_set(&context_notices(c)->restored, text);
}
