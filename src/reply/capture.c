/*
 * Captured pages: from the rows of scripts/outline.js to an outline. A page may have as many as limits allow, so their secrets are masked
 * in slices, and other tasks run before each further step that takes time.
 */
#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/mask.h"
#include "reply/response_internal.h"
#include "reply/url_params.h"

#define SLICE (256u << 10) /* bytes: 2 ms, 15 ms where a page repeats the beginning of a secret */
#define MANY_ROWS 5000u    /* compared or folded in 2 ms */

/* A call that is cancelled or has no time left ends at its next wait. */
static void let_others_run(struct response *r)
{
	(void)task_sleep(r->t, 0);
}

void capture_pause(struct response *r, const struct outline *c)
{
	if (c->count > MANY_ROWS || c->text.len > SLICE)
		let_others_run(r);
}

void response_hide_secrets(const struct response *r, struct str *text)
{
	mask_text(text);
	url_params_redact(r->settings->redacted_params, text);
}

/* No secret is in two rows, so each slice ends at the end of a row. */
static void hide_in_slices(struct response *r, struct str *rows)
{
	_cleanup_(str_done) struct str hidden = {};
	bool hides = mask_active() || r->settings->redacted_params;

	for (size_t at = 0, end; hides && at < rows->len; at = end) {
		_cleanup_(str_done) struct str slice = {};
		const char *line_end =
			at + SLICE < rows->len ? memchr(rows->data + at + SLICE, '\n', rows->len - at - SLICE) : NULL;

		end = line_end ? (size_t)(line_end - rows->data) + 1 : rows->len;
		str_append_len(&slice, rows->data + at, end - at);
		response_hide_secrets(r, &slice);
		str_append_len(&hidden, str_text(&slice), slice.len);
		if (end < rows->len)
			let_others_run(r);
	}
	if (hides)
		str_move(rows, &hidden);
}

int capture_outline(struct response *r, const struct tabs *tabs, struct str *rows, struct outline **ret)
{
	int res = rows->len > LIMIT_VIEW_BYTES ? -EMSGSIZE : 0;

	if (res == 0) {
		hide_in_slices(r, rows);
		if (rows->len > SLICE)
			let_others_run(r);
		res = outline_new(rows, ret);
	}
	if (res == -EMSGSIZE)
		return task_fail(
			r->t, res,
			"the page has more than %u lines or %u MiB of text; ask for a part of it with target, or read it with browser_read",
			LIMIT_VIEW_ROWS_COUNT, LIMIT_VIEW_BYTES >> 20);
	if (res < 0)
		return res;
	(*ret)->revision = tabs->cursors.revision;
	capture_pause(r, *ret);
	return 0;
}
