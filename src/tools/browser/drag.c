/* browser_drag, browser_drop. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "act/action.h"
#include "base/error.h"
#include "base/limits.h"
#include "reply/output.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_drag {
	const char *sessionId, *startElement, *startTarget, *endElement, *endTarget;
	const struct json *startPosition, *endPosition;
	int steps;
};

#define POSITION \
	"{\"type\":\"object\",\"description\":\"CSS pixels from its top left corner; default: center\"," \
	"\"properties\":{\"x\":{\"type\":\"number\"},\"y\":{\"type\":\"number\"}},\"required\":[\"x\",\"y\"]}"

static const struct param browser_drag_params[] = {
	PARAM(browser_drag, startElement, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_drag, startTarget, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_drag, endElement, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_drag, endTarget, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_drag, startPosition, NULL, .schema = POSITION, .is_addition = true, .is_rare = true),
	PARAM(browser_drag, endPosition, NULL, .schema = POSITION, .is_addition = true, .is_rare = true),
	PARAM(browser_drag, steps, "Intermediate mouse moves; default 0", .min = 0, .max = LIMIT_DRAG_STEPS, .is_addition = true,
	      .is_rare = true),
	PARAM(browser_drag, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* `ret` is NULL if no position is given. */
static int take_position(struct tool_call *call, const char *name, const struct json *given, struct point *point,
			 const struct point **ret)
{
	const struct json *x = json_get(given, "x"), *y = json_get(given, "y");

	if (!given)
		return 0;
	if (json_type(x) != JSON_NUMBER || json_type(y) != JSON_NUMBER)
		return task_fail(call->t, -ERR_INVALID_PARAMETERS, "%s must be an object with the numbers x and y", name);
	*point = (struct point){ json_num(x, NULL, 0), json_num(y, NULL, 0) };
	*ret = point;
	return 0;
}

/* The options of dragTo() in the generated code. */
static const char *print_positions(struct tool_call *call, const struct drag_action *d)
{
	_cleanup_(str_done) struct str text = {};

	if (d->source_place)
		str_appendf(&text, "sourcePosition: { x: %.15g, y: %.15g }", d->source_place->x, d->source_place->y);
	if (d->target_place)
		str_appendf(&text, "%stargetPosition: { x: %.15g, y: %.15g }", text.len ? ", " : "", d->target_place->x,
			    d->target_place->y);
	if (d->steps)
		str_appendf(&text, "%ssteps: %u", text.len ? ", " : "", d->steps);
	return text.len ? arena_printf(task_arena(call->t), ", { %s }", text.data) : "";
}

int browse_drag(struct tool_call *call, struct drag_action *d, const struct found_target *start, const struct found_target *end)
{
	bool lifted;
	int r;

	d->from = start->target.frame;
	d->to = end->target.frame;
	d->source = start->target.element;
	d->target = end->target.element;
	d->target_handle = end->target.ref;
	r = action_drag(call->t, d, &lifted);
	return lifted ? browse_explain(call, r, end, "move and up") : browse_explain(call, r, start, "move and down");
}

static int drag_run(struct browse *b, const void *args)
{
	const struct browser_drag *a = args;
	_cleanup_(found_target_done) struct found_target start = {}, end = {};
	struct point from, to;
	struct drag_action drag = { .steps = (unsigned)a->steps, .timeout = b->call.timeouts.action };
	int r;

	r = take_position(&b->call, "startPosition", a->startPosition, &from, &drag.source_place);
	if (r == 0)
		r = take_position(&b->call, "endPosition", a->endPosition, &to, &drag.target_place);
	if (r == 0)
		r = browse_find_target(b, a->startTarget, &start);
	if (r == 0)
		r = browse_find_target(b, a->endTarget, &end);
	if (r == 0)
		r = browse_announce(b, &start, "Drag", NULL);
	if (r < 0)
		return r;
	browse_code(b, "%s.dragTo(page.%s%s);", start.locator, end.locator, print_positions(&b->call, &drag));
	b->response.snapshot = SNAPSHOT_LINK;
	return browse_drag(&b->call, &drag, &start, &end);
}

const struct tool tool_browser_drag =
	BROWSE_TOOL("browser_drag", "Drag mouse", browser_drag,
		    "Drag one element onto another with the mouse, optionally between given points.",
		    (&(const struct browse_tool){ .run = drag_run, .acts = true }), .terse = "Drag one element onto another");

struct browser_drop {
	const char *sessionId, *element, *target;
	struct string_list paths;
	const struct json *data;
};

