/* What operations ask of their program: the pages and frames that it knows, its turns, and what it is told. */
#include <string.h>

#include "base/limits.h"
#include "browser/videos.h"
#include "observe/clip.h"
#include "page/frame.h"
#include "runcode/operation.h"

/* ---- pages and frames ---- */

int code_program_page_number(struct code_program *g, struct page *p)
{
	for (unsigned i = 0; i < g->pages_count; i++)
		if (g->pages[i].page == p)
			return (int)g->pages[i].number;
	if (g->pages_count == CODE_PAGES_MAX)
		return -1;
	g->pages[g->pages_count] = (struct numbered_page){ .number = g->last_page++, .page = page_ref(p) };
	if (g->run)
		page_watch_modals(p, g->run->call.t);
	return (int)g->pages[g->pages_count++].number;
}

void code_program_number_pages(struct code_program *g)
{
	struct page *p = NULL;

	while (g->context && (p = context_next_page(g->context, p)))
		code_program_page_number(g, p);
}

int code_program_frame_number(struct code_program *g, struct frame *f)
{
	for (unsigned i = 0; i < g->frames_count; i++)
		if (g->frames[i].frame == f)
			return (int)g->frames[i].number;
	if (g->frames_count == CODE_FRAMES_MAX)
		return -1;
	g->frames[g->frames_count] = (struct numbered_frame){ g->last_frame++, frame_ref(f) };
	return (int)g->frames[g->frames_count++].number;
}

/* An address or name as the program gets it: the longest that can be opened, so that no call of a page becomes expensive by them. */
static void program_state_print_text(const char *text, struct str *out)
{
	_cleanup_(str_done) struct str kept = {};

	str_append_len(&kept, text, clip_fit(text, strlen(text), LIMIT_URL));
	str_json(out, "?", str_text(&kept));
}

static void print_frames(struct code_program *g, struct page *p, struct str *out)
{
	bool first = true;

	for (struct frame *f = page_next_frame(p, NULL); f; f = page_next_frame(p, f)) {
		struct frame *parent = frame_parent(f);
		int number = parent ? code_program_frame_number(g, f) : -1, above;

		if (number < 0)
			continue;
		above = parent == page_main_frame(p) ? -1 : code_program_frame_number(g, parent);
		str_json(out, "?{id: ?, parent: ?", JSON_COMMA(!first), number, above);
		str_append(out, ", \"name\": ");
		program_state_print_text(frame_name(f), out);
		str_append(out, ", \"url\": ");
		program_state_print_text(frame_url(f), out);
		str_append_char(out, '}');
		first = false;
	}
}

/* All but the address and the frames, which may be large and have a version. */
static void program_state_print_state(const struct code_program *g, const struct numbered_page *n, struct str *out)
{
	_cleanup_(str_done) struct str video = {};
	struct page *p = n->page;
	int width, height;

	page_viewport(p, &width, &height);
	if (g->context)
		context_video_path(g->context, p, &video);
	str_json(out, "id: ?, width: ?, height: ?, closed: ?, crashed: ?, video: ?", n->number, width, height,
		 (bool)(!page_alive(p) && !page_crashed(p)), page_crashed(p), video.data);
}

static void print_page(struct code_program *g, const struct numbered_page *n, struct str *out)
{
	str_appendf(out, "{%s, \"url\": ", n->state.data);
	program_state_print_text(page_url(n->page), out);
	str_append(out, ", \"frames\": [");
	print_frames(g, n->page, out);
	str_append(out, "]}");
}

void code_program_print_pages(struct code_program *g, bool all, struct str *out)
{
	unsigned printed = 0;

	code_program_number_pages(g);
	str_append_char(out, '[');
	for (unsigned i = 0; i < g->pages_count; i++) {
		_cleanup_(str_done) struct str state = {};
		struct numbered_page *n = &g->pages[i];

		program_state_print_state(g, n, &state);
		if (!all && n->version == page_tree_version(n->page) && strcmp(state.data, n->state.data) == 0)
			continue;
		n->version = page_tree_version(n->page);
		str_move(&n->state, &state);
		if (printed++)
			str_append_char(out, ',');
		print_page(g, n, out);
	}
	str_append_char(out, ']');
}

_kept_ struct frame *operation_child_frame(struct operation_call *c, const struct json *message)
{
	struct code_program *g = c->program;
	int64_t number = json_int(message, "frame", -1);

	for (unsigned i = 0; i < g->frames_count; i++)
		if (g->frames[i].number == number)
			return g->frames[i].frame;
	return NULL;
}

_kept_ struct frame *operation_frame(struct operation_call *c)
{
	return c->frame ? c->frame : page_main_frame(c->page);
}

/* ---- what the program is told ---- */

void code_program_tell(struct code_program *g, const char *function, const char *members)
{
	_cleanup_(str_done) struct str out = {}, pages = {};

	if (g->ended)
		return;
	str_append_char(&out, '{');
	str_append(&out, members);
	code_program_print_pages(g, false, &pages);
	if (strcmp(pages.data, "[]") != 0)
		str_json(&out, ", pages: ?", JSON_RAW(pages.data));
	str_append_char(&out, '}');
	sandbox_call(g->sandbox, function, out.data);
}

/* ---- turns ---- */

int operation_begin_turn(struct operation_call *c)
{
	int r = 0;

	while (r == 0 && c->program->turn_taken)
		r = waitq_wait(c->call.t, &c->program->turns, "its turn");
	if (r == 0)
		c->program->turn_taken = true;
	return r;
}

void operation_end_turn(struct operation_call *c)
{
	c->program->turn_taken = false;
	waitq_wake(&c->program->turns);
}
