#include "browser/archive.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>

#include "base/base64.h"
#include "base/glob.h"
#include "base/limits.h"
#include "browser/internal.h"
#include "engine/network.h"
#include "observe/har.h"
#include "observe/journal.h"
#include "observe/lines.h"
#include "observe/redact.h"
#include "page/page.h"

#define BODIES_TIMEOUT (5 * USEC_PER_SEC)
#define PAGE_NAME_SIZE 16
#define WRITE_SIZE (64u << 10)     /* text that is collected for one call of archive_files.write() */
#define WAITING_BYTES (512u << 10) /* complete entries that wait for an earlier one, to be written in order */

/* A page of the context. */
struct archived_page {
	TAILQ_ENTRY(archived_page) link;
	struct archive *of;
	_kept_ struct page *page; /* a reference; NULL once it has ended and all its requests are complete */
	struct str url;           /* of its last document, by then */
	struct journal_listener listener;
	void *by_seq;              /* tsearch() tree of the `seq` of its requests that are not written */
	char name[PAGE_NAME_SIZE]; /* in the archive */
	double began;              /* wall time of its first request, Unix seconds; 0: none yet */
};

/* A request, in the order in which they were sent. */
struct archived {
	TAILQ_ENTRY(archived) link;
	struct archived_page *page;
	uint64_t seq;            /* in the page's journal */
	struct engine_call call; /* for the body */
	bool complete;           /* `text` is final */
	struct str text;         /* JSON of the entry until it is written; empty: the journal no longer had the request */
};

struct archive {
	struct context *context;
	struct archive_plan plan;
	struct glob *filter; /* NULL: all */
	struct archive_files files;
	TAILQ_HEAD(, archived_page) pages;
	TAILQ_HEAD(archived_list, archived) list; /* those that are not written */
	unsigned page_count, count;               /* count: all requests */
	unsigned fetched;                         /* bodies that the browser has been asked for */
	struct str out;                           /* text for the file */
	bool begun;                               /* `out` or the file has the beginning of the archive */
	bool failed;                              /* the file cannot be written */
	bool has_entries;
	size_t waiting;  /* bytes of the complete texts in the list */
	size_t bytes;    /* of the texts, also of those that are written */
	size_t attached; /* bytes of the files of their own */
	bool incomplete; /* something did not fit */
	struct waitq changed;
};

/* ---- one request ---- */

static void complete(struct archive *all, struct archived *a, const struct har_body *body)
{
	const struct journal *j = page_journal(a->page->page);
	const struct observed *e = journal_at(j, a->seq);

	a->complete = true;
	if (!e)
		return;
	har_append_entry(&a->text, j, e,
			 &(const struct har_entry){ .page = a->page->name, .body = body, .minimal = all->plan.minimal });
	all->bytes += a->text.len;
	all->waiting += a->text.len;
	waitq_wake(&all->changed);
}

/* ---- the file, which grows while the context lives, because it may be large ---- */

static void archive_write_out(struct archive *all)
{
	if (all->out.len && !all->failed)
		all->failed = !all->files.write(all->files.data, all->out.data, all->out.len);
	str_reset(&all->out);
}

static void begin_file(struct archive *all)
{
	if (all->begun)
		return;
	all->begun = true;
	str_append(&all->out, "{\"log\":{");
	har_append_head(&all->out);
	str_append(&all->out, ",\"entries\":[");
}

static int compare_seq(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

static void archived_free(struct archive *all, struct archived *a)
{
	TAILQ_REMOVE(&all->list, a, link);
	tdelete(&a->seq, &a->page->by_seq, compare_seq);
	str_done(&a->text);
	free(a);
}

static void write_entry(struct archive *all, struct archived *a)
{
	if (a->text.len) {
		begin_file(all);
		str_append(&all->out, all->has_entries ? ",\n" : "");
		str_append_len(&all->out, a->text.data, a->text.len);
		all->has_entries = true;
		all->waiting -= a->text.len;
	}
	archived_free(all, a);
	if (all->out.len >= WRITE_SIZE)
		archive_write_out(all);
}

/* Writes the entries in the order of their requests, as far as one that stays open does not hold up too many others. */
static void write_entries(struct archive *all)
{
	bool in_order = all->waiting <= WAITING_BYTES;
	struct archived *a, *next;

	for (a = TAILQ_FIRST(&all->list); a && (a->complete || !in_order); a = next) {
		next = TAILQ_NEXT(a, link);
		if (a->complete)
			write_entry(all, a);
	}
}

/* The bytes of a body in a file of its own. */
static const char *write_body(struct archive *all, const char *mime_type, const struct str *text, bool encoded, size_t *ret_size)
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	ptrdiff_t count = (ptrdiff_t)text->len;

	if (encoded) {
		bytes = must(malloc(BASE64_DECODED_SIZE(text->len)));
		count = base64_decode(str_text(text), text->len, bytes);
	}
	*ret_size = (size_t)MAX(count, 0);
	if (count < 0)
		return NULL;
	if (all->attached + *ret_size > LIMIT_ARCHIVE_FILES)
		return NULL;
	all->attached += *ret_size;
	return all->files.write_body(all->files.data, mime_type, encoded ? (const void *)bytes : str_text(text), *ret_size);
}

