#include "reply/call_log.h"

#include <stdio.h>
#include <string.h>

#include "base/display.h"
#include "base/failure.h"
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
#define LOOKUP_MSEC 4                                              /* what a look-up takes */
static const unsigned lookup_pauses[] = { 20, 50, 100, 100, 500 };

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

/* All other checks have passed, and only the hit test failed. */
static bool passed_checks(enum reason reason)
{
	return reason >= REASON_NO_POINTER_EVENTS && reason <= REASON_OUTSIDE_VIEWPORT;
}

static void append_interception(struct str *out, const struct json *obstacle)
{
	const char *subtree = json_str(obstacle, "subtree");

	str_append(out, json_text(obstacle, "hit"));
	if (subtree)
		str_appendf(out, " from %s subtree", subtree);
	str_append(out, " intercepts pointer events");
}

static void append_words(struct str *out, const struct json *obstacle)
{
	enum reason reason = obstacle_reason(obstacle);

	switch (reason) {
	case REASON_HIDDEN ... REASON_NO_BOX:
		str_append(out, "element is not visible");
		break;
	case REASON_DISABLED:
		str_append(out, "element is not enabled");
		break;
	case REASON_MOVING:
		str_append(out, "element is not stable");
		break;
	case REASON_READ_ONLY:
	case REASON_NOT_EDITABLE:
		str_append(out, "element is not editable");
		break;
	case REASON_OUTSIDE_VIEWPORT:
		str_append(out, "element is outside of the viewport");
		break;
	case REASON_NO_POINTER_EVENTS ... REASON_CLIPPED:
		append_interception(out, obstacle);
		break;
	default:
		str_append(out, reason == REASON_FOCUS_ELSEWHERE || reason == REASON_NO_SUCH_OPTION ? "" : "element is ");
		obstacle_print(out, obstacle);
	}
}

/* Whether the log has one entry for both. */
static bool print_alike(const struct json *a, const struct json *b)
{
	_cleanup_(str_done) struct str first = {}, second = {};

	if (a == b)
		return true;
	append_words(&first, a);
	append_words(&second, b);
	return passed_checks(obstacle_reason(a)) == passed_checks(obstacle_reason(b)) && strcmp(first.data, second.data) == 0;
}

/* Consecutive attempts with the same obstacle, each followed by the same pause. */
struct repeated_obstacle {
	const struct json *obstacle;
	unsigned count, pause;
};

static void append_obstacle(struct str *log, const char *action, const struct repeated_obstacle *s, int depth)
{
	_cleanup_(str_done) struct str words = {}, text = {};

	if (passed_checks(obstacle_reason(s->obstacle))) {
		LINE(log, depth, "element is %s", needs_of(action));
		LINE(log, depth, "%s", "scrolling into view if needed");
		LINE(log, depth, "%s", "done scrolling");
	}
	append_words(&words, s->obstacle);
	display_line(&text, words.data); /* the words name an element of the page, so they are untrusted */
	LINE(log, depth, "%s", str_text(&text));
}

static void append_repeated(struct str *log, const char *action, const struct repeated_obstacle *s)
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

bool call_log_element_vanished(const struct json *obstacle)
{
	return obstacle_reason(obstacle) == REASON_NO_MATCH_ANY_MORE;
}

void call_log_first(struct str *log, const char *action)
{
	LINE(log, 4, "waiting for element to be %s", needs_of(action));
}

void call_log_attempts(struct str *log, const char *action, const struct json *tried, unsigned timeout_msec)
{
	for (unsigned n = 0, at = 0; tried && at < timeout_msec;) {
		struct repeated_obstacle s = { .obstacle = obstacle_at(tried, at) };

		if (!s.obstacle)
			return;
		do {
			s.count++;
			s.pause = pause_after(n++);
			at += s.pause;
		} while (at < timeout_msec && print_alike(obstacle_at(tried, at), s.obstacle) &&
			 (n == 1 || pause_after(n) == s.pause));
		if (call_log_element_vanished(s.obstacle)) {
			call_log_first(log, action);
			LINE(log, 2, "%s", "element was detached from the DOM, retrying");
			return;
		}
		append_repeated(log, action, &s);
	}
}

/* Pauses of more than a fifth of the time-out are not made; the one before them repeats. */
static unsigned longest_lookup_pause(unsigned timeout_msec)
{
	unsigned longest = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lookup_pauses); i++)
		if (lookup_pauses[i] <= timeout_msec / 5)
			longest = lookup_pauses[i];
	return longest;
}

unsigned call_log_lookup_count(unsigned timeout_msec)
{
	unsigned longest = longest_lookup_pause(timeout_msec), count = 0;

	for (unsigned at = 0; at < timeout_msec; count++) {
		unsigned pause = lookup_pauses[MIN(count, ARRAY_SIZE(lookup_pauses) - 1)];

		at += LOOKUP_MSEC + MIN(pause, longest);
	}
	return count;
}
