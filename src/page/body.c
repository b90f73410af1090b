#include "page/body.h"

#include <errno.h>
#include <string.h>

#include "engine/cdp/cdp.h"
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

void fetched_body_done(struct fetched_body *b)
{
	json_freep(&b->reply);
}

/* `member`: of the result, with the body. */
static int fetch(struct task *t, _borrowed_ struct engine_target *s, const char *method, const char *member, const char *request_id,
		 struct fetched_body *ret)
{
	struct json *reply = NULL;
	int r = s ? cdp_call(t, s, &reply, method, "{requestId: ?}", request_id) : -ESTALE;

	if (r < 0)
		return r;
	*ret = (struct fetched_body){
		.text = json_text(json_get(reply, "result"), member),
		.is_base64 = json_bool(reply, "result.base64Encoded", false),
		.reply = reply,
	};
	/* The reply has just been parsed: what the caller makes of a long body gets a turn of its own. A cancelled task learns it later. */
	if (strlen(ret->text) > SLICE)
		(void)task_sleep(t, 0);
	return 0;
}

static int fetch_response(struct task *t, _borrowed_ struct engine_target *s, const char *request_id, struct fetched_body *ret)
{
	return fetch(t, s, "Network.getResponseBody", "body", request_id, ret);
}

int page_response_body_of(struct task *t, struct page *p, const char *request_id, struct fetched_body *ret)
{
	return fetch_response(t, page_target(p), request_id, ret);
}

int page_request_body(struct task *t, struct page *p, uint64_t seq, struct fetched_body *ret)
{
	const struct observed *e = journal_at(page_journal(p), seq);

	return e ? fetch(t, page_session(p, e->session), "Network.getRequestPostData", "postData", e->request_id, ret) : -ESTALE;
}

/* A document of a frame in another process is asked for in one process and may end up in the other: both are asked. */
int page_response_body(struct task *t, struct page *p, uint64_t seq, struct fetched_body *ret)
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
	r = fetch_response(t, page_session(p, taker), id, ret);
	if ((r == -EREMOTE || r == -ESTALE) && strcmp(asker, taker) != 0)
		r = fetch_response(t, page_session(p, asker), id, ret);
	return r;
}
