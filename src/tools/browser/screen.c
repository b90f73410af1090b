/* browser_resize, browser_emulate_media, browser_take_screenshot. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "act/screenshot.h"
#include "page/emulate.h"
#include "base/limits.h"
#include "engine/emulate.h"
#include "engine/features.h"
#include "reply/output.h"
#include "reply/picture.h"
#include "reply/writer.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_resize {
	const char *sessionId;
	double width, height;
};

static const struct param browser_resize_params[] = {
	PARAM(browser_resize, width, "CSS pixels", .required = true),
	PARAM(browser_resize, height, "CSS pixels", .required = true),
	PARAM(browser_resize, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int check_size(struct tool_call *call, const char *name, double size)
{
	if (size != floor(size))
		return task_fail(call->t, -EINVAL, "%sviewportSize.%s: expected integer, got float %.15g",
				 browse_reference_caller(call), name, size);
	if (size < 0 || size > LIMIT_VIEWPORT)
		return task_fail(call->t, -EINVAL, "%s must be from 0 to %u, not %.15g", name, LIMIT_VIEWPORT, size);
	return 0;
}

static int resize_run(struct browse *b, const void *args)
{
	const struct browser_resize *a = args;
	int r;

	r = check_size(&b->call, "width", a->width);
	if (r == 0)
		r = check_size(&b->call, "height", a->height);
	if (r < 0)
		return r;
	browse_code(b, "setViewportSize({ width: %d, height: %d });", (int)a->width, (int)a->height);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return page_resize(b->call.t, b->page, (int)a->width, (int)a->height);
}

const struct tool tool_browser_resize =
	BROWSE_TOOL("browser_resize", "Resize browser window", browser_resize, "Set the size of the viewport.",
		    (&(const struct browse_tool){ .run = resize_run, .skip_first_wait = true }),
		    .terse = "Set the viewport in CSS pixels");

struct browser_emulate_media {
	const char *sessionId;
	const struct json *colorScheme, *contrast, *forcedColors, *media, *reducedMotion;
};

/* A value or null. Some clients take neither null among the values nor several types, so the short form has it in the description alone. */
#define VALUE(values) "{\"type\":\"string\",\"enum\":[" values "]}"
#define OR_NULL(values) .schema = "{\"anyOf\":[" VALUE(values) ",{\"type\":\"null\"}]}", .terse_schema = VALUE(values)

