/* browser_console_messages. */
#include "observe/journal.h"
#include "observe/lines.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_console_messages {
	const char *sessionId, *filename;
	int level;
	bool all;
};

static const char *const level_names[] = {
	[MESSAGE_ERROR] = "error", [MESSAGE_WARNING] = "warning", [MESSAGE_INFO] = "info", [MESSAGE_DEBUG] = "debug", NULL,
};

static const struct param browser_console_messages_params[] = {
	PARAM(browser_console_messages, level, "Least severe level to list", .choices = level_names, .defaulted = true),
	PARAM(browser_console_messages, all, "Include earlier pages of the tab", .is_rare = true),
	PARAM(browser_console_messages, filename, FILENAME_ABOUT, .empty_is_none = true, .is_rare = true),
	PARAM(browser_console_messages, sessionId, NULL, .schema = BROWSE_SESSION),
	{}
};

static const struct browser_console_messages browser_console_messages_defaults = { .level = MESSAGE_INFO };

/* Appends the messages of these kinds from `offset` on, each after a newline. Returns their number. */
static unsigned list_messages(struct str *out, struct browse *b, unsigned kinds, uint64_t offset, int level)
{
	const struct journal *j = page_journal(b->page);
	const struct journal_query q = { .kinds = kinds };
	const struct message_form form = response_message_form(b->call.app->answers);
	const struct observed *e;
	unsigned count = 0;

	while ((e = journal_next(j, &q, &offset))) {
		if ((int)e->message.level > level)
			continue;
		str_append_char(out, '\n');
		message_line(out, e, &form);
		count++;
	}
	return count;
}

/* Counts the messages from `offset` on. */
static struct message_counts count_messages(const struct journal *j, uint64_t offset)
{
	static const struct journal_query messages = { .kinds = OBSERVED_CONSOLE | OBSERVED_LOG | OBSERVED_EXCEPTION };
	struct message_counts counts = {};
	const struct observed *e;

	while ((e = journal_next(j, &messages, &offset))) {
		counts.total++;
		counts.errors += e->message.level == MESSAGE_ERROR;
		counts.warnings += e->message.level == MESSAGE_WARNING;
	}
	return counts;
}

/*
 * The totals count the messages of the present document, regardless of the listed ones; 0.0.84 counts those of all documents that the
 * call asks for.
 */
static struct message_counts totals(struct browse *b, bool all)
{
	const struct journal *j = page_journal(b->page);

	return all && b->call.app->answers->compat >= COMPAT_0_0_84 ? count_messages(j, 0) : *journal_counts(j);
}

static void append_totals(struct str *out, const struct message_counts *counts, unsigned listed, int level)
{
	str_appendf(out, "Total messages: %u (Errors: %u, Warnings: %u)\n", counts->total, counts->errors, counts->warnings);
	if (listed != counts->total)
		str_appendf(out, "Returning %u messages for level \"%s\"\n", listed, level_names[level]);
}

static int messages_run(struct browse *b, const void *args)
{
	const struct browser_console_messages *a = args;
	const struct journal *j = page_journal(b->page);
	uint64_t from = a->all ? 0 : journal_document(j), missed = journal_missed(j, from);
	_cleanup_(str_done) struct str text = {}, lines = {};
	struct message_counts counts = totals(b, a->all);
	unsigned count;

	count = list_messages(&lines, b, OBSERVED_CONSOLE | OBSERVED_LOG, from, a->level);
	count += list_messages(&lines, b, OBSERVED_EXCEPTION, from, a->level);
	append_totals(&text, &counts, count, a->level);
	if (missed)
		str_appendf(&text, "The %llu oldest events of console and network are no longer held\n",
			    (unsigned long long)missed);
	str_append(&text, str_text(&lines));
	return browse_result(b, a->filename, "Console", text.data);
}

const struct tool tool_browser_console_messages =
	BROWSE_TOOL("browser_console_messages", "Get console messages", browser_console_messages,
		    "List the console messages and uncaught errors of the page.",
		    (&(const struct browse_tool){ .run = messages_run }), .read_only = true,
		    .defaults = &browser_console_messages_defaults, .terse = "List console messages and errors");
