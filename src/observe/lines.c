#include "observe/lines.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* `text` comes from the page or the browser. */
static void lines_append_part(struct str *out, const char *before, const char *text, const char *after)
{
	str_append(out, before);
	display_line(out, text);
	str_append(out, after);
}

/* Console entries of the browser itself (such as a failed request) have a URL but no line. */
static void append_place(struct str *out, const struct observed *e, bool exact)
{
	const struct observed_message *m = &e->message;

	if (e->kind == OBSERVED_EXCEPTION && (!exact || !*e->url || strstr(m->text, "\n    at ")))
		return;
	str_append(out, " @ ");
	display_line(out, e->url);
	if (!exact)
		str_appendf(out, ":%d", m->line);
	else if (e->kind != OBSERVED_LOG || m->line || m->column)
		str_appendf(out, ":%d:%d", m->line + 1, m->column + 1);
}

const char *message_word(enum message_kind kind)
{
	static const char *const words[] = {
		[CONSOLE_LOG] = "log",
		[CONSOLE_DEBUG] = "debug",
		[CONSOLE_VERBOSE] = "verbose",
		[CONSOLE_INFO] = "info",
		[CONSOLE_WARNING] = "warning",
		[CONSOLE_ERROR] = "error",
		[CONSOLE_ASSERT] = "assert",
		[CONSOLE_TRACE] = "trace",
		[CONSOLE_DIR] = "dir",
		[CONSOLE_DIRXML] = "dirxml",
		[CONSOLE_TABLE] = "table",
		[CONSOLE_CLEAR] = "clear",
		[CONSOLE_GROUP] = "startGroup",
		[CONSOLE_GROUP_COLLAPSED] = "startGroupCollapsed",
		[CONSOLE_GROUP_END] = "endGroup",
		[CONSOLE_PROFILE] = "profile",
		[CONSOLE_PROFILE_END] = "profileEnd",
		[CONSOLE_COUNT] = "count",
		[CONSOLE_TIME_END] = "timeEnd",
	};

	return words[kind];
}

static void lines_append_type(struct str *out, const char *type)
{
	_cleanup_(str_done) struct str upper = {};

	for (const char *c = type; *c; c++)
		str_append_char(&upper, (char)toupper((unsigned char)*c));
	lines_append_part(out, "[", str_text(&upper), "] ");
}

/* A message may have several lines; its source position follows the text. */
void message_line(struct str *out, const struct observed *e, const struct message_form *form)
{
	if (e->kind == OBSERVED_EXCEPTION) {
		display_whole_row(out, e->message.text, form->beside);
	} else {
		lines_append_type(out, message_word(e->message.kind));
		display_row(out, e->message.text);
	}
	append_place(out, e, form->exact);
}

void message_time(struct str *out, const struct observed *e, int64_t start)
{
	str_appendf(out, "[%8.0fms] ", fmax(0, e->time - (double)start));
}

const struct observed *request_response(const struct journal *j, const struct observed *request)
{
	return journal_at(j, request->sent.response);
}

static const struct observed *request_failure(const struct journal *j, const struct observed *request)
{
	const struct observed *end = journal_at(j, request->sent.end);

	return end && end->kind == OBSERVED_FAILED ? end : NULL;
}

static void append_status(struct str *out, const struct observed_response *response, const char *before, const char *after)
{
	str_appendf(out, "%s[%d] ", before, response->status);
	lines_append_part(out, "", response->status_text, after);
}

/*
 * Appends the outcome of the request between `before` and `after`; nothing while it is open. A response takes
 * precedence over a later failure.
 */
static void append_outcome(struct str *out, const struct journal *j, const struct observed *request, const char *before,
			   const char *after)
{
	const struct observed *response = request_response(j, request), *failure = request_failure(j, request);

	if (response)
		append_status(out, &response->response, before, after);
	else if (failure) {
		str_append(out, before);
		lines_append_part(out, "[FAILED] ", failure->failure.error, after);
	}
}

void request_line(struct str *out, const struct journal *j, const struct observed *request)
{
	str_appendf(out, "%u. ", request->sent.number);
	lines_append_part(out, "[", request->sent.method, "] ");
	display_line(out, request->url);
	append_outcome(out, j, request, " => ", "");
}

bool request_is_static(const struct journal *j, const struct observed *request)
{
	const struct observed *response = request_response(j, request);

	return response && response->response.status < 400 && request->sent.resource != RESOURCE_FETCH &&
	       request->sent.resource != RESOURCE_XHR;
}

/* The values of repeated headers are joined on one line. */
static void lines_append_value(struct str *out, const char *value)
{
	_cleanup_(str_done) struct str joined = {};

	for (; *value; value++)
		if (*value == '\n')
			str_append(&joined, ", ");
		else
			str_append_char(&joined, *value);
	display_line(out, str_text(&joined));
}

void header_lines(struct str *out, const struct observed_headers *headers, const char *indent)
{
	for (size_t i = 0; i < headers->count; i++) {
		lines_append_part(out, indent, headers->rows[i].name, ": ");
		lines_append_value(out, headers->rows[i].value);
		str_append_char(out, '\n');
	}
	if (headers->cut)
		str_appendf(out, "%s... [more headers]\n", indent);
}

static void lines_append_headers(struct str *out, const char *title, const struct observed_headers *headers)
{
	if (headers->count == 0)
		return;
	str_appendf(out, "\n  %s\n", title);
	header_lines(out, headers, "    ");
}

/* The media type of Content-Type without parameters; nothing if the header is missing. */
static void append_mime_type(struct str *out, const struct observed_headers *headers)
{
	for (size_t i = 0; i < headers->count; i++) {
		const char *value = headers->rows[i].value;
		_cleanup_(str_done) struct str type = {};

		str_append_len(&type, value, strcspn(value, "; \t\n"));
		if (strcmp(headers->rows[i].name, "content-type") == 0 && type.len)
			lines_append_part(out, "    mimeType:  ", type.data, "\n");
	}
}

static void append_general(struct str *out, const struct journal *j, const struct observed *request,
			   const struct observed *response)
{
	str_append(out, "\n  General\n");
	append_outcome(out, j, request, "    status:    ", "\n");
	if (response && request->sent.end != OBSERVED_NONE)
		str_appendf(out, "    duration:  %.0fms\n", round((request->sent.end_time - request->time) * 1000));
	lines_append_part(out, "    type:      ", request->sent.type, "\n");
	if (response)
		append_mime_type(out, &response->response.headers);
}

/* RFC 9110, 15.3.5 and 15.4.5: these never have content. */
bool request_may_have_response_body(const struct journal *j, const struct observed *request)
{
	const struct observed *response = request_response(j, request);

	return response && response->response.status != 204 && response->response.status != 304;
}

void request_details(struct str *out, const struct journal *j, const struct observed *request)
{
	const struct observed *response = request_response(j, request);

	str_appendf(out, "#%u ", request->sent.number);
	lines_append_part(out, "[", request->sent.method, "] ");
	lines_append_part(out, "", request->url, "\n");
	append_general(out, j, request, response);
	lines_append_headers(out, "Request headers", &request->sent.headers);
	if (response)
		lines_append_headers(out, "Response headers", &response->response.headers);
	out->data[--out->len] = 0;
}
