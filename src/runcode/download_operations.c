/* Operations of run_code programs on downloads. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "browser/downloads.h"
#include "loop/copy.h"
#include "reply/output.h"
#include "runcode/operation.h"

static struct context *download_operations_context_of(struct operation_call *c)
{
	return session_context(c->session);
}

/* The first download of the page whose number is at least `number`. */
static struct download *find_of_page(struct operation_call *c, unsigned number)
{
	const char *page = page_target_id(c->page);
	struct download *d = context_find_download(download_operations_context_of(c), number);

	while (d && strcmp(d->page.data, page) != 0)
		d = context_find_download(download_operations_context_of(c), d->number + 1);
	return d;
}

/* {next, list}: the page's downloads from number `from` on; without `from`, the list is empty and `next` is the next number. */
static int run_downloads(struct operation_call *c)
{
	unsigned from =
		(unsigned)MAX((int64_t)1, json_int(c->message, "from", context_next_download(download_operations_context_of(c))));
	struct download *d;
	int r = 0;

	while (r == 0 && page_alive(c->page) && !(d = find_of_page(c, from)))
		r = waitq_wait(c->call.t, page_changed(c->page), "a download");
	if (r < 0)
		return r;
	if (!page_alive(c->page))
		return -ESTALE;
	str_append(&c->value, "{\"list\":[");
	for (bool first = true; d; d = find_of_page(c, from), first = false) {
		from = d->number + 1;
		str_json(&c->value, "?{number: ?, url: ?, name: ?}", JSON_COMMA(!first), d->number, d->url.data, d->name.data);
	}
	str_appendf(&c->value, "],\"next\":%u}", from);
	return 0;
}

static int find_numbered(struct operation_call *c, struct download **ret)
{
	unsigned number = (unsigned)json_int(c->message, "number", 0);
	struct context *context = download_operations_context_of(c);
	struct download *d = context ? context_find_download(context, number) : NULL;

	if (!d || d->number != number)
		return task_fail(c->call.t, -ENOENT, "there is no such download any more");
	*ret = d;
	return 0;
}

static int wait_for_end(struct operation_call *c, struct download **ret)
{
	int r;

	do
		r = find_numbered(c, ret);
	while (r == 0 && !download_ended(*ret) &&
	       (r = waitq_wait(c->call.t, context_changed(download_operations_context_of(c)), "the end of a download")) == 0);
	return r;
}

/* {path} or {failure} */
static int run_download_end(struct operation_call *c)
{
	struct download *d;
	int r = wait_for_end(c, &d);

	if (r == 0 && d->state == DOWNLOAD_SAVED)
		str_json(&c->value, "{path: ?}", d->path.data);
	else if (r == 0)
		str_json(&c->value, "{failure: ?}", d->failure.text.data);
	return r;
}

static int copy_to(struct operation_call *c, const char *from, const struct output_file *to)
{
	struct output_file saved;
	int in, out, r;

	r = output_find(c->call.t, &c->call.files, from, &saved);
	if (r < 0)
		return r;
	in = output_open(c->call.t, &saved);
	if (in < 0)
		return in;
	out = output_open_new(c->call.t, &c->call.files, to, false);
	if (out < 0) {
		close(in);
		return out;
	}
	r = copy_file(c->call.t, in, out);
	close(in);
	output_close(&c->call.files, to, out);
	if (r < 0)
		output_remove(to);
	return r < 0 && !task_cancelled(c->call.t) ? task_fail(c->call.t, r, "cannot write %s: %s", to->path, strerror(-r)) : r;
}

/* The destination is subject to the same check as every file that the client names. */
static int run_save_download(struct operation_call *c)
{
	struct output_file to;
	struct download *d;
	int r = output_find(c->call.t, &c->call.files, operation_text(c, "path"), &to);

	if (r == 0)
		r = wait_for_end(c, &d);
	if (r == 0 && d->state == DOWNLOAD_FAILED)
		r = task_fail_of(c->call.t, &d->failure);
	return r < 0 ? r : copy_to(c, arena_strdup(task_arena(c->call.t), d->path.data), &to);
}

static int run_cancel_download(struct operation_call *c)
{
	struct download *d = NULL;
	int r = find_numbered(c, &d);

	if (r < 0)
		return r;
	download_cancel(d);
	return wait_for_end(c, &d);
}

const struct operation download_operations[] = {
	{ "downloads", run_downloads, .scheduling = OPERATION_BACKGROUND },
	{ "downloadEnd", run_download_end, .scheduling = OPERATION_CONCURRENT, .no_page = true },
	{ "saveDownload", run_save_download, .scheduling = OPERATION_CONCURRENT, .no_page = true },
	{ "cancelDownload", run_cancel_download, .scheduling = OPERATION_CONCURRENT, .no_page = true },
	{}
};
