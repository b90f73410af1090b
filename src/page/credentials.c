/*
 * Answers servers and proxies that ask for a user name and password, with those of the operator. Chromium sends them again by itself
 * to the origin that has accepted them, and to no other.
 */
#include <string.h>

#include "base/limits.h"
#include "egress/origin.h"
#include "page/internal.h"
#include "page/options.h"

bool has_credentials(const struct page_options *o)
{
	return o->credentials || o->proxy_username;
}

/* A request that is asked again has sent credentials that were refused. */
static bool was_answered(struct page_group *g, const char *id, const char *session_id)
{
	struct answered_challenge *c;

	TAILQ_FOREACH(c, &g->interception.challenges, link)
		if (strcmp(c->id, id) == 0 && strcmp(c->session_id, session_id) == 0)
			return true;
	return false;
}

void credentials_forget(struct interception *all, unsigned kept)
{
	while (all->challenge_count > kept) {
		struct answered_challenge *c = TAILQ_FIRST(&all->challenges);

		TAILQ_REMOVE(&all->challenges, c, link);
		all->challenge_count--;
		free(c);
	}
}

static void remember(struct page_group *g, const char *id, const char *session_id)
{
	struct answered_challenge *c = NEW(struct answered_challenge);

	credentials_forget(&g->interception, LIMIT_CHALLENGES_COUNT - 1);
	engine_id_set(c->id, id);
	engine_id_set(c->session_id, session_id);
	TAILQ_INSERT_TAIL(&g->interception.challenges, c, link);
	g->interception.challenge_count++;
}

/*
 * Finds the user name and password that answer a challenge; false: the operator gave none for it. Only the proxy of the options can
 * send a proxy's challenge. `origin` is that of the server which asks, so after a redirect that of the redirect's target.
 */
static bool find_credentials(const struct page_options *o, bool is_proxy, const char *origin, const char **name,
			     const char **password)
{
	const char *only = json_str(o->credentials, "origin");

	if (is_proxy) {
		*name = o->proxy_username;
		*password = o->proxy_password ? o->proxy_password : "";
		return o->proxy_username;
	}
	*name = json_text(o->credentials, "username");
	*password = json_text(o->credentials, "password");
	return o->credentials && url_is_web(origin) && (!only || origin_matches(only, origin));
}

void page_answer_challenge(struct page *p, struct engine_target *s, const struct challenge *c)
{
	const char *name, *password;

	if (!p->group || (p->handler && !p->hidden) || was_answered(p->group, c->id, engine_target_id(s)) ||
	    !find_credentials(page_options(p), c->is_proxy, c->origin, &name, &password)) {
		engine_answer_challenge(s, c->id, NULL, NULL);
		return;
	}
	remember(p->group, c->id, engine_target_id(s));
	engine_answer_challenge(s, c->id, name, password);
}
