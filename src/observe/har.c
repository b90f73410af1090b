#include "observe/har.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "observe/lines.h"

#define PAGE_ID "page_1"

#define LAST_SECOND 253402300799. /* of the year 9999 */

/*
 * `unix_time` is in seconds. It comes from the browser unchecked, so it is clamped to what clock_print() can format.
 */
static void append_time(struct str *out, const char *name, double unix_time)
{
	double at = fmin(fmax(unix_time, 0), LAST_SECOND);
	char text[CLOCK_TEXT_SIZE];

	clock_print((int64_t)at * 1000 + (int64_t)((at - floor(at)) * 1000), text);
	str_appendf(out, "\"%s\":\"%s\"", name, text);
}

static double rounded(double msec)
{
	return round(msec * 1000) / 1000;
}

static const char *header_of(const struct observed_headers *headers, const char *name)
{
	for (size_t i = 0; i < headers->count; i++)
		if (strcmp(headers->rows[i].name, name) == 0)
			return headers->rows[i].value;
	return NULL;
}

/* The values of repeated headers are joined by '\n'; each becomes an entry of its own. */
static void har_append_headers(struct str *out, const struct observed_headers *headers)
{
	const char *gap = "";

	str_append(out, "\"headers\":[");
	for (size_t i = 0; i < headers->count; i++) {
		const char *value = headers->rows[i].value;

		for (size_t len = strcspn(value, "\n");; len = strcspn(value, "\n")) {
			str_json(out, "?{name: ?, value: ?}", JSON_RAW(gap), headers->rows[i].name, JSON_TEXT(value, len));
			gap = ",";
			if (!value[len])
				break;
			value += len + 1;
		}
	}
	str_append_char(out, ']');
}

/* Names and values are copied from the URL without decoding. */
static void append_query(struct str *out, const char *url)
{
	const char *at = strchr(url, '?'), *end = url + strcspn(url, "#"), *gap = "";

	str_append(out, "\"queryString\":[");
	for (at = at && at < end ? at + 1 : end; at < end;) {
		size_t len = strcspn(at, "&#"), name = strcspn(at, "=&#");

		str_json(out, "?{name: ?, value: ?}", JSON_RAW(gap), JSON_TEXT(at, name),
			 JSON_TEXT(at + name + 1, name < len ? len - name - 1 : 0));
		gap = ",";
		at += len + (at[len] == '&');
	}
	str_append_char(out, ']');
}

static void append_post_data(struct str *out, const struct observed_request *sent)
{
	const char *type = header_of(&sent->headers, "content-type");

	if (!sent->body)
		return;
	str_json(out, ", postData: {mimeType: ?, params: [], text: ", type ? type : "");
	str_append_quoted(out, sent->body, sent->body_size);
	str_append_char(out, '}');
}

static void har_append_request(struct str *out, const struct observed *e, const struct observed *response, bool minimal)
{
	str_json(out, "request: {method: ?, url: ?, httpVersion: ?, cookies: [],", e->sent.method, e->url,
		 response ? response->response.protocol : "");
	har_append_headers(out, &e->sent.headers);
	str_append_char(out, ',');
	append_query(out, e->url);
	append_post_data(out, &e->sent);
	str_json(out, ", headersSize: -1, bodySize: ?}",
		 minimal          ? -1ll :
		 e->sent.body     ? (long long)e->sent.body_size :
		 e->sent.has_body ? -1ll :
				    0ll);
}

static const struct har_body *body_of(const struct har_body *bodies, size_t count, uint64_t seq)
{
	for (size_t i = 0; i < count; i++)
		if (bodies[i].seq == seq)
			return &bodies[i];
	return NULL;
}

static long long content_size(const struct observed *response, const struct observed *end)
{
	const char *length = response ? header_of(&response->response.headers, "content-length") : NULL;

	if (length)
		return MAX(0ll, atoll(length));
	return end && end->kind == OBSERVED_FINISHED && end->encoded_bytes > 0 ? (long long)fmin(end->encoded_bytes, 1e15) : 0;
}

static void har_append_response(struct str *out, const struct observed *response, const struct observed *end,
				const struct har_entry *entry)
{
	static const struct observed none = { .response = { .status_text = "", .mime_type = "", .protocol = "" } };
	const struct har_body *body = entry->body;
	const struct observed_response *r = response ? &response->response : &none.response;
	const char *location = header_of(&r->headers, "location");

	str_json(out, "response: {status: ?, statusText: ?, httpVersion: ?, cookies: [],", r->status, r->status_text, r->protocol);
	har_append_headers(out, &r->headers);
	str_json(out, ", content: {size: ?, mimeType: ?",
		 entry->minimal     ? -1ll :
		 body && body->size ? (long long)body->size :
				      content_size(response, end),
		 *r->mime_type ? r->mime_type : "x-unknown");
	if (body && body->file)
		str_json(out, ", _file: ?", body->file);
	else if (body)
		str_json(out, ", text: ? ?", body->text, JSON_RAW(body->encoded ? ",\"encoding\":\"base64\"" : ""));
	str_json(out, "}, redirectURL: ?, headersSize: -1, bodySize: -1", location ? location : "");
	if (end && end->kind == OBSERVED_FAILED)
		str_json(out, ", _error: ?", end->failure.error);
	if (end && end->kind == OBSERVED_FINISHED && !entry->minimal)
		str_json(out, ", _transferSize: ?", fmax(end->encoded_bytes, 0));
	str_append_char(out, '}');
}

