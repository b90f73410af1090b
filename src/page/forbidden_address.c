/*
 * Every navigation that a client requests passes address_check(). A page that reaches a forbidden address in another way
 * (scripts, redirects, history, restored pages) is navigated away from it.
 */
#include <time.h>

#include "base/limits.h"
#include "observe/normalise.h"
#include "page/address.h"
#include "page/internal.h"
#include "page/options.h"

/* Adds the refused address to the journal, as a message of the browser. */
static void log_refusal(struct page *p, struct cdp_session *s)
{
	_cleanup_(json_freep) struct json *params = NULL;
	_cleanup_(str_done) struct str text = {};

	str_json(&text, "{entry: {source: 'security', level: 'error', text: ?, url: '', timestamp: ?}}", p->forbidden.message.data,
		 (long long)time(NULL) * 1000);
	if (json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &params) == 0)
		normalise_log(page_journal(p), cdp_session_id(s), params);
}

void leave_forbidden_address(struct page *p, struct cdp_session *s)
{
	struct forbidden_address *forbidden = &p->forbidden;
	const char *url = page_url(p);

	if (p->role != PAGE_DRIVEN)
		return;
	if (address_may_stay(url, page_options(p)->files)) {
		if (forbidden->shown)
			log_refusal(p, s); /* now, as the messages of a document go with it */
		forbidden->shown = false;
		return;
	}
	forbidden->shown = true;
	str_reset(&forbidden->message);
	str_appendf(&forbidden->message, "The page went to %.200s, an address that may not be opened; it was sent to about:blank",
		    url);
	cdp_post(p->cdp, "Page.navigate", "{url: 'about:blank'}");
}

void forbidden_address_done(struct forbidden_address *f)
{
	str_done(&f->message);
}
