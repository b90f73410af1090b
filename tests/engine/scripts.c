/* The page scripts of documents in memory, and input to these. */
#include <errno.h>
#include <string.h>

#include "engine/dialogs.h"
#include "engine/input.h"
#include "engine/script.h"
#include "memory.h"

#define REPORT_FUNCTION "browserdReport" /* by which page scripts send messages */

/* Refs begin with the prefix of their document ("f1e2"), which nodes do not have. */
static bool is_called(const struct memory_node *n, const char *target)
{
	const char *ref = strrchr(target, 'e');

	return strcmp(n->name, target) == 0 || (ref && n->ref && strcmp(n->ref, ref) == 0);
}

/* The element with that ref or name; NULL: there is none. */
static struct memory_node *find_node(const struct memory_document *d, const char *target)
{
	for (struct memory_node *n = d->nodes; target && n->role; n++)
		if (is_called(n, target))
			return n;
	return NULL;
}

/* ---- what page scripts answer ---- */

/* The marks are those of scripts/outlinetext.js. */
static void append_row(struct str *out, const struct memory_node *n, const char *prefix)
{
	str_appendf(out, "%u i - %s\t%s \x01%s\"", n->depth, n->ref ? n->ref : n->name, n->role, n->name);
	if (n->ref)
		str_appendf(out, "\x05%s%s", prefix, n->ref);
	str_append_char(out, '\n');
}

static void append_line(struct str *out, const struct memory_node *n, const char *prefix)
{
	str_appendf(out, "%s%*s- %s \"%s\"", out->len ? "\n" : "", 2 * (int)n->depth, "", n->role, n->name);
	if (n->ref)
		str_appendf(out, " [ref=%s%s]", prefix, n->ref);
	if (n[1].role && n[1].depth > n->depth)
		str_append_char(out, ':');
}

static struct json *take_snapshot(struct memory_page *p, const struct json *argument)
{
	bool outline = json_bool(argument, "outline", false);
	_cleanup_(str_done) struct str text = {};

	for (const struct memory_node *n = p->shows->nodes; n->role; n++)
		(outline ? append_row : append_line)(&text, n, json_text(argument, "refPrefix"));
	return memory_value("{text: ?, frames: [], shown: {url: ?, title: ?}}", str_text(&text), p->shows->url, p->shows->title);
}

static struct json *come_to_rest(struct memory_page *p, const struct json *argument)
{
	const struct json *wanted = json_get(argument, "snapshot");
	_cleanup_(json_freep) struct json *snapshot = json_type(wanted) == JSON_OBJECT ? take_snapshot(p, wanted) : NULL;

	if (!snapshot)
		return memory_value("{url: ?, title: ?}", p->shows->url, p->shows->title);
	return memory_value("{url: ?, title: ?, snapshot: ?}", p->shows->url, p->shows->title, snapshot);
}

static void append_element(struct str *out, const struct memory_node *n)
{
	str_appendf(out, "<%s>%s</%s>", n->role, n->name, n->role);
}

/* Where the element is to be pressed; the press is reported. */
static struct json *press_point(struct memory_page *p, const struct memory_node *n)
{
	_cleanup_(str_done) struct str element = {};

	append_element(&element, n);
	p->awaits_press = true;
	return memory_value("{x: ?, y: ?, element: ?}", n->box.x + n->box.width / 2, n->box.y + n->box.height / 2, element.data);
}

static struct json *resolve(struct memory_page *p, const struct json *argument)
{
	const char *target = json_text(argument, "target");
	const struct memory_node *n = find_node(p->shows, target);
	_cleanup_(json_freep) struct json *point = NULL;
	_cleanup_(str_done) struct str locator = {}, ref = {};

	if (!n)
		return memory_value("{failure: {code: 'REF_NOT_FOUND', reason: 'refUnknown', facts: {ref: ?}}}", target);
	if (!n->covered_by && json_get(argument, "click"))
		point = press_point(p, n);
	str_appendf(&locator, "getByRole('%s', { name: '%s' })", n->role, n->name);
	str_appendf(&ref, "%s%s", json_text(argument, "refPrefix"), n->ref);
	return memory_value("{ref: ?, steps: [{type: 'role', role: ?, name: ?}], locator: ?, point: ?}", ref.data, n->role, n->name,
			    locator.data, point);
}

static struct json *refuse_click(const struct memory_node *n, double timeout)
{
	_cleanup_(str_done) struct str element = {};

	if (!n)
		return memory_value(
			"{failure: {code: 'ELEMENT_NOT_FOUND', reason: 'actionTimeout', facts: {waited: ?, done: 'clicked', "
			"why: {reason: 'noMatchAnyMore', locator: 'it'}, before: [], tried: []}}}",
			timeout);
	append_element(&element, n);
	return memory_value(
		"{failure: {code: 'ELEMENT_NOT_CLICKABLE', reason: 'actionTimeout', facts: {waited: ?, done: 'clicked', "
		"subject: ?, why: {reason: 'covered', by: ?}, before: [], "
		"tried: [{reason: 'covered', by: ?, hit: ?, at: 0}]}}}",
		timeout, element.data, n->covered_by, n->covered_by, n->covered_by);
}

/* NULL: it goes on waiting. */
static struct json *prepare_click(struct memory_page *p, const struct json *argument, usec_t waited)
{
	const char *ref = json_str(argument, "target.ref");
	const struct json *step = json_first(json_get(argument, "target.steps"));
	const struct memory_node *n = find_node(p->shows, ref ? ref : json_str(step, "name"));
	double timeout = json_num(argument, "timeout", 0), left = timeout - json_num(argument, "elapsed", 0);

