/* Normalises requests, responses and their ends. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/limits.h"
#include "engine/bidi/normalise.h"
#include "observe/redact.h"

/* ---- what a request is for ---- */

/* The value of a header field, "" without: BiDi writes those that are no text in base64. */
static const char *field_value(const struct json *field)
{
	return json_text(field, "value.value");
}

static const char *find_field(const struct json *fields, const char *name)
{
	json_foreach(f, fields)
		if (strcasecmp(json_text(f, "name"), name) == 0)
			return field_value(f);
	return "";
}

static const char *find_word(const char *const (*table)[2], const char *name)
{
	for (; (*table)[0]; table++)
		if (strcmp((*table)[0], name) == 0)
			return (*table)[1];
	return NULL;
}

static const char *word_of(const struct json *request)
{
	static const char *const destinations[][2] = {
		{ "document", "document" },
		{ "iframe", "document" },
		{ "frame", "document" },
		{ "style", "stylesheet" },
		{ "xslt", "stylesheet" },
		{ "script", "script" },
		{ "worker", "script" },
		{ "sharedworker", "script" },
		{ "serviceworker", "script" },
		{ "audioworklet", "script" },
		{ "paintworklet", "script" },
		{ "image", "image" },
		{ "font", "font" },
		{ "audio", "media" },
		{ "video", "media" },
		{ "track", "texttrack" },
		{ "manifest", "manifest" },
		{ "report", "cspviolationreport" },
		{},
	};
	static const char *const initiators[][2] = { { "fetch", "fetch" }, { "xmlhttprequest", "xhr" }, { "beacon", "ping" }, {} };
	const char *word = find_word(destinations, json_text(request, "destination"));

	return word ? word : find_word(initiators, json_text(request, "initiatorType"));
}

/*
 * Scripts cannot set the fields that tell these apart, but for Accept, and those of fetch() and XMLHttpRequest have initiators. When a WebSocket is
 * reported first, Firefox may not have set its field Upgrade yet.
 */
static const char *word_of_fields(const struct json *request)
{
	const struct json *fields = json_get(request, "headers");

	if (*find_field(fields, "Sec-WebSocket-Key"))
		return "websocket";
	if (strcmp(json_text(request, "method"), "OPTIONS") == 0 && *find_field(fields, "Access-Control-Request-Method"))
		return "preflight";
	return strcmp(find_field(fields, "Accept"), "text/event-stream") == 0 ? "eventsource" : "other";
}

struct bidi_kind bidi_kind_of(const struct json *request)
{
	const char *destination = json_text(request, "destination"), *word = word_of(request);

	if (!word)
		word = *destination ? "other" : word_of_fields(request);
	return (struct bidi_kind){
		.word = word,
		.resource = resource_kind_find(word),
		.is_socket = strcmp(word, "websocket") == 0,
		.is_preflight = strcmp(word, "preflight") == 0,
		.is_embedded = strcmp(destination, "object") == 0 || strcmp(destination, "embed") == 0,
	};
}

bool bidi_is_redirect(const struct json *params)
{
	int64_t status = json_int(params, "response.status", 0);

	return (status == 301 || status == 302 || status == 303 || status == 307 || status == 308) &&
	       *find_field(json_get(params, "response.headers"), "Location");
}

bool bidi_is_data(const struct json *params)
{
	return starts_with(json_text(params, "request.url"), "data:");
}

/* A packed body is saved in another size, and what is no number is not known either. */
double bidi_announced_size(const struct json *params)
{
	const struct json *fields = json_get(params, "response.headers");
	const char *length = find_field(fields, "Content-Length");
	bool is_size = *length && strspn(length, "0123456789") == strlen(length) && !*find_field(fields, "Content-Encoding");

	return is_size ? strtod(length, NULL) : 0;
}

/* ---- parts of an event ---- */

static const char *bidi_word(struct journal *j, const struct json *v, const char *path)
{
	return journal_text(j, json_text(v, path), LIMIT_OBSERVED_WORD);
}

static const char *lower_word(struct journal *j, const char *text)
{
	char *copy = journal_text(j, text, LIMIT_OBSERVED_WORD);

	ascii_lower(copy);
	return copy;
}

/* A server that sets several cookies sends as many fields, of which the journal has one, with a line for each. */
static void normalise_network_add_cookie(struct journal *j, struct observed_header *row, const char *value, size_t room)
{
	_cleanup_(str_done) struct str both = {};

	if (redact_is_secret_header(row->name))
		return;
	str_appendf(&both, "%s\n%s", row->value, value);
	row->value = journal_masked(j, both.data, strlen(row->value) + room);
}

