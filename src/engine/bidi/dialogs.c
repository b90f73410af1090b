/*
 * Dialogs and file choosers. While a dialog is open, the commands whose scripts or events have opened it are not answered, nor are those that
 * wait for their turn behind them; the answer to a dialog waits for none of them. No chooser opens (remote.bidi.dismiss_file_pickers.enabled):
 * the page gets a `cancel` event, and its field is filled later.
 */
#include "engine/dialogs.h"

#include <errno.h>
#include <string.h>

#include "engine/bidi/elements.h"
#include "engine/bidi/input.h"

void bidi_on_prompt_event(struct bidi *c, const char *name, const struct json *params)
{
	const struct bidi_context *x = bidi_find_context(c, json_str(params, "context"));
	struct engine_target *s = x ? bidi_page_of(x) : NULL;

	if (!s)
		return;
	if (strcmp(name, "userPromptOpened") == 0)
		REPORT(s, modals, dialog_opened, s,
		       &(const struct opened_dialog){
			       .type = json_text(params, "type"),
			       .message = json_text(params, "message"),
			       .url = str_text(&x->url),
		       });
	else
		REPORT(s, modals, dialog_closed, s, json_bool(params, "accepted", false), json_str(params, "userText"));
}

int engine_answer_dialog(struct task *t, struct engine_target *s, bool accept, const char *text)
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

/* ---- file choosers ---- */

/* Choosers never open. */
void engine_keep_choosers(struct engine_target *s, bool on)
{
}

/* The last ones of a page are remembered. */
static struct bidi_chooser *next_chooser(struct bidi_input *in)
{
	int number = ++in->last_chooser;
	struct bidi_chooser *k = &in->choosers[number % BIDI_CHOOSERS_COUNT];

	*k = (struct bidi_chooser){ .number = number };
	return k;
}

void bidi_on_input_event(struct bidi *c, const char *name, const struct json *params)
{
	const struct bidi_context *x = bidi_find_context(c, json_str(params, "context"));
	struct engine_target *s = x ? bidi_page_of(x) : NULL;
	const char *element = json_str(params, "element.sharedId");
	struct bidi_chooser *k;

	if (!s || strcmp(name, "fileDialogOpened") != 0)
		return;
	if (!engine_id_is_valid(element)) {
		REPORT(s, modals, chooser_opened, s, 0);
		return;
	}
	k = next_chooser(bidi_input_of(s));
	engine_id_set(k->context, x->id);
	engine_id_set(k->element, element);
	k->accepts = (struct chooser){
		.multiple = json_bool(params, "multiple", false),
		.folder = json_member(json_get(params, "element.value.attributes"), "webkitdirectory"),
	};
	REPORT(s, modals, chooser_opened, s, k->number);
}

static int find_chooser(struct task *t, const struct engine_target *s, int field, const struct bidi_chooser **ret)
{
	const struct bidi_chooser *k = s && s->input && field > 0 ? &s->input->choosers[field % BIDI_CHOOSERS_COUNT] : NULL;

	if (!k || k->number != field)
		return task_fail(t, -ESTALE, "the field whose file chooser was open is not there any more");
	*ret = k;
	return 0;
}

int engine_chooser(struct task *t, struct engine_target *s, int field, struct chooser *ret)
{
	const struct bidi_chooser *k = NULL;
	int r = find_chooser(t, s, field, &k);

	if (r == 0)
		*ret = k->accepts;
	return r;
}

static int set_files(struct task *t, struct engine_target *s, const char *context, const char *element, const char *files)
{
	return bidi_call(t, s, NULL, 0, "input.setFiles", "{context: ?, element: {sharedId: ?}, files: ?}", context, element,
			 JSON_RAW(files));
}

/* BiDi gives no directories, and none of their files to a field that takes a directory. */
int engine_fill_chooser(struct task *t, const struct engine_frame *main, int field, const char *files)
{
	const struct bidi_chooser *k = NULL;
	int r = find_chooser(t, main->target, field, &k);

	if (r < 0)
		return r;
	if (k->accepts.folder && strcmp(files, "[]") != 0)
		return task_fail(t, -ENOTSUP,
				 "Firefox has no way to give a directory to a field (webkitdirectory); use Chromium for that");
	return set_files(t, main->target, k->context, k->element, files);
}

int engine_give_files(struct task *t, const struct engine_frame *at, const char *handle, const char *files)
{
	const char *const handles[] = { handle, NULL }, *const * ids;
	int r = bidi_find_elements(t, at, handles, &ids);

	return r < 0 ? r : set_files(t, at->target, at->id, ids[0], files);
}
