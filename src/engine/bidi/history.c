/*
 * The history of a page. BiDi moves in it by steps and has no list, so the addresses are those that events of the page have told (tree.c). They
 * do not say which of them have replaced others, nor that the page has moved in its history itself: an address here may be wrong, and the
 * entries before and behind it may be there or not. Which there are shows when one is asked for.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bidi/internal.h"
#include "engine/navigation.h"

#define HERE 1000 /* the id of the current entry: others differ from it by their distance */

/* One entry that is not known is at either end. */
int engine_history(struct task *t, struct engine_target *s, struct page_history *ret)
{
	_cleanup_(str_done) struct str list = {};
	const struct bidi_history *h;
	int id;

	*ret = (struct page_history){};
	if (!s || !s->context)
		return -ESTALE;
	h = &s->context->history;
	str_append(&list, "[\"\"");
	for (int i = 0; i < h->count; i++)
		str_json(&list, ", ?", h->urls[i]);
	str_append(&list, ",\"\"]");
	if (json_parse(list.data, list.len, 4, JSON_REPLACE_UNREPRESENTABLE, &ret->reply) < 0)
		return -EPROTO;
	ret->items = must(calloc((size_t)h->count + 3, sizeof(*ret->items)));
	ret->current = (size_t)h->current + 1;
	id = HERE - h->current - 1;
	json_foreach(url, ret->reply)
		ret->items[ret->count++] = (struct history_entry){ id++, json_text(url, NULL) };
	return 0;
}

static void on_stepped(struct engine_target *s, int result, const struct json *reply)
{
	if (result < 0 && s->context)
		s->context->history.step = 0;
}

int engine_show_entry(struct task *t, struct engine_target *s, int id)
{
	_cleanup_(engine_call_done) struct engine_call call = {};
	int r;

	if (!s || !s->context)
		return -ESTALE;
	if (id == HERE)
		return 0;
	s->context->history.step = id - HERE;
	bidi_send(t, s, &call, 0, "browsingContext.traverseHistory", "{context: ?, delta: ?}", s->id, id - HERE);
	bidi_notice(&call, on_stepped);
	r = engine_await(t, &call);
	if (r != -EREMOTE || strcmp(bidi_error(&call), "no such history entry") != 0)
		return r;
	task_forget_failure(t);
	return -ENOENT;
}

/* Firefox has no event for a step in the history that changes the fragment only. */
static void notice_address(struct engine_target *s, int result, const struct json *reply)
{
	const char *url = json_str(json_first(json_get(reply, "result.contexts")), "url");
	struct bidi_context *x = s->context;

	if (result == 0 && url && x && !x->navigates && strcmp(url, str_text(&x->url)) != 0)
		bidi_report_moved(x, url);
}

int engine_confirm_navigations(struct task *t, struct engine_target *s)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	bidi_send(t, s, &call, 0, "browsingContext.getTree", "{root: ?, maxDepth: 0}", s ? s->id : "");
	bidi_notice(&call, notice_address);
	return engine_await(t, &call);
}