/* Copies headers up to the limit; the header that crosses it is cut. */
static void bidi_copy_headers(struct journal *j, struct observed_headers *headers, const struct json *from)
{
	size_t room = LIMIT_OBSERVED_HEADERS, count = MIN(json_count(from), (size_t)LIMIT_OBSERVED_HEADERS_COUNT);
	struct observed_header *rows = journal_alloc(j, count * sizeof(*rows)), *cookies = NULL;

	headers->rows = rows;
	json_foreach(field, from) {
		const char *name = json_text(field, "name"), *value = field_value(field);

		headers->cut = headers->count == count || room == 0;
		if (headers->cut)
			return;
		if (cookies && strcasecmp(name, cookies->name) == 0) {
			normalise_network_add_cookie(j, cookies, value, room);
		} else {
			rows->name = lower_word(j, name);
			rows->value = redact_is_secret_header(rows->name) ? journal_text(j, REDACTED, SIZE_MAX) :
									    journal_masked(j, value, room);
			cookies = strcmp(rows->name, "set-cookie") == 0 ? rows : cookies;
			rows++;
			headers->count++;
		}
		room -= MIN(room, strlen(name) + strlen(value));
	}
}

/* BiDi has moments in Unix milliseconds, 0 where there was none. */
static float normalise_network_phase(const struct json *timings, const char *name, double from)
{
	double at = json_num(timings, name, 0);

	return at > 0 ? (float)(at - from) : -1;
}

static void bidi_copy_timing(struct observed_timing *timing, const struct json *from)
{
	double start = json_num(from, "requestTime", 0);

	timing->request_time = start / 1000;
	timing->dns_start = normalise_network_phase(from, "dnsStart", start);
	timing->dns_end = normalise_network_phase(from, "dnsEnd", start);
	timing->connect_start = normalise_network_phase(from, "connectStart", start);
	timing->connect_end = normalise_network_phase(from, "connectEnd", start);
	timing->ssl_start = normalise_network_phase(from, "tlsStart", start);
	timing->ssl_end = normalise_network_phase(from, "tlsEnd", start);
	timing->send_start = timing->send_end = normalise_network_phase(from, "requestStart", start);
	timing->headers_end = normalise_network_phase(from, "responseStart", start);
}

/* Firefox adds the parameters of Content-Type. */
static const char *media_type(struct journal *j, const struct json *response)
{
	const char *type = json_text(response, "mimeType");
	_cleanup_(freep) char *bare = must(strndup(type, strcspn(type, "; ")));

	return journal_text(j, bare, LIMIT_OBSERVED_WORD);
}

static void bidi_fill_response(struct journal *j, struct observed *e, const struct json *params)
{
	const struct json *response = json_get(params, "response");
	int64_t status = json_int(response, "status", 0);

	e->url = journal_masked(j, json_text(response, "url"), LIMIT_OBSERVED_URL);
	e->response.status = status > 0 && status < 1000 ? (int)status : 0;
	e->response.status_text = bidi_word(j, response, "statusText");
	e->response.mime_type = media_type(j, response);
	e->response.protocol = bidi_word(j, response, "protocol");
	e->response.from_disk_cache = json_bool(response, "fromCache", false);
	bidi_copy_headers(j, &e->response.headers, json_get(response, "headers"));
	bidi_copy_timing(&e->response.timing, json_get(params, "request.timings"));
}

/* ---- events ---- */

/* `request` is NULL if it was dropped or began before the page was observed. */
static struct observed *add_exchange(struct journal *j, enum observed_kind kind, const char *session, const struct json *params,
				     const struct observed *request)
{
	struct observed *e = journal_add(j, kind, session);

	e->time = json_num(params, "timestamp", 0) / 1000;
	e->request_id = bidi_word(j, params, "request.request");
	e->request = request ? request->seq : OBSERVED_NONE;
	journal_follow(j, e, request);
	return e;
}

static struct observed *find_exchange(struct journal *j, const struct json *params, enum observed_kind kind)
{
	struct observed *e = journal_find(j, json_str(params, "request.request"));

	return e && e->kind == kind ? e : NULL;
}

static bool bidi_is_open(const struct observed *request)
{
	return request && request->sent.end == OBSERVED_NONE;
}

static void end_exchange(struct observed *request, const struct observed *by)
{
	request->sent.end = by->seq;
	request->sent.end_time = by->time;
}

/* Agents see the page's requests, not those that the browser adds. */
static bool bidi_is_listed(const struct observed *e, const struct bidi_kind *kind)
{
	size_t len = strlen(e->url);

	return !kind->is_preflight && !(len >= 12 && strcmp(e->url + len - 12, "/favicon.ico") == 0);
}

/* Firefox calls all of them "other". What only a script can ask for was asked for by one. */
static const char *bidi_initiator_of(struct journal *j, const struct json *params, const struct bidi_kind *kind)
{
	bool is_script =
		strcmp(kind->word, "fetch") == 0 || strcmp(kind->word, "xhr") == 0 || strcmp(kind->word, "eventsource") == 0;

	if (kind->is_preflight)
		return kind->word;
	return is_script ? "script" : bidi_word(j, params, "initiator.type");
}