struct phases {
	double blocked, dns, connect, ssl, send, wait, receive; /* milliseconds, -1: did not happen */
};

static double first_of(double a, double b, double c)
{
	return a >= 0 ? a : b >= 0 ? b : fmax(c, 0);
}

static double phase(double start, double end)
{
	return start >= 0 && end >= start ? rounded(end - start) : -1;
}

/* Without timing from the browser, the whole duration counts as waiting. */
static struct phases phases_of(const struct observed *e, const struct observed *response)
{
	const struct observed_timing *t = response ? &response->response.timing : NULL;
	double until = e->sent.end != OBSERVED_NONE ? e->sent.end_time : response ? response->time : e->time;
	double total = fmax(0, rounded((until - e->time) * 1000));

	if (!t || t->request_time <= 0)
		return (struct phases){ -1, -1, -1, -1, 0, total, 0 };
	return (struct phases){
		.blocked = fmax(0, rounded((t->request_time - e->time) * 1000 +
					   first_of(t->dns_start, t->connect_start, t->send_start))),
		.dns = phase(t->dns_start, t->dns_end),
		.connect = phase(t->connect_start, t->connect_end),
		.ssl = phase(t->ssl_start, t->ssl_end),
		.send = fmax(0, phase(t->send_start, t->send_end)),
		.wait = fmax(0, phase(t->send_end, t->headers_end)),
		.receive = fmax(0, rounded((until - t->request_time) * 1000 - t->headers_end)),
	};
}

/* HAR defines the entry's time as the sum of its phases, of which ssl is a part of connect. */
static double sum_of(const struct phases *p)
{
	return rounded(fmax(p->blocked, 0) + fmax(p->dns, 0) + fmax(p->connect, 0) + p->send + p->wait + p->receive);
}

void har_append_entry(struct str *out, const struct journal *j, const struct observed *e, const struct har_entry *entry)
{
	const struct observed *response = request_response(j, e), *end = journal_at(j, e->sent.end);
	struct phases p = phases_of(e, response);

	str_append_char(out, '{');
	append_time(out, "startedDateTime", e->sent.wall_time);
	if (!entry->minimal)
		str_json(out, ", pageref: ?", entry->page);
	str_json(out, ", time: ?,", sum_of(&p));
	har_append_request(out, e, response, entry->minimal);
	str_append_char(out, ',');
	har_append_response(out, response, end, entry);
	if (entry->minimal)
		p = (struct phases){ -1, -1, -1, -1, -1, -1, sum_of(&p) };
	str_json(out, ", cache: {}, timings: {blocked: ?, dns: ?, connect: ?, ssl: ?, send: ?, wait: ?, receive: ?}", p.blocked,
		 p.dns, p.connect, p.ssl, p.send, p.wait, p.receive);
	if (response && response->response.remote_address && !entry->minimal)
		str_json(out, ", serverIPAddress: ?",
			 JSON_TEXT(response->response.remote_address,
				   strrchr(response->response.remote_address, ':') - response->response.remote_address));
	str_json(out, ", _resourceType: ?", e->sent.type);
	str_append(out, entry->more ? entry->more : "");
	str_append_char(out, '}');
}

void har_append_head(struct str *out)
{
	str_append(out, "\"version\":\"1.2\",\"creator\":{\"name\":\"browserd\",\"version\":\"" BROWSERD_VERSION "\"}");
}

void har_append_page(struct str *out, const char *id, const char *title, double began)
{
	str_append_char(out, '{');
	append_time(out, "startedDateTime", began);
	str_json(out, ", id: ?, title: ?, pageTimings: {}}", id, title);
}

void har_write(struct str *out, const struct journal *j, const struct journal_excerpt *v, const char *title,
	       const struct har_body *bodies, size_t body_count)
{
	static const struct journal_query requests = { .kinds = OBSERVED_REQUEST };
	uint64_t offset = 0;
	const struct observed *e = journal_excerpt_next(j, v, &requests, &offset);
	const char *gap = "";

	str_append(out, "{\"log\":{");
	har_append_head(out);
	str_append(out, ",\"pages\":[");
	har_append_page(out, PAGE_ID, title, e ? e->sent.wall_time : (double)journal_restarted_at(j) / 1000);
	str_append(out, "],\"entries\":[");
	for (; e; e = journal_excerpt_next(j, v, &requests, &offset)) {
		str_append(out, gap);
		har_append_entry(out, j, e, &(const struct har_entry){ PAGE_ID, body_of(bodies, body_count, e->seq) });
		gap = ",";
	}
	str_append(out, "]}}");
}
