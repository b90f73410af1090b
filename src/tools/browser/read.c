/* browser_read: the text of a page as Markdown. @playwright/mcp has no such tool. */
#include <string.h>

#include "act/reading.h"
#include "base/display.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/mask.h"
#include "base/notation.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

#define BUDGET_DEFAULT 4096
#define BUDGET_MIN 500
#define FENCE_ROOM 40u        /* bytes around the text, */
#define NOTE_ROOM 40u         /* for the line that says how much is left, */
#define SECTIONS_ROOM 600u    /* and for the headings in it, */
#define SECTIONS_BUDGET 2000u /* which answers of this length have */
#define SECTIONS_COUNT 12u
#define HEADING_LEVELS 6u

struct browser_read {
	const char *sessionId, *target, *section, *filter, *filename;
	bool urls;
	int budget;
};

static const struct param browser_read_params[] = {
	PARAM(browser_read, target, TARGET_ABOUT "; default: the main content", .max_length = LIMIT_SELECTOR,
	      .empty_is_none = true),
	PARAM(browser_read, section, "Heading: read what is below it", .terse = "Heading", .max_length = LIMIT_SELECTOR,
	      .empty_is_none = true),
	PARAM(browser_read, filter, "Words: only paragraphs, rows and items that have them all", .max_length = LIMIT_SELECTOR,
	      .empty_is_none = true),
	PARAM(browser_read, urls, "With addresses of links and pictures", .is_rare = true),
	PARAM(browser_read, budget, "Bytes to answer", .min = BUDGET_MIN, .max = LIMIT_READ_ANSWER, .is_rare = true),
	PARAM(browser_read, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_read, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

/* ---- the part of a text that an answer has ---- */

static bool read_is_blank(const char *line, const char *end)
{
	while (line < end && (*line == ' ' || *line == '>'))
		line++;
	return line == end || *line == '\n';
}

/* The end of the last word, or else character, within `budget` bytes: of a line that is longer than that. */
static size_t cut_in_line(const char *text, size_t budget)
{
	size_t end = budget;

	while (end > 0 && text[end] != ' ')
		end--;
	if (end > 0)
		return end;
	for (end = budget; end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80; end--)
		;
	return end;
}

/* How much of a text that does not fit is shown: whole blocks, or whole lines where these would be less than half of the budget. */
static size_t read_cut(const char *text, size_t len, size_t budget, unsigned lines)
{
	size_t line_end = 0, block_end = 0;

	for (size_t at = 0; at < len && lines > 0; lines--) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t end = newline ? (size_t)(newline - text) : len;

		if (end > budget)
			break;
		line_end = end;
		at = end + 1;
		if (at < len && read_is_blank(text + at, text + len))
			block_end = end;
	}
	if (block_end >= budget / 2)
		return block_end;
	return line_end ? line_end : cut_in_line(text, budget);
}

static bool read_fits(const char *text, size_t len, size_t budget)
{
	unsigned lines = 1;

	for (const char *at = text; lines <= LIMIT_READ_LINES_COUNT && (at = strchr(at, '\n')); at++)
		lines++;
	return len <= budget && lines <= LIMIT_READ_LINES_COUNT;
}

/* ---- what is left ---- */

struct heading {
	const char *text;
	size_t len;
	unsigned level;
};

/* The level of a heading, 0 for any other line. `fence`: the length of the fence that the line is in, 0 outside, which is updated. */
static unsigned heading_level(const char *line, size_t len, size_t *fence)
{
	size_t ticks = strspn(line, "`"), hashes = strspn(line, "#");

	if (*fence) {
		if (ticks == *fence && ticks == len)
			*fence = 0;
		return 0;
	}
	if (ticks >= 3)
		*fence = ticks;
	return hashes && hashes <= HEADING_LEVELS && line[hashes] == ' ' ? (unsigned)hashes : 0;
}

/* Calls `found` with the headings of the text that begin at `from` or later. */
static void each_heading(const char *text, size_t from, void (*found)(void *data, const struct heading *h), void *data)
{
	size_t fence = 0;

	for (const char *line = text; *line;) {
		size_t len = strcspn(line, "\n");
		unsigned level = heading_level(line, len, &fence);

		if (level && (size_t)(line - text) >= from)
			found(data, &(const struct heading){ line + level + 1, len - level - 1, level });
		line += len + (line[len] == '\n');
	}
}

static void count_heading(void *data, const struct heading *h)
{
	unsigned *counts = data;

	counts[h->level]++;
}

struct section_list {
	struct str text;
	unsigned deepest; /* level that is listed */
	unsigned count;
};

static void list_heading(void *data, const struct heading *h)
{
	struct section_list *list = data;

	if (h->level > list->deepest || list->count == SECTIONS_COUNT || list->text.len + h->len > SECTIONS_ROOM)
		return;
	str_append(&list->text, list->count++ ? " | " : "");
	notation_quote(&list->text, h->text, h->len);
}

/* The uppermost level of headings in what is left, with those below as far as there are few of them. */
static void append_sections(const char *text, size_t from, struct str *out)
{
	struct section_list list = {};
	unsigned counts[HEADING_LEVELS + 1] = {}, sum = 0, all = 0;

	each_heading(text, from, count_heading, counts);
	for (unsigned level = 1; level <= HEADING_LEVELS; level++) {
		all += counts[level];
		if (counts[level] && (!sum || all <= SECTIONS_COUNT)) {
			list.deepest = level;
			sum = all;
		}
	}
	each_heading(text, from, list_heading, &list);
	if (list.count)
		str_appendf(out, "; sections: %s%s", list.text.data, list.count < sum ? " | …" : "");
	str_done(&list.text);
}

static void read_append_number(struct str *out, size_t n)
{
	if (n >= 1000) {
		read_append_number(out, n / 1000);
		str_appendf(out, ",%03zu", n % 1000);
	} else
		str_appendf(out, "%zu", n);
}

/* The line that says what is left from `from` on, where a cursor to it belongs. */
static void append_note(const char *text, size_t len, size_t from, size_t budget, struct str *out)
{
	str_append(out, "\n… ");
	read_append_number(out, len - from);
	str_append(out, " more bytes");
	if (budget >= SECTIONS_BUDGET)
		append_sections(text, from, out);
}

/* Returns how much of the text fits into the budget with the line about the rest, which is appended to `note`. */
static size_t cut_with_note(const char *text, size_t len, size_t budget, struct str *note)
{
	size_t shown = len, room = FENCE_ROOM;

	if (read_fits(text, len, budget - room))
		return len;
	do {
		room = FENCE_ROOM + MAX(note->len, (size_t)NOTE_ROOM);
		shown = read_cut(text, len, budget - room, LIMIT_READ_LINES_COUNT);
		str_reset(note);
		append_note(text, len, shown + strspn(text + shown, " \n"), budget, note);
	} while (note->len > room - FENCE_ROOM);
	return shown;
}

static void name_cursor(struct browse *b, const char *rest, struct str *note)
{
	unsigned cursor = response_keep_rest(&b->response, b->session, rest, strlen(rest));

	if (cursor)
		str_appendf(note, ", cursor c%u", cursor);
}

/*
 * Adds the text to the answer, or as much of it as the budget allows and a line that says what is left. The text is in a fence, as its
 * headings and lists would otherwise be those of the answer.
 */
static void show_text(struct browse *b, const struct reading *reading, size_t budget)
{
	const char *text = str_text(&reading->text);
	_cleanup_(str_done) struct str note = {};
	size_t shown = cut_with_note(text, reading->text.len, budget, &note);
	struct str *out = &b->response.block;

	if (note.len)
		name_cursor(b, text + shown + strspn(text + shown, " \n"), &note);
	display_code(out, "markdown", arena_printf(task_arena(b->call.t), "%.*s", (int)shown, text));
	str_append(out, str_text(&note));
	if (reading->is_cut)
		str_appendf(out, "\nThe page has more text than %u MiB: ask for a section, a target or a filter", LIMIT_READ >> 20);
}

/* ---- the call ---- */

static int fail_section(struct tool_call *call, const char *section, const struct reading *reading)
{
	const char *headings = str_text(&reading->headings);

	if (!reading->headings_count)
		return browse_fail(call, "There is no section \"%s\", as there are no headings: leave out section.",
				   response_line(call->t, section));
	if (reading->is_ambiguous)
		return browse_fail(call, "\"%s\" are several sections, give one of: %s", response_line(call->t, section),
				   response_line(call->t, headings));
	return browse_fail(call, "There is no section \"%s\". The headings that are most like it: %s",
			   response_line(call->t, section), response_line(call->t, headings));
}

static int read_answer(struct browse *b, const struct browser_read *a, const struct reading *reading)
{
	if (a->section && !reading->is_found)
		return fail_section(&b->call, a->section, reading);
	if (a->filename)
		return browse_result(b, a->filename, "Text", str_text(&reading->text));
	if (reading->text.len)
		show_text(b, reading, (size_t)a->budget);
	else if (a->filter)
		response_add(&b->response.result, "No paragraph, row or item has \"%s\".", response_line(b->call.t, a->filter));
	else
		response_add(&b->response.result, "There is no text.");
	return 0;
}

static int read_read_run(struct browse *b, const void *args)
{
	const struct browser_read *a = args;
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(reading_done) struct reading reading = {};
	struct reading_options o = { .section = a->section, .words = a->filter, .urls = a->urls };
	int r;

	r = settle_loading(b->call.t, b->page, b->call.timeouts.settle);
	if (r == 0 && a->target)
		r = browse_find_target(b, a->target, &found);
	if (r < 0)
		return r;
	o.ref = found.target.ref;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.action);
	r = frame_read(b->call.t, a->target ? found.target.frame : page_main_frame(b->page), &o, &reading);
	/* The text is masked before the answer is cut: mask_text() does not recognise a secret of which the cut leaves only a part. */
	mask_text(&reading.text);
	return r < 0 ? r : read_answer(b, a, &reading);
}

const struct tool tool_browser_read =
	BROWSE_TOOL("browser_read", "Read text", browser_read,
		    "Read text as Markdown: the main content, an element, a section, or what has certain words. Shorter than "
		    "browser_snapshot, without refs.",
		    (&(const struct browse_tool){ .run = read_read_run }),
		    .defaults = &(const struct browser_read){ .budget = BUDGET_DEFAULT }, .read_only = true,
		    .terse = "Text as Markdown: main content, target, section, or what has the words of filter");
