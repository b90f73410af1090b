#include "observe/event.h"

#include <math.h>
#include <string.h>

#include "observe/clip.h"

#define NO_EVENT 0x8000u /* "other" matches nothing: every event has a named kind so far */

const char *const event_kind_table[] = {
	"console", "log",      "request", "response", "loadingFinished", "loadingFailed", "websocket",
	"dialog",  "download", "other",   NULL,
};
static const unsigned kind_masks[] = {
	OBSERVED_CONSOLE | OBSERVED_EXCEPTION,
	OBSERVED_LOG,
	OBSERVED_REQUEST,
	OBSERVED_RESPONSE,
	OBSERVED_FINISHED,
	OBSERVED_FAILED,
	OBSERVED_WEBSOCKET,
	OBSERVED_DIALOG,
	OBSERVED_DOWNLOAD,
	NO_EVENT,
};

unsigned event_kinds(const char *name)
{
	for (size_t i = 0; event_kind_table[i]; i++)
		if (strcmp(event_kind_table[i], name) == 0)
			return kind_masks[i];
	return 0;
}

static const char *kind_name(enum observed_kind kind)
{
	size_t i = 0;

	while (!(kind_masks[i] & kind))
		i++;
	return event_kind_table[i];
}

/* Six words for all kinds. */
static const char *console_type(const struct observed_message *m)
{
	switch (m->kind) {
	case CONSOLE_INFO:
		return "info";
	case CONSOLE_DEBUG:
	case CONSOLE_VERBOSE:
		return "debug";
	case CONSOLE_TRACE:
		return "trace";
	case CONSOLE_WARNING:
		return "warn";
	case CONSOLE_ERROR:
	case CONSOLE_ASSERT:
		return "error";
	default:
		return "log";
	}
}

/* The text, cut to the limit of the reader. */
static void event_append_text(struct str *out, const char *name, const char *text, size_t limit)
{
	_cleanup_(clip_done) struct clip cut = { .limit = limit };

	if (text)
		clip_append(&cut, text);
	str_json(out, ", ?: ?", name, text ? clip_text(&cut) : NULL);
}

/* Those that begin within the limit of the reader, the last of them cut. */
static void append_arguments(struct str *out, const struct observed_message *m, size_t limit)
{
	size_t kept = clip_fit(m->text, strlen(m->text), limit), start = 0, end;

	str_append(out, ",\"args\":[");
	for (unsigned i = 0; i < m->arguments && (start < kept || i == 0); i++) {
		if (i)
			str_append_char(out, ',');
		end = MIN((size_t)m->argument_ends[i], kept);
		str_append_quoted(out, m->text + start, end > start ? end - start : 0);
		start = m->argument_ends[i] + 1; /* past the blank */
	}
	str_append_char(out, ']');
}

/* Lines and columns are counted from 1, as in editors. */
static void append_message(struct str *out, const struct observed *e, size_t limit)
{
	const struct observed_message *m = &e->message;

	str_json(out, ", type: ?", console_type(m));
	event_append_text(out, "text", m->text, limit);
	append_arguments(out, m, limit);
	if (e->url[0])
		str_json(out, ", stack: {url: ?, line: ?, column: ?}", e->url, m->line + 1, m->column + 1);
	else
		str_append(out, ",\"stack\":null");
	if (e->kind == OBSERVED_EXCEPTION)
		str_append(out, ",\"uncaught\":true");
}

static void event_append_headers(struct str *out, const struct observed_headers *headers)
{
	str_append(out, ",\"headers\":{");
	for (size_t i = 0; i < headers->count; i++)
		str_json(out, "? ?: ?", JSON_COMMA(i), headers->rows[i].name, headers->rows[i].value);
	str_append_char(out, '}');
}

/* For a body that the browser considers too large for the event, only its existence is known. */
static void event_append_body(struct str *out, const struct observed_request *sent, size_t limit)
{
	size_t len = sent->body ? clip_fit(sent->body, sent->body_size, limit) : 0;
	_cleanup_(str_done) struct str text = {};

	if (sent->body) {
		str_append_len(&text, sent->body, len);
		if (len < sent->body_size)
			clip_mark(&text, sent->body_size - len);
		str_append(out, ",\"postDataPreview\":");
		str_append_quoted(out, str_text(&text), text.len);
	} else {
		str_append(out, ",\"postDataPreview\":null");
		if (sent->has_body)
			str_append(out, ",\"hasPostData\":true");
	}
}

static const char *initiator_of(const char *type)
{
	return strcmp(type, "parser") == 0 || strcmp(type, "script") == 0 ? type : "other";
}

