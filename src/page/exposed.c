#include "page/exposed.h"

#include <string.h>

#include "base/limits.h"
#include "engine/script.h"
#include "page/internal.h"
#include "scripts/scripts.h"

#define MESSAGE_MAX (4 * (size_t)LIMIT_EXPOSED_ARGUMENTS) /* bytes of it; a unit of the arguments takes three at most */
#define MESSAGE_DEPTH 2 /* of the object that functions/exposed.js sends; the arguments in it are a text */

void frame_answer_call(struct frame *f, int world, int64_t number, const char *value, bool threw)
{
	_cleanup_(str_done) struct str call = {};
	struct page_answer *a;

	if (!f->at.target || f->at.page_world != world)
		return;
	str_append(&call, "globalThis[Symbol.for('browserd.exposed')].answer(");
	str_json(&call, "?, ?, ?", number, value, threw);
	str_append_char(&call, ')');
	a = page_answer_new(f->page, ANSWER_TO_SCRIPT);
	page_answer_sent(a, engine_answer_run(f->at.target, &a->call, world, call.data, page_answer_taken, a));
}

void frame_refuse_call(struct frame *f, int world, int64_t number, const char *text)
{
	_cleanup_(str_done) struct str value = {};

	str_json(&value, "{e: ['Error', ?, ?]}", text, text);
	frame_answer_call(f, world, number, value.data, true);
}

void exposed_on_call(struct page *p, struct engine_target *s, int world, const char *text)
{
	struct exposed_receiver *receiver = p->group ? p->group->exposed_receiver : NULL;
	_cleanup_(json_freep) struct json *message = NULL;
	struct exposed_call call = { .world = world };

	if (strlen(text) > MESSAGE_MAX || json_parse(text, strlen(text), MESSAGE_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &message) < 0)
		return;
	TAILQ_FOREACH(call.frame, &p->frames, link)
		if (call.frame->at.target == s && call.frame->at.page_world == world)
			break;
	if (!call.frame)
		return;
	call.number = json_int(message, "number", 0);
	call.name = json_text(message, "name");
	call.arguments = json_text(message, "arguments");
	if (receiver)
		receiver->called(receiver, &call);
	else
		frame_refuse_call(call.frame, world, call.number, "the code of this function has ended");
}

void exposed_print_script(struct str *out, const char *name)
{
	str_appendf(out, "(%s)(", exposed_script);
	str_json(out, "?, ?", name, LIMIT_EXPOSED_ARGUMENTS);
	str_append_char(out, ')');
}

void exposed_run_script(const struct page *p, const char *script)
{
	struct frame *f;

	TAILQ_FOREACH(f, &p->frames, link)
		if (f->at.target && f->at.page_world)
			engine_run(f->at.target, f->at.page_world, script);
}