static size_t decoded_size(const struct str *base64)
{
	size_t padding = 0;

	while (padding < 2 && padding < base64->len && base64->data[base64->len - 1 - padding] == '=')
		padding++;
	return base64->len / 4 * 3 - padding;
}

static void complete_with_body(struct archive *all, struct archived *a, const struct fetched_body *fetched)
{
	const struct journal *j = page_journal(a->page->page);
	const struct observed *e = journal_at(j, a->seq), *response = e ? request_response(j, e) : NULL;
	struct har_body body = { .seq = a->seq, .encoded = fetched->is_base64 };
	_cleanup_(str_done) struct str text = {};

	if (!response) {
		complete(all, a, NULL);
		return;
	}
	str_append(&text, fetched->text);
	if (!body.encoded)
		redact(&text);
	body.text = str_text(&text);
	body.size = body.encoded ? decoded_size(&text) : text.len;
	if (all->plan.content == ARCHIVE_ATTACH)
		body.file = write_body(all, response->response.mime_type, &text, body.encoded, &body.size);
	if (all->bytes + (body.file ? 0 : text.len) > LIMIT_ARCHIVE_BYTES) {
		all->incomplete = true;
		complete(all, a, NULL);
		return;
	}
	complete(all, a, &body);
}

static void on_body(struct engine_call *call, void *data)
{
	struct archived *a = data;
	struct archive *all = a->page->of;
	struct fetched_body body = engine_body_of(call);

	all->fetched--;
	if (call->result == 0)
		complete_with_body(all, a, &body);
	else
		complete(all, a, NULL);
	engine_call_done(call);
	write_entries(all);
	waitq_wake(&all->changed);
}

static bool has_body(const struct journal *j, const struct observed *request, const struct observed *end)
{
	const struct observed *response = request_response(j, request);

	return end->kind == OBSERVED_FINISHED && !request->is_private && response && !response->response.redirect &&
	       end->encoded_bytes <= LIMIT_ARCHIVE_BODY;
}

/* The request has ended with the event `end`. */
static void archive_end_request(struct archive *all, struct archived *a, const struct journal *j, const struct observed *end)
{
	const struct observed *e = journal_at(j, a->seq);
	struct engine_target *s = e ? page_session(a->page->page, end->session) : NULL;

	if (all->plan.content == ARCHIVE_OMIT || !s || !has_body(j, e, end) ||
	    engine_ask_body(s, e->request_id, &a->call, on_body, a) < 0)
		complete(all, a, NULL);
	else
		all->fetched++;
}

/* ---- the journal of one page ---- */

static struct archived *find_open(const struct archived_page *p, uint64_t seq)
{
	uint64_t *const *found = tfind(&seq, &p->by_seq, compare_seq);
	struct archived *a = found ? CONTAINER_OF(*found, struct archived, seq) : NULL;

	return a && !a->complete && !a->call.target ? a : NULL;
}

static void archive_add_request(struct archive *all, struct archived_page *p, const struct observed *e)
{
	struct archived *a;

	if (p->began == 0)
		p->began = e->sent.wall_time;
	if (all->filter && !glob_matches(all->filter, e->url))
		return;
	if (all->count == LIMIT_ARCHIVE_REQUESTS_COUNT || all->bytes > LIMIT_ARCHIVE_BYTES) {
		all->incomplete = true;
		return;
	}
	a = NEW(struct archived);
	a->page = p;
	a->seq = e->seq;
	all->count++;
	TAILQ_INSERT_TAIL(&all->list, a, link);
	must(tsearch(&a->seq, &p->by_seq, compare_seq));
}

static void archive_on_event(struct journal_listener *l, const struct journal *j, const struct observed *e)
{
	struct archived_page *p = CONTAINER_OF(l, struct archived_page, listener);
	bool ends = e->kind == OBSERVED_FINISHED || e->kind == OBSERVED_FAILED ||
		    (e->kind == OBSERVED_RESPONSE && e->response.redirect);
	struct archived *a;

	if (e->kind == OBSERVED_REQUEST)
		archive_add_request(p->of, p, e);
	a = ends ? find_open(p, e->request) : NULL;
	if (a) {
		archive_end_request(p->of, a, j, e);
		write_entries(p->of);
	}
}

