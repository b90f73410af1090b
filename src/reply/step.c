/* What a step of a call answers: a part of the call's answer. */
#include <string.h>

#include "base/mask.h"
#include "reply/response_internal.h"
#include "reply/url_params.h"

void response_next(struct response *r)
{
	struct result links = r->links;

	r->links = (struct result){};
	response_done(r);
	*r = (struct response){
		.t = r->t,
		.settings = r->settings,
		.timeouts = r->timeouts,
		.files = r->files,
		.links = links,
		.recorded = r->recorded,
	};
}

static void step_append_text(struct str *out, const struct str *text)
{
	if (text->len)
		response_add(out, "%s", text->data);
}

void response_send_own(struct response *r, struct result *res)
{
	_cleanup_(str_done) struct str text = {};

	step_append_text(&text, &r->error);
	step_append_text(&text, &r->result);
	step_append_text(&text, &r->block);
	url_params_redact(r->settings->redacted_params, &text);
	if (text.len && (!r->image || r->settings->images != IMAGES_ONLY))
		result_text(res, text.data);
	if (r->image && r->settings->images != IMAGES_OMIT)
		result_image(res, r->image, r->image_type);
	res->is_error = r->error.len;
	if (r->recorded)
		record_answer(r, &(const struct sections){});
}

/* A cut through a secret would leave a part that nobody recognises, so secrets are hidden before. */
static void step_cut(struct response *r, struct session *s, const char *text, size_t max, unsigned max_lines, struct str *out)
{
	_cleanup_(str_done) struct str whole = {};

	str_append(&whole, text);
	mask_text(&whole);
	while (whole.len && whole.data[whole.len - 1] == '\n')
		str_truncate(&whole, whole.len - 1);
	r->settings->writer->cut(s, &whole, max, max_lines, out);
}

void response_append_part(struct response *r, struct session *s, const char *text, unsigned indent, size_t max, unsigned max_lines,
			  struct str *out)
{
	_cleanup_(str_done) struct str shown = {};

	step_cut(r, s, text, max, max_lines, &shown);
	for (const char *line = str_text(&shown); *line;) {
		size_t len = strcspn(line, "\n");

		str_appendf(out, "\n%*s", (int)indent, "");
		str_append_len(out, line, len);
		line += len + (line[len] == '\n');
	}
}
