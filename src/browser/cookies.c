#include "browser/cookies.h"

#include <errno.h>

#include "browser/internal.h"

/* Cookies belong to the context, so they can be requested through any of its pages. */
static struct cdp_session *any_page(struct context *c)
{
	struct page *p = context_page(c);

	return p ? page_cdp(p) : NULL;
}

int context_cookies(struct task *t, struct context *c, const char *urls, struct json **ret)
{
	if (urls)
		return cdp_call(t, any_page(c), ret, "Network.getCookies", "{urls: ?}", JSON_RAW(urls));
	return cdp_call(t, any_page(c), ret, "Network.getAllCookies", "{}");
}

int context_add_cookies(struct task *t, struct context *c, const char *cookies)
{
	return cdp_call(t, any_page(c), NULL, "Network.setCookies", "{cookies: ?}", JSON_RAW(cookies));
}

int context_clear_cookies(struct task *t, struct context *c)
{
	return cdp_call(t, any_page(c), NULL, "Network.clearBrowserCookies", "{}");
}
