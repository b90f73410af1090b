#include "page/body.h"

#include <errno.h>
#include <string.h>

#include "observe/journal.h"

#define SLICE (1u << 20) /* bytes of a body that are used in the turn in which they came */

/* Scripts of the page may have read a body before the browser reports its end. */
int page_await_end(struct task *t, struct page *p, uint64_t seq)
{
	struct journal *j = page_journal(p);
	const struct observed *e;
	int r = 0;

	while (r == 0 && (e = journal_at(j, seq)) && e->sent.end == OBSERVED_NONE)
		r = page_await_event(t, p, 0, "the end of a request");
	return r == -ETIMEDOUT ? 0 : r;
}

static int fetch(struct task *t, _borrowed_ struct engine_target *s, enum body_of of, const char *request_id,
		 struct fetched_body *ret)
{
	int r = s ? engine_body(t, s, of, request_id, ret) : -ESTALE;

	/* The reply has just been parsed: what the caller makes of a long body gets a turn of its own. A cancelled task learns it later. */
	if (r == 0 && strlen(ret->text) > SLICE)
		(void)task_sleep(t, 0);
	return r;
}

int page_response_body_of(struct task *t, struct page *p, const char *request_id, struct fetched_body *ret)
{
	return fetch(t, page_target(p), BODY_OF_RESPONSE, request_id, ret);
}

int page_request_body(struct task *t, struct page *p, uint64_t seq, struct fetched_body *ret)
{
	const struct observed *e = journal_at(page_journal(p), seq);

	return e && !e->is_private ? fetch(t, page_session(p, e->session), BODY_OF_REQUEST, e->request_id, ret) : -ESTALE;
}

/* A document of a frame in another process is asked for in one process and may end up in the other: both are asked. */
int page_response_body(struct task *t, struct page *p, uint64_t seq, struct fetched_body *ret)
{
	const struct journal *j = page_journal(p);
	const struct observed *e = journal_at(j, seq), *end = e ? journal_at(j, e->sent.end) : NULL;
	const char *asker, *taker, *id;
	int r;

	if (!e || e->is_private)
		return -ESTALE;
	asker = arena_strdup(task_arena(t), e->session);
	taker = end ? arena_strdup(task_arena(t), end->session) : asker;
	id = arena_strdup(task_arena(t), e->request_id);
	r = fetch(t, page_session(p, taker), BODY_OF_RESPONSE, id, ret);
	if ((r == -EREMOTE || r == -ESTALE) && strcmp(asker, taker) != 0)
		r = fetch(t, page_session(p, asker), BODY_OF_RESPONSE, id, ret);
	return r;
}
