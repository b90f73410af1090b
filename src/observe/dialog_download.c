/* Normalises dialogs and downloads. */
#include "base/limits.h"
#include "observe/normalise.h"

static struct observed *add_event(struct journal *j, enum observed_kind kind, const char *session)
{
	struct observed *e = journal_add(j, kind, session);

	e->time = (double)e->received;
	return e;
}

void normalise_dialog_opened(struct journal *j, const char *session, const struct json *params)
{
	struct observed *e = add_event(j, OBSERVED_DIALOG, session);

	e->url = journal_masked(j, json_str(params, "url"), LIMIT_OBSERVED_URL);
	e->dialog.opened = true;
	e->dialog.type = journal_text(j, json_text(params, "type"), LIMIT_OBSERVED_WORD);
	e->dialog.message = journal_masked(j, json_text(params, "message"), LIMIT_OBSERVED_TEXT);
	journal_done(j, e);
}

void normalise_dialog_closed(struct journal *j, const char *session, const struct json *params)
{
	struct observed *e = add_event(j, OBSERVED_DIALOG, session);

	e->dialog.accepted = json_bool(params, "result", false);
	e->dialog.message = journal_masked(j, json_str(params, "userInput"), LIMIT_OBSERVED_TEXT);
	journal_done(j, e);
}

void normalise_download(struct journal *j, const char *session, const char *url, const struct observed_download *d)
{
	struct observed *e = add_event(j, OBSERVED_DOWNLOAD, session);

	e->url = journal_masked(j, url, LIMIT_OBSERVED_URL);
	e->download.event = d->event;
	e->download.guid = journal_text(j, d->guid, LIMIT_OBSERVED_WORD);
	e->download.name = journal_masked(j, d->name, LIMIT_OBSERVED_WORD);
	e->download.detail = journal_masked(j, d->detail, LIMIT_OBSERVED_URL);
	e->download.bytes = d->bytes;
	journal_done(j, e);
}
