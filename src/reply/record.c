/* The log of calls (reply/session_log.h): what it has of an answer. */
#include "reply/code.h"
#include "reply/response_internal.h"

static void record_section(struct response *r, const char *name, const struct str *body)
{
	size_t len = body->len;

	while (len && body->data[len - 1] == '\n')
		len--;
	str_json(&r->record, "? ?: ?", JSON_COMMA(r->record.len), name, JSON_TEXT(str_text(body), len));
}

void record_answer(struct response *r, const struct sections *parts)
{
	if (r->image && r->settings->images == IMAGES_ONLY)
		return;
	if (r->error.len)
		record_section(r, "error", &r->error);
	if (r->result.len)
		record_section(r, "result", &r->result);
	if (r->code.len && r->settings->code != CODE_NONE)
		record_section(r, "code", &r->code);
	if (parts->tabs.len)
		record_section(r, "tabs", &parts->tabs);
	if (parts->page.len)
		record_section(r, "page", &parts->page);
	if (parts->snapshot.len)
		record_section(r, r->snapshot == SNAPSHOT_INLINE && !r->filename ? "inlineSnapshot" : "snapshot",
			       &parts->plain_snapshot);
	if (parts->events.len)
		record_section(r, "events", &parts->events);
	if (parts->modal.len)
		record_section(r, "modalState", &parts->modal);
	if (r->error.len)
		str_append(&r->record, ",\"isError\":true");
	if (r->image && r->settings->images != IMAGES_OMIT)
		str_json(&r->record, "? attachments: [{type: 'image', data: ?, mimeType: ?}]", JSON_COMMA(r->record.len), r->image,
			 r->image_type);
}
