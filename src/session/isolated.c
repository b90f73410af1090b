/* The contexts of a session: its own and the isolated ones. */
#include <string.h>

#include "base/error.h"
#include "egress/egress.h"
#include "session/internal.h"

static struct isolated_context *isolated_find(const struct session *s, const struct context *c)
{
	struct isolated_context *isolated;

	TAILQ_FOREACH(isolated, &s->isolated, link)
		if (isolated->context == c)
			return isolated;
	return NULL;
}

struct context *session_next_context(const struct session *s, const struct context *after)
{
	const struct isolated_context *isolated = after ? isolated_find(s, after) : NULL;

	if (!after)
		return s->context;
	isolated = isolated ? TAILQ_NEXT(isolated, link) : TAILQ_FIRST(&s->isolated);
	return isolated ? isolated->context : NULL;
}

const char *session_context_name(const struct session *s, const struct context *c)
{
	const struct isolated_context *isolated = isolated_find(s, c);

	return isolated ? isolated->name : NULL;
}

void session_update_tabs(struct session *s)
{
	struct context *c = NULL;

	while ((c = session_next_context(s, c)))
		tabs_update(&s->tabs, c);
}

void session_end_isolated(struct session *s)
{
	struct isolated_context *isolated;

	while ((isolated = TAILQ_FIRST(&s->isolated))) {
		TAILQ_REMOVE(&s->isolated, isolated, link);
		context_free(isolated->context);
		free(isolated->name);
		free(isolated);
	}
	s->isolated_count = 0;
}

struct context *session_find_context(const struct session *s, const char *name)
{
	const struct isolated_context *isolated;

	if (!name)
		return s->context;
	TAILQ_FOREACH(isolated, &s->isolated, link)
		if (strcmp(isolated->name, name) == 0)
			return isolated->context;
	return NULL;
}

void session_hold_context(struct session *s, struct context *c)
{
	context_set_holder(c, (struct context_holder){ .session = s, .owner = s->owner, .limits = &s->registry->options->limits });
}

int session_new_context(struct task *t, const struct session *s, struct browser *b, struct context **ret)
{
	const struct context_plan plan = {
		.proxy = s->egress   ? egress_proxy(s->egress) :
			 s->settings ? s->settings->proxy :
				       NULL,
		.is_limited = s->egress,
		.page = s->settings ? &s->settings->page : NULL,
	};

	return context_new(t, b, &plan, ret);
}

int session_make_isolated(struct task *t, struct session *s, const char *name)
{
	_cleanup_(context_freep) struct context *context = NULL;
	struct isolated_context *isolated;
	struct context *made;
	int r;

	if (session_find_context(s, name))
		return 0;
	if (s->isolated_count >= LIMIT_ISOLATED_CONTEXTS_COUNT)
		return task_fail_because(t, -ERR_INVALID_PARAMETERS, REASON_TOO_MANY_ISOLATED, "{count: ?}",
					 LIMIT_ISOLATED_CONTEXTS_COUNT);
	if (!s->browser)
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed before a context of it was created", s->id);
	r = session_new_context(t, s, s->browser, &context);
	if (r < 0)
		return r;
	if (!s->registry) /* the session ended while this task waited */
		return task_fail(t, -ERR_SESSION_NOT_FOUND, "session %s was closed while a context of it was created", s->id);
	session_hold_context(s, context);
	isolated = NEW(struct isolated_context);
	isolated->name = must(strdup(name));
	isolated->context = made = TAKE_PTR(context);
	TAILQ_INSERT_TAIL(&s->isolated, isolated, link);
	s->isolated_count++;
	return session_begin_record(t, s, made);
}