static const struct param browser_emulate_media_params[] = {
	PARAM(browser_emulate_media, colorScheme, NULL, OR_NULL("\"light\",\"dark\""),
	      .documented = "prefers-color-scheme; null: the default"),
	PARAM(browser_emulate_media, reducedMotion, NULL, OR_NULL("\"reduce\",\"no-preference\""),
	      .documented = "prefers-reduced-motion; null: the default"),
	PARAM(browser_emulate_media, forcedColors, NULL, OR_NULL("\"active\",\"none\""),
	      .documented = "forced-colors; null: the default"),
	PARAM(browser_emulate_media, contrast, NULL, OR_NULL("\"more\",\"no-preference\""),
	      .documented = "prefers-contrast; null: the default"),
	PARAM(browser_emulate_media, media, NULL, OR_NULL("\"screen\",\"print\""),
	      .documented = "Media type of style sheets; null: the default"),
	PARAM(browser_emulate_media, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* In the order of the generated code; `feature` NULL: the media type. */
static const struct {
	const char *name, *feature;
	const char *values[2];
	size_t offset;
} media_table[TAB_MEDIA_COUNT] = {
	{ "colorScheme", "prefers-color-scheme", { "light", "dark" }, offsetof(struct browser_emulate_media, colorScheme) },
	{ "contrast", "prefers-contrast", { "more", "no-preference" }, offsetof(struct browser_emulate_media, contrast) },
	{ "forcedColors", "forced-colors", { "active", "none" }, offsetof(struct browser_emulate_media, forcedColors) },
	{ "media", NULL, { "screen", "print" }, offsetof(struct browser_emulate_media, media) },
	{ "reducedMotion",
	  "prefers-reduced-motion",
	  { "reduce", "no-preference" },
	  offsetof(struct browser_emulate_media, reducedMotion) },
};

/* Applies the argument of one row; `code` gets its entry. */
static int take_media(struct browse *b, size_t row, const struct json *v, struct str *code)
{
	const char *text = json_str(v, NULL);
	const char *const *values = media_table[row].values;

	if (!v)
		return 0;
	if (json_type(v) != JSON_NULL && (!text || (strcmp(text, values[0]) != 0 && strcmp(text, values[1]) != 0)))
		return browse_fail(&b->call,
				   "Invalid arguments for tool \"browser_emulate_media\":\n✖ Invalid option: expected one of "
				   "\"%s\"|\"%s\"\n  → at %s",
				   values[0], values[1], media_table[row].name);
	b->tab->media[row] = text ? values[strcmp(text, values[0]) != 0] : NULL;
	str_appendf(code, "%s%s: ", code->len ? ", " : "", media_table[row].name);
	str_appendf(code, text ? "'%s'" : "null", text ? text : "");
	return 0;
}

static int apply_media(struct browse *b)
{
	_cleanup_(str_done) struct str features = {};
	const char *type = "";

	for (size_t i = 0; i < TAB_MEDIA_COUNT; i++) {
		const char *value = b->tab->media[i]       ? b->tab->media[i] :
				    media_table[i].feature ? emulated_media(page_options(b->page), media_table[i].feature) :
							     "";

		if (!media_table[i].feature)
			type = value;
		else
			str_json(&features, "?{name: ?, value: ?}", JSON_COMMA(features.len), media_table[i].feature, value);
	}
	return engine_set_media(b->call.t, page_target(b->page), type, arena_printf(task_arena(b->call.t), "[%s]", features.data));
}

static int emulate_run(struct browse *b, const void *args)
{
	_cleanup_(str_done) struct str code = {};
	int r = 0;

	for (size_t i = 0; r == 0 && i < TAB_MEDIA_COUNT; i++)
		r = take_media(b, i, *(const struct json *const *)((const char *)args + media_table[i].offset), &code);
	if (r < 0)
		return r;
	if (!code.len)
		return task_fail(b->call.t, -EINVAL, "Specify at least one media feature to emulate.");
	browse_code(b, "emulateMedia({ %s });", code.data);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	return apply_media(b);
}

const struct tool tool_browser_emulate_media =
	BROWSE_TOOL("browser_emulate_media", "Emulate media features", browser_emulate_media,
		    "Set CSS media features that the page sees; null resets one, others stay.",
		    (&(const struct browse_tool){ .run = emulate_run, .skip_first_wait = true }),
		    .terse = "Set CSS media features; null resets one", .needs = ENGINE_MEDIA);

struct browser_take_screenshot {
	const char *sessionId, *element, *target, *filename;
	int type, scale, part;
	bool fullPage;
};

static const char *const type_names[] = { "png", "jpeg", "webp", NULL };
static const char *const scale_names[] = { "css", "device", NULL };
#define JPEG_QUALITY 90

static const struct param browser_take_screenshot_params[] = {
	PARAM(browser_take_screenshot, element, ELEMENT_ABOUT, .is_rare = true),
	PARAM(browser_take_screenshot, target, TARGET_ABOUT, .max_length = LIMIT_SELECTOR, .empty_is_none = true),
	PARAM(browser_take_screenshot, type, "Default: by filename, else png", .choices = type_names),
	PARAM(browser_take_screenshot, filename, "Default: page-TIME.TYPE", .empty_is_none = true),
	PARAM(browser_take_screenshot, fullPage, "Whole page; not with target"),
	PARAM(browser_take_screenshot, scale, "Pixels of the image", .choices = scale_names, .defaulted = true),
	PARAM(browser_take_screenshot, part, PART_ABOUT, .min = 1, .max = LIMIT_PICTURE_PARTS_COUNT, .is_for_terse = true),
	PARAM(browser_take_screenshot, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static int screen_type_of(const struct browser_take_screenshot *a)
{
	const char *dot = a->filename ? strrchr(a->filename, '.') : NULL;

	if (a->type >= 0)
		return a->type;
	for (int i = 0; dot && type_names[i]; i++)
		if (strcasecmp(dot + 1, type_names[i]) == 0)
			return i;
	return dot && strcasecmp(dot + 1, "jpg") == 0 ? 1 : 0;
}

/* What there is a picture of. */
static const char *subject(const struct browser_take_screenshot *a)
{
	return a->target ? (a->element ? a->element : "element") : a->fullPage ? "full page" : "viewport";
}

static void append_code(struct browse *b, const struct browser_take_screenshot *a, const char *locator, const char *shown,
			const char *type, int quality)
{
	_cleanup_(str_done) struct str options = {};

	if (a->fullPage)
		str_append(&options, "  fullPage: true,\n");
	str_appendf(&options, "  path: %s,\n", browse_quote(&b->call, shown));
	if (strcmp(type, "jpeg") == 0)
		str_appendf(&options, "  quality: %d,\n", quality);
	str_appendf(&options, "  scale: '%s',\n  type: '%s'\n", scale_names[a->scale], type);
	response_add(&b->response.code, "// Screenshot %s and save it as %s", subject(a), shown);
	if (locator)
		browse_code(b, "%s.screenshot({\n%s});", locator, options.data);
	else
		browse_code(b, "screenshot({\n%s});", options.data);
}

static void show(struct browse *b, const struct picture *pic)
{
	b->response.image = pic->base64;
	b->response.image_type = picture_type(pic);
}

/* An answer in the compact form shows the picture, unless that is not wanted; the others name a file as well. */
static bool saves_unasked(const struct tool_call *call)
{
	const struct response_settings *s = call->app->answers;

	return call->files.may_write && (s->writer->saves_pictures || s->images == IMAGES_OMIT);
}

static int screen_save(struct browse *b, const struct browser_take_screenshot *a, const char *locator, const struct capture *c,
		       const struct picture *pic)
{
	struct output_file f;
	const char *shown;
	int r;

	if (!a->filename)
		show(b, pic);
	if (!a->filename && !saves_unasked(&b->call)) {
		response_add(&b->response.result, "- Screenshot of %s", subject(a));
		return 0;
	}
	r = output_choose(b->call.t, &b->call.files, a->filename, a->target ? "element" : "page", pic->format, &f);
	if (r == 0)
		r = response_write_base64(&b->response, &f, pic->base64);
	if (r < 0) {
		show(b, pic);
		return browse_keep_answer(b, r);
	}
	shown = output_shown(b->call.t, &b->call.files, f.path);
	response_add(&b->response.result, "- [Screenshot of %s](%s)", subject(a), shown);
	append_code(b, a, locator, shown, pic->format, c->quality);
	return 0;
}

static int aim(struct browse *b, const struct browser_take_screenshot *a, struct found_target *found, struct capture *c)
{
	int r;

	if (!a->target)
		return 0;
	if (a->fullPage)
		return task_fail(b->call.t, -EINVAL, "fullPage cannot be used with element screenshots.");
	r = browse_find_target(b, a->target, found);
	if (r < 0)
		return r;
	c->frame = found->target.frame;
	c->target = found->target.element;
	c->timeout = b->call.timeouts.action;
	found->resolve_lines = BROWSE_SCREENSHOT_LINES;
	return 0;
}

/* What of the wishes was given, which the defaults do not tell. */
static struct picture_wish wish_of(const struct browse *b, const struct browser_take_screenshot *a)
{
	return (struct picture_wish){
		.scale = json_member(mcp_call_arguments(b->mcp_call), "scale"),
		.type = a->type >= 0,
		.file = a->filename,
		.part = a->part,
	};
}

static void screen_describe(struct browse *b, const struct browser_take_screenshot *a, const struct capture *c,
			    const struct picture *pic)
{
	_cleanup_(str_done) struct str text = {};

	picture_describe(pic, c, a->target ? "element" : a->fullPage ? "page" : "viewport", &text);
	if (text.len)
		response_add(&b->response.result, "- %s", text.data);
}

static int screen_screenshot_run(struct browse *b, const void *args)
{
	const struct browser_take_screenshot *a = args;
	const struct picture_wish wish = wish_of(b, a);
	_cleanup_(found_target_done) struct found_target found = {};
	struct capture capture = {
		.format = type_names[screen_type_of(a)],
		.quality = JPEG_QUALITY,
		.full_page = a->fullPage,
		.device_scale = a->scale == 1,
	};
	struct picture pic = {};
	int r = aim(b, a, &found, &capture);

	if (r < 0)
		return r;
	picture_plan(b->call.app->answers, &wish, &capture);
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = page_capture(b->call.t, b->page, &capture, &pic);
	if (a->target)
		r = browse_explain(&b->call, r, &found, "scroll into view");
	if (r == 0)
		r = screen_save(b, a, found.locator, &capture, &pic);
	if (r == 0)
		screen_describe(b, a, &capture, &pic);
	return r;
}

const struct tool tool_browser_take_screenshot = BROWSE_TOOL(
	"browser_take_screenshot", "Take a screenshot", browser_take_screenshot,
	"Take a screenshot of the viewport, the whole page or an element; answers the image and a file. To act on the page use browser_snapshot.",
	(&(const struct browse_tool){ .run = screen_screenshot_run }),
	.defaults = &(const struct browser_take_screenshot){ .type = -1 }, .read_only = true,
	.terse = "Picture of page or target, for what a view cannot tell; scaled down without scale or filename");
