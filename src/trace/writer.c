/* Writes the files of a trace: lines of the two logs, and parts, which are files of their own. */
#include <errno.h>
#include <openssl/evp.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mask.h"
#include "observe/redact.h"
#include "reply/url_params.h"
#include "trace/internal.h"

/* ---- the clock, and names of pages ---- */

double trace_now(void)
{
	return (double)clock_now() / USEC_PER_MSEC;
}

double trace_at(const struct trace *tr, double unix_msec)
{
	return tr->start + (unix_msec - tr->wall_start);
}

void trace_page_name(const struct page *p, char ret[80])
{
	snprintf(ret, 80, "page@%s", page_target_id(p));
}

/* ---- lines ---- */

static void write_all(struct trace *tr, int log, struct str *line)
{
	off_t end = lseek(log, 0, SEEK_CUR);
	int r;

	if (tr->failure)
		return;
	if (mask_active())
		mask_json(line, NULL, NULL);
	url_params_redact(tr->redacted_params, line);
	str_append_char(line, '\n');
	r = file_write_all(log, line->data, line->len);
	if (r == 0)
		return;
	tr->failure = r;
	if (ftruncate(log, end) < 0) /* a part of a line keeps the viewer from reading the others */
		log_warning("the last line of the trace %s is incomplete: %s", tr->path, strerror(errno));
}

void trace_note(struct trace *tr, const char *fmt, ...)
{
	_cleanup_(str_done) struct str line = {}, text = {};
	va_list ap;

	str_append(&text, "browserd: ");
	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	str_append_char(&text, '\n');
	str_json(&line, "{type: 'stderr', timestamp: ?, text: ?}", trace_now(), text.data);
	write_all(tr, tr->actions, &line);
}

void trace_write_line(struct trace *tr, int log, struct str *line)
{
	if (tr->lines_full)
		return;
	tr->line_bytes += line->len;
	tr->lines_full = tr->line_bytes > LIMIT_TRACE_LINES;
	if (tr->lines_full)
		trace_note(tr, "the trace has reached its limit of %u MiB of events, all later ones are missing",
			   LIMIT_TRACE_LINES >> 20);
	else
		write_all(tr, log, line);
}

/* Whether there is room for `len` more bytes of snapshots, pictures and bodies. */
static bool take_room(struct trace *tr, size_t len)
{
	if (tr->parts_full)
		return false;
	tr->part_bytes += len;
	tr->parts_full = tr->part_bytes > LIMIT_TRACE_BYTES;
	if (tr->parts_full)
		trace_note(tr, "the trace has reached its limit of %u MiB; later snapshots, pictures and bodies are missing",
			   LIMIT_TRACE_BYTES >> 20);
	return !tr->parts_full;
}

void trace_write_big_line(struct trace *tr, struct str *line)
{
	if (take_room(tr, line->len))
		write_all(tr, tr->actions, line);
}

/* ---- files ---- */

struct output_file trace_file(struct task *t, const struct trace *tr, const char *name)
{
	return (struct output_file){
		.root = tr->root,
		.path = arena_printf(task_arena(t), "%s/%s", tr->path, name),
		.rest = *tr->rest ? arena_printf(task_arena(t), "%s/%s", tr->rest, name) : arena_strdup(task_arena(t), name),
	};
}

static int writer_compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

bool trace_write_part(struct task *t, struct trace *tr, const char *name, const void *data, size_t len)
{
	const struct output_file f = trace_file(t, tr, name);

	if (tfind(name, &tr->parts_by_name, writer_compare_names))
		return true;
	if (tr->failure || tr->part_count == LIMIT_TRACE_PARTS_COUNT || !take_room(tr, len))
		return false;
	tr->failure = output_write_part(&f, data, len);
	if (tr->failure)
		return false;
	tr->parts[tr->part_count] = must(strdup(name));
	must(tsearch(tr->parts[tr->part_count++], &tr->parts_by_name, writer_compare_names));
	return true;
}

void trace_free_parts(struct trace *tr)
{
	while (tr->part_count > 0) {
		tdelete(tr->parts[--tr->part_count], &tr->parts_by_name, writer_compare_names);
		free(tr->parts[tr->part_count]);
	}
	free(tr->parts);
}

void trace_digest(const void *data, size_t len, unsigned char ret[TRACE_DIGEST_SIZE])
{
	unsigned size = 0;

	must(EVP_Digest(data, len, ret, &size, EVP_sha1(), NULL) == 1 ? ret : NULL);
}

void trace_redact(const struct trace *tr, struct str *text)
{
	redact(text);
	url_params_redact(tr->redacted_params, text);
}

static const char *writer_extension_of(const char *mime_type)
{
	static const struct {
		const char *type, *extension;
	} table[] = {
		{ "text/html", "html" },        { "text/css", "css" },
		{ "text/javascript", "js" },    { "application/javascript", "js" },
		{ "application/json", "json" }, { "text/plain", "txt" },
		{ "image/png", "png" },         { "image/jpeg", "jpeg" },
		{ "image/gif", "gif" },         { "image/webp", "webp" },
		{ "image/svg+xml", "svg" },     { "font/woff2", "woff2" },
		{ "font/woff", "woff" },        { "application/xml", "xml" },
		{ "text/xml", "xml" },          { "image/x-icon", "ico" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strcmp(table[i].type, mime_type) == 0)
			return table[i].extension;
	return "dat";
}

bool trace_write_resource(struct task *t, struct trace *tr, const void *data, size_t len, const char *mime_type,
			  char ret_name[TRACE_PART_SIZE])
{
	unsigned char digest[TRACE_DIGEST_SIZE];
	char text[2 * TRACE_DIGEST_SIZE + 1];

	trace_digest(data, len, digest);
	for (size_t i = 0; i < TRACE_DIGEST_SIZE; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	snprintf(ret_name, TRACE_PART_SIZE, "resources/%s.%s", text, writer_extension_of(mime_type));
	return trace_write_part(t, tr, ret_name, data, len);
}