void bidi_normalise_request(struct journal *j, const char *session, const struct json *params, const struct bidi_kind *kind,
			    const char *document)
{
	const struct json *request = json_get(params, "request");
	struct observed *e;

	if (bidi_is_data(params))
		return;
	e = add_exchange(j, OBSERVED_REQUEST, session, params, NULL);
	e->url = journal_masked(j, json_text(request, "url"), LIMIT_OBSERVED_URL);
	e->sent.method = bidi_word(j, request, "method");
	e->sent.type = kind->word;
	e->sent.resource = kind->resource;
	e->sent.document = journal_text(j, document, LIMIT_OBSERVED_WORD);
	e->sent.initiator = bidi_initiator_of(j, params, kind);
	e->sent.wall_time = e->time;
	bidi_copy_headers(j, &e->sent.headers, json_get(request, "headers"));
	e->sent.has_body = json_num(request, "bodySize", 0) > 0;
	e->sent.number = bidi_is_listed(e, kind) ? journal_number(j) : 0;
	journal_index(j, e);
	journal_done(j, e);
}

void bidi_normalise_sent_body(struct journal *j, const char *request, const struct json *bytes)
{
	struct observed *e = journal_find(j, request);
	const char *text = json_text(bytes, "value");
	size_t len = strlen(text);
	_cleanup_(freep) uint8_t *decoded = NULL;
	ptrdiff_t count;

	if (!e || e->kind != OBSERVED_REQUEST || e->sent.body || !len || len > 2 * LIMIT_OBSERVED_BODY)
		return;
	if (strcmp(json_text(bytes, "type"), "base64") != 0) {
		journal_add_body(j, e, text, len);
		return;
	}
	decoded = must(malloc(BASE64_DECODED_SIZE(len) + 1));
	count = base64_decode(text, len, decoded);
	if (count >= 0)
		journal_add_body(j, e, decoded, (size_t)count);
}

void bidi_normalise_response(struct journal *j, const char *session, const struct json *params)
{
	struct observed *request = find_exchange(j, params, OBSERVED_REQUEST), *e;

	if (bidi_is_data(params))
		return;
	e = add_exchange(j, OBSERVED_RESPONSE, session, params, request);
	bidi_fill_response(j, e, params);
	e->response.redirect = bidi_is_redirect(params);
	if (request)
		request->sent.response = e->seq;
	if (request && e->response.redirect)
		end_exchange(request, e);
	journal_done(j, e);
}

void bidi_normalise_finished(struct journal *j, const char *session, const struct json *params)
{
	struct observed *request = find_exchange(j, params, OBSERVED_REQUEST), *e;

	if (!bidi_is_open(request))
		return;
	e = add_exchange(j, OBSERVED_FINISHED, session, params, request);
	e->encoded_bytes = json_bool(params, "response.fromCache", false) ? 0 : json_num(params, "response.bytesReceived", 0);
	end_exchange(request, e);
	journal_done(j, e);
}

void bidi_normalise_failed(struct journal *j, const char *session, const struct json *params, bool refused)
{
	struct observed *request = find_exchange(j, params, OBSERVED_REQUEST), *e;

	if (!bidi_is_open(request))
		return;
	e = add_exchange(j, OBSERVED_FAILED, session, params, request);
	e->failure.error = refused ? BIDI_REFUSED : bidi_word(j, params, "errorText");
	e->failure.blocked = refused ? "inspector" : NULL; /* CDP's word for who has done so */
	e->failure.aborted = e->failure.canceled = strcmp(e->failure.error, "NS_BINDING_ABORTED") == 0;
	end_exchange(request, e);
	journal_done(j, e);
}

/* BiDi reports the request by which a WebSocket is opened, whose address is that of HTTP, and nothing of what follows. */
static const char *socket_address(struct journal *j, const char *url)
{
	_cleanup_(str_done) struct str address = {};

	if (!starts_with(url, "http"))
		return journal_masked(j, url, LIMIT_OBSERVED_URL);
	str_appendf(&address, "ws%s", url + strlen("http"));
	return journal_masked(j, address.data, LIMIT_OBSERVED_URL);
}

void bidi_normalise_socket(struct journal *j, const char *session, const struct json *params, enum websocket_event event)
{
	struct observed *e = add_exchange(j, OBSERVED_WEBSOCKET, session, params, find_exchange(j, params, OBSERVED_WEBSOCKET));

	e->websocket.event = event;
	e->websocket.status = (int)json_int(params, "response.status", 0);
	if (event == WEBSOCKET_ERROR)
		e->websocket.payload = bidi_word(j, params, "errorText");
	if (event != WEBSOCKET_CREATED) {
		journal_done(j, e);
		return;
	}
	e->url = socket_address(j, json_text(params, "request.url"));
	journal_index(j, e);
	journal_done(j, e);
}