static const struct param browser_drop_params[] = {
	PARAM(browser_drop, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_drop, target, TARGET_ABOUT, .required = true, .max_length = LIMIT_SELECTOR),
	PARAM(browser_drop, paths, "Absolute paths of files"),
	PARAM(browser_drop, data, NULL,
	      .schema =
		      "{\"type\":\"object\",\"description\":\"Text by MIME type\",\"propertyNames\":{\"type\":\"string\"},\"additionalProperties\":{\"type\":\"string\"}}",
	      .terse_schema = "{\"type\":\"object\"}"),
	PARAM(browser_drop, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* A key that is not an identifier is printed in brackets. */
static void complain_of_item(const struct json *item, struct str *complaints)
{
	const char *name = json_name(item);
	bool word = name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")] == '\0';

	str_appendf(complaints, "\n✖ Invalid input: expected string, received %s\n  → at data", tool_type_word(item));
	if (word)
		str_appendf(complaints, ".%s", name);
	else
		str_json(complaints, "[?]", name);
}

static int check_data(struct tool_call *call, const struct json *data)
{
	_cleanup_(str_done) struct str complaints = {};

	if (data && json_type(data) != JSON_OBJECT)
		str_appendf(&complaints, "\n✖ Invalid input: expected record, received %s\n  → at data", tool_type_word(data));
	else
		json_foreach(item, data)
			if (json_type(item) != JSON_STRING)
				complain_of_item(item, &complaints);
	if (!complaints.len)
		return 0;
	return browse_fail(call, "Invalid arguments for tool \"browser_drop\":%s", complaints.data);
}

/* At least one file or data item is required. */
static int check_drop(struct tool_call *call, const struct browser_drop *a)
{
	int r;

	r = check_data(call, a->data);
	if (r < 0)
		return r;
	if (!a->paths.count && !a->data)
		return task_fail(call->t, -ERR_INVALID_PARAMETERS, "At least one of \"paths\" or \"data\" must be provided.");
	if (!a->paths.count && !json_first(a->data))
		return task_fail(call->t, -ERR_INVALID_PARAMETERS, "%sAt least one of \"files\" or \"data\" must be provided.",
				 browse_reference_caller(call));
	return 0;
}

static int drag_give_file(struct browse *b, const struct output_file *f, const char **ret_path)
{
	struct stat st;
	int fd = output_look(b->call.t, f, &st);

	if (fd < 0)
		return fd;
	if (S_ISREG(st.st_mode))
		return output_give_to_pages(b->call.t, session_context(b->session), f, fd, ret_path);
	close(fd);
	return task_fail(b->call.t, -ERR_INVALID_PARAMETERS, "Dropping %s is not supported — pass individual files.",
			 S_ISDIR(st.st_mode) ? "a directory" : f->path);
}

/* `ret` gets the paths to send to the browser, `code` the paths as the call names them: one, or a list. */
static int drag_give_files(struct browse *b, const struct string_list *paths, struct drag_data *ret, struct str *code)
{
	const char **given = arena_alloc(task_arena(b->call.t), (paths->count + 1) * sizeof(*given));
	struct output_file f;
	int r;

	str_append(code, paths->count > 1 ? "[" : "");
	for (size_t i = 0; i < paths->count; i++) {
		r = output_find(b->call.t, &b->call.files, paths->items[i], &f);
		if (r == 0)
			r = drag_give_file(b, &f, &given[i]);
		if (r < 0)
			return r;
		str_appendf(code, "%s%s", i ? ", " : "", browse_quote(&b->call, f.path));
	}
	str_append(code, paths->count > 1 ? "]" : "");
	ret->files = given;
	ret->files_count = paths->count;
	return 0;
}

static void take_items(struct tool_call *call, const struct json *data, struct drag_data *ret, struct str *code)
{
	struct drag_item *items = arena_alloc(task_arena(call->t), (json_count(data) + 1) * sizeof(*items));

	json_foreach(item, data) {
		const char *text = json_str(item, NULL);

		str_appendf(code, "%s  %s: %s", ret->items_count ? ",\n" : "", json_name(item), browse_quote(call, text));
		items[ret->items_count++] = (struct drag_item){ .mime_type = json_name(item), .text = text };
	}
	ret->items = items;
}

/* What is dropped, in the task's arena, and the equivalent argument for the generated code. */
static int describe_drop(struct browse *b, const struct browser_drop *a, struct drag_data *ret, struct str *code)
{
	_cleanup_(str_done) struct str shown_files = {}, shown_items = {};
	int r;

	r = drag_give_files(b, &a->paths, ret, &shown_files);
	if (r < 0)
		return r;
	take_items(&b->call, a->data, ret, &shown_items);
	if (a->data)
		str_appendf(code, "  data: {\n%s\n}", str_text(&shown_items));
	if (a->paths.count)
		str_appendf(code, "%s  files: %s", a->data ? ",\n" : "", shown_files.data);
	return 0;
}

static int drop_run(struct browse *b, const void *args)
{
	const struct browser_drop *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(str_done) struct str code = {};
	struct drag_data data = {};
	int r;

	r = check_drop(&b->call, a);
	if (r == 0)
		r = describe_drop(b, a, &data, &code);
	if (r == 0)
		r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	browse_code(b, "%s.drop({\n%s\n});", found.locator, code.data);
	b->response.snapshot = SNAPSHOT_LINK;
	r = action_drop(b->call.t, found.target.frame,
			&(const struct drop_action){
				.target = found.target.element,
				.data = data,
				.timeout = b->call.timeouts.action,
			});
	return r == -EACCES ? browse_explain_refusal(&b->call, r, &found, "drop") : browse_explain(&b->call, r, &found, "drop");
}

const struct tool tool_browser_drop =
	BROWSE_TOOL("browser_drop", "Drop files or data onto an element", browser_drop,
		    "Drop files (paths) or text (data) on an element, as if dragged from another program.",
		    (&(const struct browse_tool){ .run = drop_run, .acts = true }),
		    .terse = "Drop files, or data {MIME type: text}");
