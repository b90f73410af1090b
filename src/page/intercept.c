#include "page/intercept.h"

#include <strings.h>

#include "egress/origin.h"
#include "page/options.h"
#include "page/internal.h"

static bool is_web(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

static bool is_in(const char *const *list, const char *url)
{
	for (; list && *list; list++)
		if (origin_matches(*list, url))
			return true;
	return false;
}

bool origin_allowed(const struct page_options *o, const char *url)
{
	if (!is_web(url))
		return true;
	return !is_in(o->blocked_origins, url) && (!o->allowed_origins || is_in(o->allowed_origins, url));
}

void intercept_enable(struct cdp_session *s, const struct page_options *o)
{
	if (o->allowed_origins || o->blocked_origins)
		cdp_post(s, "Fetch.enable", "{patterns: [{urlPattern: '*'}]}");
}

static void on_request_paused(struct cdp_session *s, const struct json *params, void *data)
{
	const struct page *p = data;
	const char *id = json_str(params, "requestId"), *url = json_str(params, "request.url");

	if (!id || !url || !page_alive(p))
		return;
	if (p->handler)
		p->handler->request(p->handler, s, id, url);
	else if (p->blank)
		cdp_post(s, "Fetch.fulfillRequest",
			 "{requestId: ?, responseCode: 200, responseHeaders: [{name: 'Content-Type', value: 'text/html'}]}", id);
	else if (origin_allowed(page_options(p), url))
		cdp_post(s, "Fetch.continueRequest", "{requestId: ?}", id);
	else
		cdp_post(s, "Fetch.failRequest", "{requestId: ?, errorReason: 'BlockedByClient'}", id);
}

void page_answer_blank(struct page *p)
{
	p->blank = true;
	cdp_post(p->cdp, "Fetch.enable", "{patterns: [{urlPattern: '*'}]}");
}

void page_set_handler(struct page *p, struct page_handler *h)
{
	p->handler = h;
}

const struct cdp_event intercept_event_table[] = {
	{ "Fetch.requestPaused", on_request_paused },
	{},
};