/* A page that has ended is released with its journal, which may be large. */
static void release_page(struct archive *all, struct archived_page *p)
{
	struct archived *a;

	TAILQ_FOREACH(a, &all->list, link) {
		if (a->page != p || a->complete)
			continue;
		all->fetched -= a->call.target != NULL;
		engine_call_done(&a->call);
		complete(all, a, NULL);
	}
	write_entries(all);
	journal_unlisten(&p->listener);
	str_append(&p->url, page_url(p->page));
	p->page = page_unref(p->page);
}

static void release_ended_pages(struct archive *all)
{
	struct archived_page *p;

	TAILQ_FOREACH(p, &all->pages, link)
		if (p->page && !page_alive(p->page) && !page_crashed(p->page))
			release_page(all, p);
}

static void archive_add_page(void *part, struct page *page)
{
	struct archive *all = part;
	struct archived_page *p;

	release_ended_pages(all);
	if (all->page_count == LIMIT_ARCHIVE_PAGES_COUNT) {
		all->incomplete = true;
		return;
	}
	p = NEW(struct archived_page);
	p->of = all;
	p->page = page_ref(page);
	p->listener.observed = archive_on_event;
	snprintf(p->name, sizeof(p->name), "page_%u", ++all->page_count);
	TAILQ_INSERT_TAIL(&all->pages, p, link);
	journal_listen(page_journal(page), &p->listener);
}

/* ---- the end of the file ---- */

static void append_pages(struct archive *all, struct str *out)
{
	const char *gap = "";
	struct archived_page *p;

	str_append(out, ",\"pages\":[");
	TAILQ_FOREACH(p, &all->pages, link) {
		if (p->began == 0)
			continue;
		str_append(out, gap);
		har_append_page(out, p->name, str_text(&p->url), p->began);
		gap = ",";
	}
	str_append_char(out, ']');
}

static void end_file(struct archive *all)
{
	begin_file(all);
	str_append_char(&all->out, ']');
	if (!all->plan.minimal)
		append_pages(all, &all->out);
	if (all->incomplete)
		str_append(&all->out, ",\"comment\":\"The archive has reached its size limit: requests or bodies are missing\"");
	str_append(&all->out, "}}\n");
	archive_write_out(all);
}

/* Whether any page of the context has requested anything. */
static bool was_used(const struct archive *all)
{
	const struct archived_page *p;

	TAILQ_FOREACH(p, &all->pages, link)
		if (p->began > 0)
			return true;
	return false;
}

static void archived_page_free(struct archive *all, struct archived_page *p)
{
	TAILQ_REMOVE(&all->pages, p, link);
	str_done(&p->url);
	free(p);
}

/* Writes the archive. */
static void archive_free(void *part)
{
	struct archive *all = part;
	struct archived_page *p;
	struct archived *a;

	TAILQ_FOREACH(p, &all->pages, link)
		if (p->page)
			release_page(all, p);
	if (was_used(all))
		end_file(all);
	str_done(&all->out);
	while ((a = TAILQ_FIRST(&all->list)))
		archived_free(all, a);
	while ((p = TAILQ_FIRST(&all->pages)))
		archived_page_free(all, p);
	all->files.free(all->files.data);
	glob_free(all->filter);
	free(all);
}

const struct context_part archive_part = { .page_shown = archive_add_page, .free = archive_free };

void context_start_archive(struct context *c, const struct archive_plan *plan, const struct archive_files *files)
{
	struct archive *all;
	struct page *p = NULL;
	const char *reason;

	if (context_archive(c)) {
		files->free(files->data);
		return;
	}
	all = NEW(struct archive);
	*all = (struct archive){ .context = c, .plan = *plan, .files = *files };
	all->filter = plan->url_filter ? glob_new(plan->url_filter, &reason) : NULL;
	all->plan.url_filter = NULL;
	TAILQ_INIT(&all->pages);
	TAILQ_INIT(&all->list);
	waitq_init(&all->changed);
	context_set_archive(c, all);
	while ((p = context_next_page(c, p)))
		archive_add_page(all, p);
}

bool context_has_archive(struct context *c)
{
	return context_archive(c);
}

int context_await_archive(struct task *t, struct context *c)
{
	struct archive *all = context_archive(c);
	usec_t outer = task_set_deadline(t, MIN(task_deadline(t), clock_now() + BODIES_TIMEOUT));
	int r = 0;

	while (all && all->fetched > 0 && r == 0)
		r = waitq_wait(t, &all->changed, "the bodies of responses");
	task_set_deadline(t, outer);
	return task_cancelled(t) ? -ECANCELED : 0;
}
