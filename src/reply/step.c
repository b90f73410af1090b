/* What a step of a call answers: a part of the call's answer. */
#include <string.h>

#include "base/mask.h"
#include "reply/response_internal.h"
#include "reply/url_params.h"
#include "view/cursors.h"

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

static void append_text(struct str *out, const struct str *text)
{
	if (text->len)
		response_add(out, "%s", text->data);
}

void response_send_own(struct response *r, struct result *res)
{
	_cleanup_(str_done) struct str text = {};

	append_text(&text, &r->error);
	append_text(&text, &r->result);
	append_text(&text, &r->block);
	url_params_redact(r->settings->redacted_params, &text);
	if (text.len && (!r->image || r->settings->images != IMAGES_ONLY))
		result_text(res, text.data);
	if (r->image && r->settings->images != IMAGES_OMIT)
		result_image(res, r->image, r->image_type);
	res->is_error = r->error.len;
	if (r->recorded)
		record_answer(r, &(const struct sections){});
}

/* The length of the first lines of `text` that have at most `max` bytes together, or of a part of the first one. */
static size_t first_lines(const char *text, size_t max, unsigned max_lines)
{
	size_t len = 0, end, n;

	for (unsigned i = 0; i < max_lines && text[len]; i++) {
		end = len + strcspn(text + len, "\n");
		if (end > max)
			break;
		len = end + (text[end] == '\n');
	}
	while (len == 0 || text[len - 1] != '\n') {
		n = utf8_sequence(text + len, max - MIN(len, max));
		if (!text[len] || !n || len + n > max)
			break;
		len += n;
	}
	return len;
}

/* A cut through a secret would leave a part that nobody recognises, so secrets are hidden before. */
static void cut(struct response *r, struct session *s, const char *text, size_t max, unsigned max_lines, struct str *out)
{
	_cleanup_(str_done) struct str whole = {};
	size_t len;

	str_append(&whole, text);
	mask_text(&whole);
	while (whole.len && whole.data[whole.len - 1] == '\n')
		str_truncate(&whole, whole.len - 1);
	if (r->settings->form == ANSWERS_COMPACT) {
		cursors_cut_text(&session_tabs(s)->cursors, str_text(&whole), whole.len, max, max_lines, out);
		return;
	}
	len = MIN(whole.len, first_lines(str_text(&whole), max, max_lines));
	str_append_len(out, str_text(&whole), len);
	if (len < whole.len)
		str_appendf(out, "%s… %zu more bytes", len && whole.data[len - 1] != '\n' ? "\n" : "", whole.len - len);
}

void response_append_part(struct response *r, struct session *s, const char *text, unsigned indent, size_t max, unsigned max_lines,
			  struct str *out)
{
	_cleanup_(str_done) struct str shown = {};

	cut(r, s, text, max, max_lines, &shown);
	for (const char *line = str_text(&shown); *line;) {
		size_t len = strcspn(line, "\n");

		str_appendf(out, "\n%*s", (int)indent, "");
		str_append_len(out, line, len);
		line += len + (line[len] == '\n');
	}
}