	if (n && !n->covered_by)
		return press_point(p, n);
	return (double)waited / USEC_PER_MSEC < left ? NULL : refuse_click(n, timeout);
}

static struct json *preview(struct memory_page *p, const struct json *argument)
{
	const struct memory_node *n = find_node(p->shows, json_str(argument, "ref"));
	_cleanup_(str_done) struct str element = {};

	if (n)
		append_element(&element, n);
	return memory_value("{text: ?}", str_text(&element));
}

static struct json *answer_nothing(struct memory_page *p, const struct json *argument)
{
	return memory_value("null");
}

static const struct {
	const char *name;
	struct json *(*run)(struct memory_page *p, const struct json *argument);
} scripts[] = {
	{ "snapshot", take_snapshot },  { "comeToRest", come_to_rest }, { "resolve", resolve },
	{ "resolveForClick", resolve }, { "preview", preview },         { "watchEffects", answer_nothing },
	{ "endClick", answer_nothing },
};

static struct json *run_script(struct memory_message *m, const struct json *argument)
{
	struct memory_page *p = m->target->page;

	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++)
		if (strcmp(scripts[i].name, m->what) == 0)
			return scripts[i].run(p, argument);
	if (strcmp(m->what, "prepareClick") == 0)
		return prepare_click(p, argument, clock_now() - m->sent);
	memory_has_no(m->what);
}

static void run(struct memory_message *m)
{
	_cleanup_(json_freep) struct json *argument = NULL;

	json_parse(str_text(&m->text), m->text.len, 64, JSON_REFUSE_UNREPRESENTABLE, &argument);
	m->value = m->target->page->has_dialog ? NULL : run_script(m, argument);
	m->is_early = !m->value;
}

/* A document that was replaced while the call was under way has lost it. */
static void run_in_document(struct memory_message *m)
{
	if (m->world != m->target->page->world)
		m->result = -EREMOTE;
	else
		run(m);
}

void engine_call_script(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *function,
			const char *argument, bool is_gesture)
{
	struct memory_message *m = memory_send(t, at->target, call, function, run_in_document, argument);

	if (m)
		m->world = at->own_world;
}

static void describe(struct memory_message *m)
{
	const struct memory_document *d = m->target->page->shows;

	m->value = memory_value("{url: ?, title: ?}", d->url, d->title);
}

void engine_ask(struct task *t, const struct engine_frame *at, struct engine_call *call, const char *expression)
{
	memory_send(t, at->target, call, "question", describe, expression);
}

void engine_ask_alive(struct task *t, struct engine_target *s, struct engine_call *call)
{
	memory_send(t, s, call, "sign of life", NULL, "");
}

int engine_await_script(struct task *t, struct engine_call *call, struct script_outcome *ret)
{
	int r = engine_await(t, call);

	*ret = (struct script_outcome){ .end = SCRIPT_LOST };
	if (r == 0)
		*ret = (struct script_outcome){ .end = SCRIPT_ENDED, .value = TAKE_PTR(call->reply) };
	return r == -EREMOTE ? 0 : r;
}

/* ---- input ---- */

static bool is_in(struct point at, const struct rect *box)
{
	return at.x >= box->x && at.x < box->x + box->width && at.y >= box->y && at.y < box->y + box->height;
}

/* The last of the elements there lies on top. */
static struct memory_node *find_hit(const struct memory_document *d, struct point at)
{
	struct memory_node *hit = NULL;

	for (struct memory_node *n = d->nodes; n->role; n++)
		if (is_in(at, &n->box))
			hit = n;
	return hit && !hit->covered_by ? hit : NULL;
}

static void report_press(struct memory_page *p, bool arrived)
{
	const struct engine_message report = { p->world, REPORT_FUNCTION, arrived ? "press arrived" : "press blocked" };

	if (p->awaits_press)
		REPORT(p->target, worlds, message, p->target, &report);
	p->awaits_press = false;
}

static void open_dialog(struct memory_page *p, const char *text)
{
	const struct opened_dialog d = { .type = "alert", .message = text, .url = p->shows->url };

	p->has_dialog = true;
	REPORT(p->target, modals, dialog_opened, p->target, &d);
}

static void press(struct memory_page *p, struct point at)
{
	struct memory_node *n = find_hit(p->shows, at);

	report_press(p, n);
	if (!n)
		return;
	n->presses++;
	if (n->says)
		open_dialog(p, n->says);
	if (n->leads_to)
		memory_navigate(p, n->leads_to);
}

static void handle_mouse(struct memory_message *m)
{
	m->is_early = m->target->page->has_dialog;
	if (m->is_press && !m->is_early)
		press(m->target->page, m->at);
}

void engine_mouse(struct task *t, struct engine_target *s, struct engine_call *last, const struct mouse_event *e)
{
	struct memory_message *m = memory_send(t, s, last, "mouse", handle_mouse, "");

	if (!m)
		return;
	m->at = e->at;
	m->is_press = e->type == MOUSE_PRESSED;
}

static void close_dialog(struct memory_message *m)
{
	m->target->page->has_dialog = false;
	REPORT(m->target, modals, dialog_closed, m->target, true, NULL);
}

int engine_answer_dialog(struct task *t, struct engine_target *s, bool accept, const char *text)
{
	if (t)
		return memory_call(t, s, "dialog", close_dialog, "", NULL);
	memory_post(s, "dialog", close_dialog, "");
	return 0;
}
