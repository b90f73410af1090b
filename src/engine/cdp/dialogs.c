#include "engine/dialogs.h"

#include <string.h>

#include "engine/cdp/cdp.h"
#include "scripts/scripts.h"

int engine_answer_dialog(struct task *t, _borrowed_ struct engine_target *s, bool accept, const char *text)
{
	if (text)
		return cdp_call(t, s, NULL, "Page.handleJavaScriptDialog", "{accept: ?, promptText: ?}", accept, text);
	if (t)
		return cdp_call(t, s, NULL, "Page.handleJavaScriptDialog", "{accept: ?}", accept);
	cdp_post(s, "Page.handleJavaScriptDialog", "{accept: ?}", accept);
	return 0;
}

void engine_keep_choosers(struct engine_target *s, bool on)
{
	cdp_post(s, "Page.setInterceptFileChooserDialog", "{enabled: ?}", on);
}

int engine_chooser(struct task *t, _borrowed_ struct engine_target *s, int field, struct chooser *ret)
{
	_cleanup_(json_freep) struct json *node = NULL;
	bool is_name = true;
	int r;

	r = cdp_call(t, s, &node, "DOM.describeNode", "{backendNodeId: ?}", field);
	if (r < 0)
		return r;
	*ret = (struct chooser){};
	json_foreach(text, json_get(node, "result.node.attributes")) { /* names and values in turn */
		ret->multiple = ret->multiple || (is_name && !strcmp(json_text(text, NULL), "multiple"));
		ret->folder = ret->folder || (is_name && !strcmp(json_text(text, NULL), "webkitdirectory"));
		is_name = !is_name;
	}
	return 0;
}

/*
 * `object` is the field. It is released right after the call that uses it, because the CDP session may be gone by the
 * time of the reply.
 */
static int give_files(struct task *t, _borrowed_ struct engine_target *s, const char *object, const char *files)
{
	_cleanup_(engine_call_done) struct engine_call call = {};

	if (strcmp(files, "[]") == 0)
		cdp_send(t, s, &call, "Runtime.callFunctionOn", "{functionDeclaration: ?, objectId: ?}", choose_nothing_script,
			 object);
	else
		cdp_send(t, s, &call, "DOM.setFileInputFiles", "{files: ?, objectId: ?}", JSON_RAW(files), object);
	cdp_post(s, "Runtime.releaseObject", "{objectId: ?}", object);
	return engine_await(t, &call);
}

int engine_fill_chooser(struct task *t, const struct engine_frame *main, int field, const char *files)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	int r = cdp_call(t, main->target, &reply, "DOM.resolveNode", "{backendNodeId: ?}", field);

	return r < 0 ? r : give_files(t, main->target, json_str(reply, "result.object.objectId"), files);
}

int engine_give_files(struct task *t, const struct engine_frame *at, const char *handle, const char *files)
{
	const char *object;
	int r = cdp_page_object(t, at, handle, &object);

	return r < 0 ? r : give_files(t, at->target, object, files);
}
