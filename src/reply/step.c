/* What a step of a call answers: a part of the call's answer. */
#include <string.h>

#include "reply/response.h"
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
		.acts = r->acts,
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
		response_record_own(r);
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

void response_append_part(struct str *out, const char *text, unsigned indent, size_t max, unsigned max_lines)
{
	size_t len = strlen(text), shown = len;

	while (len && text[len - 1] == '\n')
		len--;
	shown = MIN(len, first_lines(text, max, max_lines));
	for (size_t at = 0, end; at < shown; at = end + 1) {
		end = at + strcspn(text + at, "\n");
		end = MIN(end, shown);
		str_appendf(out, "\n%*s", (int)indent, "");
		str_append_len(out, text + at, end - at);
	}
	if (shown < len)
		str_appendf(out, "\n%*s… %zu more bytes", (int)indent, "", len - shown);
}
