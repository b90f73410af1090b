/* Normalises requests, responses and their ends. */
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/limits.h"
#include "engine/cdp/normalise.h"
#include "observe/clip.h"
#include "observe/redact.h"

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static const char *lower(struct journal *j, const char *text)
{
	char *copy = journal_text(j, text ? text : "other", LIMIT_OBSERVED_WORD);

	ascii_lower(copy);
	return copy;
}

static const char *word(struct journal *j, const struct json *v, const char *path)
{
	return journal_text(j, json_text(v, path), LIMIT_OBSERVED_WORD);
}

/* Copies headers up to the limit; the header that crosses it is cut. */
static void copy_headers(struct journal *j, struct observed_headers *headers, const struct json *from)
{
	size_t room = LIMIT_OBSERVED_HEADERS, count = MIN(json_count(from), (size_t)LIMIT_OBSERVED_HEADERS_COUNT);
	struct observed_header *rows = journal_alloc(j, count * sizeof(*rows));

	headers->rows = rows;
	json_foreach(h, from) {
		const char *name = json_name(h), *value = json_str(h, NULL);

		headers->cut = headers->count == count || room == 0;
		if (headers->cut)
			return;
		if (!name || !value)
			continue;
		rows->name = lower(j, name);
		rows->value =
			redact_is_secret_header(rows->name) ? journal_text(j, REDACTED, SIZE_MAX) : journal_masked(j, value, room);
		room -= MIN(room, strlen(name) + strlen(value));
		rows++;
		headers->count++;
	}
}

/* Joins the pieces of the request body (postDataEntries). */
static void copy_pieces(struct journal *j, struct observed_request *sent, const struct json *pieces)
{
	size_t room = 0;
	char *body;

	json_foreach(p, pieces)
		room += json_str(p, "bytes") ? BASE64_DECODED_SIZE(strlen(json_str(p, "bytes"))) : 0;
	if (room == 0 || room > LIMIT_OBSERVED_BODY)
		return;
	body = journal_alloc(j, room + 1);
	json_foreach(p, pieces) {
		const char *bytes = json_str(p, "bytes");
		ptrdiff_t n = bytes ? base64_decode(bytes, strlen(bytes), (uint8_t *)body + sent->body_size) : 0;

		sent->body_size += n > 0 ? (size_t)n : 0;
	}
	sent->body = body;
}

static void mask_body(struct journal *j, struct observed_request *sent)
{
	_cleanup_(str_done) struct str text = {};
	char *copy;

	str_append_len(&text, sent->body, sent->body_size);
	redact(&text);
	copy = journal_alloc(j, text.len + 1);
	memcpy(copy, str_text(&text), text.len);
	memset((char *)sent->body, 0, sent->body_size);
	sent->body = copy;
	sent->body_size = text.len;
}

static void copy_body(struct journal *j, struct observed_request *sent, const struct json *request, bool is_private)
{
	const char *text = json_str(request, "postData");

	if (!is_private)
		copy_pieces(j, sent, json_get(request, "postDataEntries"));
	if (!is_private && !sent->body && text && strlen(text) <= LIMIT_OBSERVED_BODY) {
		sent->body = journal_text(j, text, SIZE_MAX);
		sent->body_size = strlen(text);
	}
	if (sent->body && redact_active())
		mask_body(j, sent);
	sent->has_body = sent->body || text || json_bool(request, "hasPostData", false);
}

static void copy_timing(struct observed_timing *timing, const struct json *from)
{
#define PHASE(member, name) timing->member = (float)json_num(from, name, -1)
	timing->request_time = json_num(from, "requestTime", 0);
	PHASE(dns_start, "dnsStart");
	PHASE(dns_end, "dnsEnd");
	PHASE(connect_start, "connectStart");
	PHASE(connect_end, "connectEnd");
	PHASE(ssl_start, "sslStart");
	PHASE(ssl_end, "sslEnd");
	PHASE(send_start, "sendStart");
	PHASE(send_end, "sendEnd");
	PHASE(headers_end, "receiveHeadersEnd");
#undef PHASE
}

/* CDP reports IPv6 addresses with their brackets. */
static const char *remote_address(struct journal *j, const struct json *response)
{
	const char *ip = json_str(response, "remoteIPAddress");
	char text[128];

	if (!ip || !*ip)
		return NULL;
	snprintf(text, sizeof(text), "%.64s:%lld", ip, (long long)json_int(response, "remotePort", 0));
	return journal_text(j, text, SIZE_MAX);
}

static int status_of(const struct json *response)
{
	int64_t status = json_int(response, "status", 0);

	return status > 0 && status < 1000 ? (int)status : 0;
}

static void fill_response(struct journal *j, struct observed *e, const struct json *response)
{
	e->url = journal_masked(j, json_str(response, "url"), LIMIT_OBSERVED_URL);
	e->response.status = status_of(response);
	e->response.status_text = word(j, response, "statusText");
	e->response.mime_type = word(j, response, "mimeType");
	e->response.protocol = word(j, response, "protocol");
	e->response.remote_address = remote_address(j, response);
	e->response.from_disk_cache = json_bool(response, "fromDiskCache", false);
	e->response.from_service_worker = json_bool(response, "fromServiceWorker", false);
	copy_headers(j, &e->response.headers, json_get(response, "headers"));
	copy_timing(&e->response.timing, json_get(response, "timing"));
}

