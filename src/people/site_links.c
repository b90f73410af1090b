/* Links to one session. */
#include "people/site_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "people/cookies.h"
#include "people/files.h"

#define LINK_LOGIN_TIME (3600 * USEC_PER_SEC) /* what a link was opened for is seen for as long */

static void append_session_address(const struct site *s, const char *session, struct str *out)
{
	str_append(out, SITE_PATH);
	if (s->node)
		str_appendf(out, "?node=%s", s->node);
	str_appendf(out, "#/session/%s", session);
}

/* Opening a link that shows no more than the person may see anyway changes nothing for them. */
static struct signin *login_by_link(struct site *s, struct http_exchange *x, const struct scope *scope)
{
	struct signin *login = cookies_signin(s->logins, s->http, s->node, x, s->app->registry, scope->session);
	const struct scope *has = login ? signin_scope(login) : NULL;

	if (has && scope_sees(has, scope->owner, scope->session) && has->act >= scope->act)
		return login;
	login = signins_add(s->logins, scope, LINK_LOGIN_TIME);
	cookies_set(x, s->http, s->node, login);
	return login;
}

void site_post_link(struct http_exchange *x, const char *id, void *data)
{
	struct site *s = data;
	_cleanup_(str_done) struct str address = {};
	struct scope scope;

	if (site_is_elsewhere(s, x, id))
		return;
	if (!links_use(s->links, id, &scope)) {
		mcp_site_refuse(x, 404, "This link is no longer valid: ask for a new one");
		return;
	}
	http_set_trusted(x, true);
	append_session_address(s, scope.session, &address);
	site_answer_login(x, login_by_link(s, x, &scope), address.data);
}

void site_get_link(struct http_exchange *x, const char *id, void *data)
{
	files_answer(x, "link.html");
}

int site_view_link(struct task *t, struct site *s, uint64_t owner, const char *id, const struct view_link_wish *wish,
		   struct str *url, int64_t *ret_expires_at)
{
	struct scope scope = { .owner = owner, .act = wish->act };
	char link[LINK_ID_SIZE];
	int r = registry_knows(t, s->app->registry, owner, id);

	if (r < 0)
		return r;
	snprintf(scope.session, sizeof(scope.session), "%s", id);
	if (!links_add(s->links, &scope, wish->valid, wish->once, link))
		return task_fail(
			t, -ERR_INVALID_PARAMETERS,
			"too many links are valid, of which each owner may have %u: wait until one was used or has expired",
			LIMIT_LINKS_OWNER_COUNT);
	mcp_site_append_origin(s->http, url);
	str_appendf(url, SITE_PATH "/l/%s", link);
	*ret_expires_at = site_unix_time(clock_now() + wish->valid);
	return 0;
}
