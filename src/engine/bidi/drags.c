/*
 * Drags of HTML. Firefox begins those of input, but never drops them, so the page scripts perform them (scripts/drag.js): the start of a drag in
 * the page is reported with its data and prevented, and the steps that follow are events of scripts, which carry the data. The button stays
 * pressed as far as Firefox knows, since a page that drags gets no release: the pointer is left so, and another one takes its place.
 */
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/errand.h"

/* ---- what is dragged ---- */

/* {data: {items: [[type, text]], files: [path]}, from: the browsing context that a drag in the page has begun in}. */
void engine_print_drag(const struct engine_target *s, struct str *out, const struct drag_data *d)
{
	str_append(out, "{\"data\":{\"items\":[");
	for (size_t i = 0; i < d->items_count; i++)
		str_json(out, "?[?, ?]", JSON_COMMA(i > 0), d->items[i].mime_type, d->items[i].text);
	str_append(out, "],\"files\":[");
	for (size_t i = 0; i < d->files_count; i++)
		str_json(out, "? ?", JSON_COMMA(i > 0), d->files[i]);
	str_append(out, "]}}");
}

/* ---- the start of a drag ---- */

static void watch_context(struct engine_target *s, const struct bidi_context *x, const char *world, bool on)
{
	const struct bidi_world *w = bidi_context_world(x, world);
	const struct bidi_context *child;

	if (w && on)
		bidi_post(
			s, "script.callFunction",
			"{functionDeclaration: 'tell=>{browserd.performDrags({tell})}', arguments: [{type: 'channel', value: {channel: ?, "
			"ownership: 'none'}}], target: ?, awaitPromise: false}",
			BIDI_DRAG_CHANNEL, JSON_RAW(w->place));
	else if (w)
		bidi_post(s, "script.callFunction",
			  "{functionDeclaration: '()=>{browserd.performDrags({tell:null})}', target: ?, awaitPromise: false}",
			  JSON_RAW(w->place));
	TAILQ_FOREACH(child, &x->children, link)
		watch_context(s, child, world, on);
}

/* In the documents in which page scripts have run: those of the frames that are acted in are among them. */
void engine_report_drags(struct engine_target *s, bool on)
{
	const char *world = s && s->context ? bidi_library_world(s) : NULL;

	if (world)
		watch_context(s, s->context, world, on);
}

/* ---- its steps ---- */

static bool drag_has_files(const struct errand *e)
{
	return json_first(json_get(e->data, "files"));
}

static const char *drag_from(const struct errand *e)
{
	return json_str(e->message, "from");
}

static void drag_call(struct errand *e, void (*then)(struct errand *e), const char *context, const char *function,
		      const struct str *argument)
{
	int world = bidi_errand_world(e, context);

	errand_send(e, then, world, "script.callFunction",
		    "{functionDeclaration: ?, arguments: [{type: 'string', value: ?}], target: ?, awaitPromise: false, "
		    "userActivation: true}",
		    function, str_text(argument), JSON_RAW(bidi_script_place(e->target, world)));
}

/* The next press is another pointer's. */
static void change_pointer(struct bidi_input *in)
{
	in->pointer++;
	in->buttons = 0;
	in->pressed = (struct bidi_place){};
	in->sent_in[0] = '\0';
}

static void drag_on_moved(struct errand *e)
{
	_cleanup_(str_done) struct str argument = {};
	const char *effect = json_text(bidi_result(&e->step), "result.value");

	if (e->step.result < 0 || e->drag < DRAG_DROP || !drag_from(e)) {
		bidi_errand_end(e);
		return;
	}
	change_pointer(bidi_input_of(e->target));
	str_json(&argument, "{data: ?, dropEffect: ?}", e->data, effect);
	drag_call(e, bidi_errand_end, drag_from(e), "text=>{browserd.dragEnded(JSON.parse(text))}", &argument);
}

static void drag_move(struct errand *e)
{
	_cleanup_(str_done) struct str argument = {};
	struct point at = bidi_place_point(&e->place, e->point);

	str_json(&argument, "{step: ?, x: ?, y: ?, data: ?}", (int)e->drag, at.x, at.y, e->data);
	drag_call(e, drag_on_moved, e->place.context, "text=>browserd.dragTo(JSON.parse(text))", &argument);
}

static void drag_on_filled(struct errand *e)
{
	if (e->step.result < 0)
		bidi_errand_end(e);
	else
		drag_move(e);
}

static void drag_on_carrier(struct errand *e)
{
	_cleanup_(str_done) struct str element = {};

	str_append(&element, json_text(bidi_result(&e->step), "result.sharedId"));
	if (!element.len)
		drag_move(e);
	else
		errand_send(e, drag_on_filled, 0, "input.setFiles", "{context: ?, element: {sharedId: ?}, files: ?}",
			    e->place.context, element.data, json_get(e->data, "files"));
}

/* Scripts get files only by a field, to which the browser gives them. */
static void drag_on_arrived(struct errand *e)
{
	static const struct str nothing = {};

	if (e->drag == DRAG_ENTER && drag_has_files(e))
		drag_call(e, drag_on_carrier, e->place.context, "()=>browserd.carrierOfFiles()", &nothing);
	else
		drag_move(e);
}

void engine_drag(struct task *t, struct engine_target *s, struct engine_call *last, enum drag_step step, struct point at,
		 const char *data)
{
	struct errand *e;

	if (!s) {
		if (last)
			bidi_send(t, NULL, last, 0, "input.performActions", "{}");
		return;
	}
	bidi_input_of(s);
	e = bidi_errand_new(t, s, last, "script.callFunction", drag_on_arrived);
	if (!e)
		return;
	json_parse(data, strlen(data), LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &e->message);
	e->data = json_get(e->message, "data");
	e->drag = step;
	e->point = at;
	bidi_errand_begin(e);
}
