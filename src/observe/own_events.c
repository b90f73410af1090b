/* Adds notes, dialogs and downloads to the journal. */
#include "base/limits.h"
#include "observe/own_events.h"

static const enum message_kind level_kinds[] = {
	[MESSAGE_ERROR] = CONSOLE_ERROR,
	[MESSAGE_WARNING] = CONSOLE_WARNING,
	[MESSAGE_INFO] = CONSOLE_INFO,
	[MESSAGE_DEBUG] = CONSOLE_VERBOSE,
};

void journal_add_note(struct journal *j, const char *session, enum message_level level, const char *text)
{
	struct observed *e = journal_add(j, OBSERVED_LOG, session);

	e->url = journal_text(j, "", SIZE_MAX);
	e->time = (double)e->received;
	e->message.kind = level_kinds[level];
	e->message.level = level;
	e->message.text = journal_masked(j, text, LIMIT_OBSERVED_TEXT);
	journal_done(j, e);
}

static struct observed *own_events_add_event(struct journal *j, enum observed_kind kind, const char *session, const char *url)
{
	struct observed *e = journal_add(j, kind, session);

	e->time = (double)e->received;
	e->url = journal_masked(j, url, LIMIT_OBSERVED_URL);
	return e;
}

void journal_add_dialog(struct journal *j, const char *session, const char *url, const struct observed_dialog *d)
{
	struct observed *e = own_events_add_event(j, OBSERVED_DIALOG, session, url);

	e->dialog.opened = d->opened;
	e->dialog.accepted = d->accepted;
	e->dialog.type = journal_text(j, d->type, LIMIT_OBSERVED_WORD);
	e->dialog.message = journal_masked(j, d->message, LIMIT_OBSERVED_TEXT);
	journal_done(j, e);
}

void journal_add_download(struct journal *j, const char *session, const char *url, const struct observed_download *d)
{
	struct observed *e = own_events_add_event(j, OBSERVED_DOWNLOAD, session, url);

	e->download.event = d->event;
	e->download.guid = journal_text(j, d->guid, LIMIT_OBSERVED_WORD);
	e->download.name = journal_masked(j, d->name, LIMIT_OBSERVED_WORD);
	e->download.detail = journal_masked(j, d->detail, LIMIT_OBSERVED_URL);
	e->download.bytes = d->bytes;
	journal_done(j, e);
}