/* Adds an event of `request`, which is NULL if it was dropped or began before the page was observed. */
static struct observed *normalise_network_add_event(struct journal *j, enum observed_kind kind, const char *session,
						    const struct json *params, const struct observed *request)
{
	struct observed *e = journal_add(j, kind, session);

	e->time = json_num(params, "timestamp", 0);
	e->request_id = word(j, params, "requestId");
	e->request = request ? request->seq : OBSERVED_NONE;
	journal_follow(j, e, request);
	return e;
}

static struct observed *find_request(struct journal *j, const struct json *params)
{
	struct observed *e = journal_find(j, json_str(params, "requestId"));

	return e && e->kind == OBSERVED_REQUEST ? e : NULL;
}

static bool normalise_network_is_open(const struct observed *request)
{
	return request && request->sent.end == OBSERVED_NONE;
}

static void normalise_network_end_request(struct observed *request, const struct observed *by)
{
	request->sent.end = by->seq;
	request->sent.end_time = by->time;
}

/* Adds the response of the previous hop. */
static void add_redirect(struct journal *j, const char *session, const struct json *params, struct observed *request)
{
	struct observed *e;

	e = normalise_network_add_event(j, OBSERVED_RESPONSE, session, params, request);
	fill_response(j, e, json_get(params, "redirectResponse"));
	e->response.redirect = true;
	if (request) {
		request->sent.response = e->seq;
		normalise_network_end_request(request, e);
	}
	journal_done(j, e);
}

/* Agents see the page's requests, not those that the browser adds (preflights, favicons). */
static bool normalise_network_is_listed(const struct observed *e)
{
	return strcmp(e->sent.initiator, "preflight") != 0 && !ends_with(e->url, "/favicon.ico");
}

/* `before`: the hop that was redirected here, NULL: none. */
static void normalise_network_add_request(struct journal *j, const char *session, const struct json *params,
					  const struct observed *before)
{
	const struct json *request = json_get(params, "request");
	struct observed *e;

	e = normalise_network_add_event(j, OBSERVED_REQUEST, session, params, NULL);
	journal_follow(j, e, before);
	e->url = journal_masked(j, json_text(request, "url"), LIMIT_OBSERVED_URL);
	e->sent.method = word(j, request, "method");
	e->sent.type = lower(j, json_str(params, "type"));
	e->sent.resource = resource_kind_find(e->sent.type);
	e->sent.document = strcmp(e->request_id, json_text(params, "loaderId")) == 0 ? e->request_id : NULL;
	e->sent.initiator = word(j, params, "initiator.type");
	e->sent.wall_time = json_num(params, "wallTime", 0);
	copy_headers(j, &e->sent.headers, json_get(request, "headers"));
	copy_body(j, &e->sent, request, e->is_private);
	e->sent.number = normalise_network_is_listed(e) ? journal_number(j) : 0;
	journal_index(j, e);
	journal_done(j, e);
}

void normalise_request(struct journal *j, const char *session, const struct json *params)
{
	struct observed *before = find_request(j, params);

	if (starts_with(json_str(params, "request.url"), "data:"))
		return;
	if (json_get(params, "redirectResponse"))
		add_redirect(j, session, params, before);
	else if (normalise_network_is_open(before)) /* two CDP sessions report the same request */
		return;
	normalise_network_add_request(j, session, params, json_get(params, "redirectResponse") ? before : NULL);
}

void normalise_response(struct journal *j, const char *session, const struct json *params)
{
	struct observed *request = find_request(j, params), *e;

	if (starts_with(json_str(params, "response.url"), "data:"))
		return;
	e = normalise_network_add_event(j, OBSERVED_RESPONSE, session, params, request);
	fill_response(j, e, json_get(params, "response"));
	if (request)
		request->sent.response = e->seq;
	journal_done(j, e);
}

void normalise_finished(struct journal *j, const char *session, const struct json *params)
{
	struct observed *request = find_request(j, params), *e;

	if (!normalise_network_is_open(request))
		return;
	e = normalise_network_add_event(j, OBSERVED_FINISHED, session, params, request);
	e->encoded_bytes = json_num(params, "encodedDataLength", 0);
	normalise_network_end_request(request, e);
	journal_done(j, e);
}

void normalise_failed(struct journal *j, const char *session, const struct json *params)
{
	struct observed *request = find_request(j, params), *e;

	if (!normalise_network_is_open(request))
		return;
	e = normalise_network_add_event(j, OBSERVED_FAILED, session, params, request);
	e->failure.error = word(j, params, "errorText");
	e->failure.blocked = journal_text(j, json_str(params, "blockedReason"), LIMIT_OBSERVED_WORD);
	e->failure.canceled = json_bool(params, "canceled", false);
	e->failure.aborted = strcmp(e->failure.error, "net::ERR_ABORTED") == 0;
	normalise_network_end_request(request, e);
	journal_done(j, e);
}

void normalise_cached(struct journal *j, const char *session, const struct json *params)
{
	struct observed *request = find_request(j, params);

	if (request)
		request->sent.from_memory_cache = true;
}
