/* cdp_get_response_body. */
#include <errno.h>
#include <string.h>

#include "base/base64.h"
#include "base/error.h"
#include "observe/clip.h"
#include "observe/lines.h"
#include "observe/redact.h"
#include "page/body.h"
#include "tools/cdp/cdp_tool.h"
#include "tools/cdp/tools.h"

struct cdp_get_response_body {
	const char *targetId, *requestId;
	bool base64;
};

static const struct param cdp_get_response_body_params[] = {
	PARAM(cdp_get_response_body, targetId, TARGET_ID_ABOUT, .required = true),
	PARAM(cdp_get_response_body, requestId, "requestId of a request or response event", .required = true),
	PARAM(cdp_get_response_body, base64, "Answer text as base64, too; default: only binary bodies"),
	{}
};

/* The part of a response body that goes into the answer: at most `max` bytes. */
struct body {
	struct str text;
	bool encoded;
	size_t missing; /* bytes */
};

static void body_done(struct body *b)
{
	str_done(&b->text);
}

static void take_base64(struct body *b, const char *text, size_t max)
{
	size_t len = strlen(text), bytes = len / 4 * 3 - (len > 0 && text[len - 1] == '=') - (len > 1 && text[len - 2] == '=');
	size_t kept = bytes > max ? max / 3 * 3 : bytes;

	b->encoded = true;
	b->missing = bytes - kept;
	str_append_len(&b->text, text, b->missing ? kept / 3 * 4 : len);
}

static void body_take_text(struct body *b, const struct str *whole, size_t max, bool encode)
{
	size_t len = whole->len, kept = encode ? MIN(len, max) : clip_fit(str_text(whole), len, max);
	const char *text = str_text(whole);

	b->encoded = encode;
	b->missing = len - kept;
	if (encode) {
		base64_encode(&b->text, (const uint8_t *)text, kept);
		return;
	}
	str_append_len(&b->text, text, kept);
	if (b->missing)
		clip_mark(&b->text, b->missing);
}

static void body_take(struct body *b, const struct fetched_body *fetched, size_t max, bool encode)
{
	_cleanup_(str_done) struct str whole = {};

	if (fetched->is_base64) {
		take_base64(b, fetched->text, max);
		return;
	}
	str_append(&whole, fetched->text);
	redact(&whole);
	body_take_text(b, &whole, max, encode);
}

static int body_explain(struct task *t, int r, const char *request_id)
{
	if (r == -ENOTCONN)
		return task_fail(t, -ERR_BROWSER_UNREACHABLE, "the browser has gone");
	if (r == -EMSGSIZE)
		return task_fail(t, -ERR_BODY_NOT_AVAILABLE, "the body of request \"%.100s\" is too large to be read", request_id);
	if (r == -EREMOTE || r == -ESTALE || r == -ETIMEDOUT)
		return task_fail(t, -ERR_BODY_NOT_AVAILABLE,
				 "the browser does not hold a body for request \"%.100s\". It has none of "
				 "requests that failed, were redirected or still run, and keeps the others while their document is "
				 "shown, up to a size: make the request again",
				 request_id);
	return r;
}

/* Requests the body from the browser even if the journal does not contain the request, which may have dropped it. Suspends. */
static int body_fetch(struct task *t, struct page *p, const char *request_id, usec_t patience, struct fetched_body *ret)
{
	const struct observed *e = journal_find(page_journal(p), request_id);
	uint64_t seq = e && e->kind == OBSERVED_REQUEST ? e->seq : OBSERVED_NONE;
	int r;

	task_set_deadline(t, clock_now() + patience);
	if (seq == OBSERVED_NONE)
		return page_response_body_of(t, p, request_id, ret);
	r = page_await_end(t, p, seq);
	/* The body is requested even if the response has not ended: it does not end while no script reads it. */
	task_set_deadline(t, clock_now() + patience);
	return r < 0 ? r : page_response_body(t, p, seq, ret);
}

static const char *mime_type_of(struct page *p, const char *request_id)
{
	const struct observed *e = journal_find(page_journal(p), request_id);
	const struct observed *response = e && e->kind == OBSERVED_REQUEST ? request_response(page_journal(p), e) : NULL;

	return response ? response->response.mime_type : "";
}

static int cdp_get_response_body_run(struct task *t, struct mcp_call *call, const void *args, struct result *res)
{
	const struct cdp_get_response_body *a = args;
	_cleanup_(fetched_body_done) struct fetched_body fetched = {};
	_cleanup_(page_unrefp) struct page *page = NULL;
	_cleanup_(body_done) struct body body = {};
	struct observation *ob = NULL;
	size_t text_max;
	int r;

	r = observers_find(t, call_observers(call), call_owner(call), a->targetId, true, &ob);
	if (r < 0)
		return r;
	page = page_ref(observation_page(ob));
	text_max = journal_filter_text_max(observation_filter(ob));
	r = body_fetch(t, page, a->requestId, call_app(call)->timeouts->action, &fetched);
	if (r < 0)
		return body_explain(t, r, a->requestId);
	body_take(&body, &fetched, text_max, a->base64);
	result_json(res, "{requestId: ?, mimeType: ?, encoded: ?, body: ?, missingBytes: ?}", a->requestId,
		    mime_type_of(page, a->requestId), body.encoded, str_text(&body.text), body.missing);
	return 0;
}

const struct tool tool_cdp_get_response_body =
	CDP_TOOL("cdp_get_response_body", "Get response body", cdp_get_response_body,
		 "Read the body of a response by its requestId, cut at maxBodyBytes (cdp_set_filters).",
		 "{\"type\":\"object\",\"properties\":{\"requestId\":{\"type\":\"string\"},\"mimeType\":{\"type\":\"string\"},"
		 "\"encoded\":{\"type\":\"boolean\",\"description\":\"The body is base64\"},\"body\":{\"type\":\"string\"},"
		 "\"missingBytes\":{\"type\":\"integer\",\"description\":\"Cut off at the end\"}},"
		 "\"required\":[\"requestId\",\"mimeType\",\"encoded\",\"body\",\"missingBytes\"]}",
		 .read_only = true);