static void event_append_request(struct str *out, const struct observed *e, size_t limit)
{
	str_json(out, ", requestId: ?, url: ?, method: ?", e->request_id, e->url, e->sent.method);
	event_append_headers(out, &e->sent.headers);
	event_append_body(out, &e->sent, limit);
	str_json(out, ", initiator: ?", initiator_of(e->sent.initiator));
}

static void event_append_response(struct str *out, const struct observed *e)
{
	const struct observed_response *r = &e->response;

	str_json(out, ", requestId: ?, url: ?, status: ?, statusText: ?, mimeType: ?", e->request_id, e->url, r->status,
		 r->status_text, r->mime_type);
	str_json(out, ", fromDiskCache: ?, fromServiceWorker: ?, remoteAddress: ?", r->from_disk_cache, r->from_service_worker,
		 r->remote_address);
	if (r->timing.request_time > 0)
		str_json(out, ", timing: {receiveHeadersEnd: ?}", round((double)r->timing.headers_end * 1000) / 1000);
	else
		str_append(out, ",\"timing\":null");
}

static void append_websocket(struct str *out, const struct journal *j, const struct observed *e, size_t limit)
{
	static const char *const events[] = {
		[WEBSOCKET_CREATED] = "created",   [WEBSOCKET_OPENED] = "opened", [WEBSOCKET_SENT] = "sent",
		[WEBSOCKET_RECEIVED] = "received", [WEBSOCKET_ERROR] = "error",   [WEBSOCKET_CLOSED] = "closed",
	};
	const struct observed_websocket *w = &e->websocket;

	str_json(out, ", requestId: ?, url: ?, event: ?", e->request_id, journal_url(j, e), events[w->event]);
	if (w->event == WEBSOCKET_SENT || w->event == WEBSOCKET_RECEIVED) {
		str_json(out, ", direction: ?, opcode: ?", w->event == WEBSOCKET_SENT ? "sent" : "recv", w->opcode);
		event_append_text(out, "payloadPreview", w->payload, limit);
	} else if (w->event == WEBSOCKET_OPENED) {
		str_json(out, ", status: ?", w->status);
	} else if (w->event == WEBSOCKET_ERROR) {
		event_append_text(out, "errorText", w->payload, limit);
	}
}

static void append_dialog(struct str *out, const struct observed *e, size_t limit)
{
	const struct observed_dialog *d = &e->dialog;

	if (d->opened)
		str_json(out, ", event: 'opened', url: ?, type: ?", e->url, d->type);
	else
		str_json(out, ", event: 'closed', accepted: ?", d->accepted);
	event_append_text(out, d->opened ? "message" : "input", d->message, limit);
}

static void append_download(struct str *out, const struct observed *e)
{
	static const char *const events[] = { "began", "saved", "failed" };
	const struct observed_download *d = &e->download;

	str_json(out, ", event: ?, guid: ?, url: ?, fileName: ?, bytes: ?", events[d->event], d->guid, e->url, d->name, d->bytes);
	if (d->event == DOWNLOAD_SAVED_AS)
		str_json(out, ", path: ?", d->detail);
	else if (d->event == DOWNLOAD_BROKE)
		str_json(out, ", errorText: ?", d->detail);
}

static void append_rest(struct str *out, const struct journal *j, const struct observed *e, size_t limit)
{
	switch (e->kind) {
	case OBSERVED_REQUEST:
		event_append_request(out, e, limit);
		break;
	case OBSERVED_RESPONSE:
		event_append_response(out, e);
		break;
	case OBSERVED_FINISHED:
		str_json(out, ", requestId: ?, encodedDataLength: ?", e->request_id, e->encoded_bytes);
		break;
	case OBSERVED_FAILED:
		str_json(out, ", requestId: ?, errorText: ?, canceled: ?", e->request_id, e->failure.error, e->failure.canceled);
		if (e->failure.blocked)
			str_json(out, ", blockedReason: ?", e->failure.blocked);
		break;
	case OBSERVED_WEBSOCKET:
		append_websocket(out, j, e, limit);
		break;
	case OBSERVED_DIALOG:
		append_dialog(out, e, limit);
		break;
	case OBSERVED_DOWNLOAD:
		append_download(out, e);
		break;
	default:
		append_message(out, e, limit);
	}
}

void event_json(struct str *out, const struct journal *j, const struct observed *e, const char *target_id, size_t limit)
{
	str_json(out, "{seq: ?, ts: ?, targetId: ?, sessionId: ?, kind: ?", e->seq, e->received, target_id, e->session,
		 kind_name(e->kind));
	if (e->is_private)
		str_append(out, ",\"private\":true");
	append_rest(out, j, e, limit);
	str_append_char(out, '}');
}
