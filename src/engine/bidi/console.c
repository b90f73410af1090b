/* What is written to the console: calls of its functions, uncaught errors, and what the browser itself has to say. */
#include <string.h>

#include "engine/bidi/normalise.h"

/* Values are copied into the event, so the browser keeps none. */
void engine_forget_logged(struct engine_target *s)
{
}

void bidi_on_log_event(struct bidi *c, const char *name, const struct json *params)
{
	struct bidi_context *x = bidi_find_context(c, json_str(params, "source.context"));
	struct engine_target *s = x ? x->page : NULL;
	struct journal *j = s && s->records && s->hears && s->hears->journal ? s->hears->journal(s->data) : NULL;

	if (!j || strcmp(name, "entryAdded") != 0)
		return;
	if (strcmp(json_text(params, "type"), "console") == 0)
		bidi_normalise_console(j, engine_target_id(s), params);
	else
		bidi_normalise_script_entry(j, engine_target_id(s), params);
}
