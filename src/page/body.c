#include "page/body.h"

#include <errno.h>
#include <string.h>

#include "cdp/cdp.h"
#include "observe/journal.h"

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

static int ask(struct task *t, struct page *p, const char *session, const char *request_id, struct json **ret)
{
	struct cdp_session *s = page_session(p, session);

	return s ? cdp_call(t, s, ret, "Network.getResponseBody", "{requestId: ?}", request_id) : -ESTALE;
}

int page_response_body_of(struct task *t, struct page *p, const char *request_id, struct json **ret)
{
	return cdp_call(t, page_cdp(p), ret, "Network.getResponseBody", "{requestId: ?}", request_id);
}

int page_request_body(struct task *t, struct page *p, uint64_t seq, struct json **ret)
{
	const struct observed *e = journal_at(page_journal(p), seq);
	struct cdp_session *s = e ? page_session(p, e->session) : NULL;

	return s ? cdp_call(t, s, ret, "Network.getRequestPostData", "{requestId: ?}", e->request_id) : -ESTALE;
}

/* A document of a frame in another process is asked for in one process and may end up in the other: both are asked. */
int page_response_body(struct task *t, struct page *p, uint64_t seq, struct json **ret)
{
	const struct journal *j = page_journal(p);
	const struct observed *e = journal_at(j, seq), *end = e ? journal_at(j, e->sent.end) : NULL;
	const char *asker, *taker, *id;
	int r;

	if (!e)
		return -ESTALE;
	asker = arena_strdup(task_arena(t), e->session);
	taker = end ? arena_strdup(task_arena(t), end->session) : asker;
	id = arena_strdup(task_arena(t), e->request_id);
	r = ask(t, p, taker, id, ret);
	if ((r == -EREMOTE || r == -ESTALE) && strcmp(asker, taker) != 0)
		r = ask(t, p, asker, id, ret);
	return r;
}
