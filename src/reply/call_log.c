#include "reply/call_log.h"

#include <stdio.h>
#include <string.h>

#include "base/display.h"
#include "base/macros.h"

static const struct {
	const char *action, *needs;
} action_table[] = {
	{ "click", "visible, enabled and stable" },
	{ "dblclick", "visible, enabled and stable" },
	{ "hover", "visible and stable" },
	{ "move and down", "visible and stable" },
	{ "move and up", "visible and stable" },
	{ "fill", "visible, enabled and editable" },
	{ "type", "visible, enabled and editable" },
	{ "select option", "visible and enabled" },
	{ "scroll into view", "stable" },
};

static const unsigned attempt_pauses[] = { 0, 20, 100, 100, 500 }; /* ms after each attempt; the last one repeats */
static const unsigned look_pauses[] = { 20, 50, 100, 100, 500 };

static unsigned pause_after(unsigned attempt)
{
	return attempt_pauses[MIN(attempt, ARRAY_SIZE(attempt_pauses) - 1)];
}

static const char *needs_of(const char *action)
{
	for (size_t i = 0; i < ARRAY_SIZE(action_table); i++)
		if (strcmp(action_table[i].action, action) == 0)
			return action_table[i].needs;
	return "visible";
}

/* The obstacle that held `at` ms after the beginning. */
static const struct json *obstacle_at(const struct json *tried, unsigned at)
{
	const struct json *found = NULL;

	json_foreach(obstacle, tried)
		if (!found || json_num(obstacle, "at", 0) <= at)
			found = obstacle;
	return found;
}

/* Additional columns of indentation below a line "3 × ...", compared with those below a single attempt. */
static int indent_of(unsigned count)
{
	return count > 1 ? 1 + snprintf(NULL, 0, "%u", count) : 0;
}

#define LINE(log, depth, fmt, ...) str_appendf(log, DIM "%*s- " fmt UNDIM, depth, "", __VA_ARGS__)

/* Consecutive attempts with the same obstacle, each followed by the same pause. */
struct stretch {
	const struct json *obstacle;
	unsigned count, pause;
};

static void append_obstacle(struct str *log, const char *action, const struct stretch *s, int depth)
{
	_cleanup_(str_done) struct str text = {};

	if (json_bool(s->obstacle, "reached", false)) {
		LINE(log, depth, "element is %s", needs_of(action));
		LINE(log, depth, "%s", "scrolling into view if needed");
		LINE(log, depth, "%s", "done scrolling");
	}
	display_line(&text, json_text(s->obstacle, "text")); /* the text names an element of the page, so it is untrusted */
	LINE(log, depth, "%s", str_text(&text));
}

static void append_stretch(struct str *log, const char *action, const struct stretch *s)
{
	int indent = indent_of(s->count);

	if (s->count > 1)
		str_appendf(log, DIM "    %u × waiting for element to be %s" UNDIM, s->count, needs_of(action));
	else
		call_log_first(log, action);
	append_obstacle(log, action, s, 4 + indent);
	LINE(log, 2 + indent, "retrying %s action", action);
	if (s->pause) /* no pause follows the first attempt */
		LINE(log, s->pause == attempt_pauses[1] ? 4 : 4 + indent, "waiting %ums", s->pause);
}

void call_log_first(struct str *log, const char *action)
{
	LINE(log, 4, "waiting for element to be %s", needs_of(action));
}

void call_log_attempts(struct str *log, const char *action, const struct json *tried, unsigned timeout_msec)
{
	for (unsigned n = 0, at = 0; tried && at < timeout_msec;) {
		struct stretch s = { .obstacle = obstacle_at(tried, at) };

		if (!json_str(s.obstacle, "text"))
			return;
		do {
			s.count++;
			s.pause = pause_after(n++);
			at += s.pause;
		} while (at < timeout_msec && obstacle_at(tried, at) == s.obstacle && (n == 1 || pause_after(n) == s.pause));
		if (json_bool(s.obstacle, "gone", false)) {
			call_log_first(log, action);
			LINE(log, 2, "%s", "element was detached from the DOM, retrying");
			return;
		}
		append_stretch(log, action, &s);
	}
}

unsigned call_log_looks(unsigned timeout_msec)
{
	unsigned count = 0;

	for (unsigned at = 0; at < timeout_msec; count++)
		at += look_pauses[MIN(count, ARRAY_SIZE(look_pauses) - 1)];
	return count;
}
