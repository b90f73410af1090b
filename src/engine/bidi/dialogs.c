/* Dialogs and file choosers. While a dialog is open, the command that has opened it waits for its end. */
#include "engine/dialogs.h"

#include <errno.h>
#include <string.h>

#include "engine/bidi/internal.h"

void bidi_on_prompt_event(struct bidi *c, const char *name, const struct json *params)
{
	const struct bidi_context *x = bidi_find_context(c, json_str(params, "context"));
	struct engine_target *s = x ? bidi_page_of(x) : NULL;

	if (!s)
		return;
	if (strcmp(name, "userPromptOpened") == 0)
		REPORT(s, modals, dialog_opened, s,
		       &(const struct opened_dialog){ .type = json_text(params, "type"), .message = json_text(params, "message") });
	else
		REPORT(s, modals, dialog_closed, s, json_bool(params, "accepted", false), json_str(params, "userText"));
}

int engine_answer_dialog(struct task *t, _borrowed_ struct engine_target *s, bool accept, const char *text)
{
	if (text)
		return bidi_call(t, s, NULL, 0, "browsingContext.handleUserPrompt", "{context: ?, accept: ?, userText: ?}",
				 s ? s->id : "", accept, text);
	if (t)
		return bidi_call(t, s, NULL, 0, "browsingContext.handleUserPrompt", "{context: ?, accept: ?}", s ? s->id : "",
				 accept);
	bidi_post(s, "browsingContext.handleUserPrompt", "{context: ?, accept: ?}", s ? s->id : "", accept);
	return 0;
}

void bidi_on_input_event(struct bidi *c, const char *name, const struct json *params)
{
}
