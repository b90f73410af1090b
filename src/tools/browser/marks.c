/* browser_video_chapter, browser_video_show_actions, browser_video_hide_actions. */
#include <errno.h>

#include "act/overlay.h"
#include "base/limits.h"
#include "engine/features.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define CHAPTER_DURATION 2000 /* ms */
#define MARK_DURATION 500

static int check_duration(struct tool_call *call, double ms)
{
	if (ms >= 0 && ms <= LIMIT_MARK_TIME)
		return 0;
	return browse_fail_call(call, -EINVAL, "duration must be from 0 to %.0f milliseconds, not %.15g", LIMIT_MARK_TIME, ms);
}

struct browser_video_chapter {
	const char *sessionId, *title, *description;
	double duration;
};

static const struct param browser_video_chapter_params[] = {
	PARAM(browser_video_chapter, title, NULL, .required = true, .max_length = LIMIT_STYLE, .documented = "Text of the card"),
	PARAM(browser_video_chapter, description, "Text below the title", .max_length = LIMIT_STYLE),
	PARAM(browser_video_chapter, duration, NULL,
	      .schema = "{\"type\":\"number\",\"description\":\"Milliseconds, default 2000\"}"),
	PARAM(browser_video_chapter, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int chapter_run(struct browse *b, const void *args)
{
	const struct browser_video_chapter *a = args;
	usec_t duration;
	int r = check_duration(&b->call, a->duration);

	if (r < 0)
		return r;
	duration = (usec_t)(a->duration * USEC_PER_MSEC);
	task_set_deadline(b->call.t, clock_now() + duration + b->call.timeouts.action);
	r = page_show_chapter(b->call.t, b->page, a->title, a->description, duration);
	if (r == 0)
		response_add(&b->response.result, "Chapter '%s' added.", a->title);
	return r;
}

const struct tool tool_browser_video_chapter =
	BROWSE_TOOL("browser_video_chapter", "Video chapter", browser_video_chapter,
		    "Show a card with a title over the whole page, which begins a chapter of the video.",
		    (&(const struct browse_tool){ .run = chapter_run }),
		    .defaults = &(const struct browser_video_chapter){ .duration = CHAPTER_DURATION }, .read_only = true,
		    .capability = "devtools", .needs = ENGINE_VIDEOS);

struct browser_video_show_actions {
	const char *sessionId;
	double duration;
	int position, cursor;
	const struct json *style;
};

static const char *const position_names[] = { "top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right", NULL };
static const char *const cursor_names[] = { "none", "pointer", NULL };
enum { POSITION_TOP_RIGHT = 2, CURSOR_POINTER = 1 };

#define STYLE_SCHEMA \
	"{\"type\":\"object\",\"description\":\"CSS declarations; without one, point and highlight are not drawn\",\"properties\":{" \
	"\"point\":{\"type\":\"string\",\"description\":\"At the action's point\"}," \
	"\"highlight\":{\"type\":\"string\",\"description\":\"Over the element\"}," \
	"\"title\":{\"type\":\"string\"}},\"additionalProperties\":false}"

static const struct param browser_video_show_actions_params[] = {
	PARAM(browser_video_show_actions, duration, NULL,
	      .schema = "{\"type\":\"number\",\"description\":\"Milliseconds of each mark, default 500\"}"),
	PARAM(browser_video_show_actions, position, "Of the title; default: top-right", .choices = position_names),
	PARAM(browser_video_show_actions, cursor, "Default: a pointer that moves to each action", .choices = cursor_names),
	PARAM(browser_video_show_actions, style, NULL, .schema = STYLE_SCHEMA),
	PARAM(browser_video_show_actions, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int check_style(struct browse *b, const struct json *style)
{
	static const char *const parts[] = { "point", "highlight", "title", NULL };

	if (style && json_type(style) != JSON_OBJECT)
		return browse_fail(
			&b->call,
			"Invalid arguments for tool \"browser_video_show_actions\":\n✖ Invalid input: expected object, received "
			"%s\n  → at style",
			tool_type_word(style));
	for (const char *const *part = parts; *part; part++) {
		const struct json *v = json_get(style, *part);

		if (v && json_type(v) != JSON_STRING)
			return browse_fail(
				&b->call,
				"Invalid arguments for tool \"browser_video_show_actions\":\n✖ Invalid input: expected string, "
				"received %s\n  → at style.%s",
				tool_type_word(v), *part);
	}
	return 0;
}

static int show_run(struct browse *b, const void *args)
{
	const struct browser_video_show_actions *a = args;
	int r = check_duration(&b->call, a->duration);

	if (r == 0)
		r = check_style(b, a->style);
	if (r < 0)
		return r;
	str_reset(&b->tab->marks);
	str_json(&b->tab->marks, "position: ?, cursor: ?, style: {point: ?, highlight: ?, title: ?}",
		 position_names[a->position < 0 ? POSITION_TOP_RIGHT : a->position],
		 cursor_names[a->cursor < 0 ? CURSOR_POINTER : a->cursor], json_text(a->style, "point"),
		 json_text(a->style, "highlight"), json_text(a->style, "title"));
	b->tab->marks_duration = (usec_t)(a->duration * USEC_PER_MSEC);
	response_add(&b->response.result, "Action annotations enabled.");
	return 0;
}

const struct tool tool_browser_video_show_actions = BROWSE_TOOL(
	"browser_video_show_actions", "Show action overlays", browser_video_show_actions,
	"From now on, show the name of each action on the page and a mouse pointer, for videos and for people who watch.",
	(&(const struct browse_tool){ .run = show_run }),
	.defaults = &(const struct browser_video_show_actions){ .duration = MARK_DURATION, .position = -1, .cursor = -1 },
	.read_only = true, .capability = "devtools");

struct browser_video_hide_actions {
	const char *sessionId;
};

static const struct param browser_video_hide_actions_params[] = {
	PARAM(browser_video_hide_actions, sessionId, NULL, .schema = BROWSE_SESSION), {}
};

static int marks_hide_run(struct browse *b, const void *args)
{
	str_reset(&b->tab->marks);
	page_end_marks(b->page);
	response_add(&b->response.result, "Action annotations disabled.");
	return 0;
}

const struct tool tool_browser_video_hide_actions =
	BROWSE_TOOL("browser_video_hide_actions", "Hide action overlays", browser_video_hide_actions,
		    "Stop what browser_video_show_actions began.", (&(const struct browse_tool){ .run = marks_hide_run }),
		    .read_only = true, .capability = "devtools");
