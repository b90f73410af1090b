#include "engine/cdp/network.h"

#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/http_status.h"
#include "engine/cdp/cdp.h"
#include "loop/task.h"

/* ---- requests on their way ---- */

void engine_intercept(struct task *t, struct engine_target *s, struct engine_call *call, const char *url, unsigned what)
{
	_cleanup_(str_done) struct str responses = {};

	if (!url)
		url = "*";
	if (what & INTERCEPT_RESPONSES)
		str_json(&responses, ", {urlPattern: ?, requestStage: 'Response'}", url);
	if (what)
		cdp_send_or_post(t, s, call, "Fetch.enable", "{patterns: [{urlPattern: ??}?], handleAuthRequests: ?}", url,
				 JSON_RAW(what & INTERCEPT_REQUESTS ? "" : ", \"resourceType\": \"Document\""),
				 JSON_RAW(str_text(&responses)), (bool)(what & INTERCEPT_CHALLENGES));
	else
		cdp_send_or_post(t, s, call, "Fetch.disable", "{}");
}

static char *copy(const struct json *params, const char *path)
{
	return must(strdup(json_text(params, path)));
}

static char *copy_if_given(const struct json *params, const char *path)
{
	const char *text = json_str(params, path);

	return text ? must(strdup(text)) : NULL;
}

static void network_read_response(const struct json *params, struct intercepted_request *ret)
{
	ret->response.status = (int)json_int(params, "responseStatusCode", 0);
	ret->response.failed = json_str(params, "responseErrorReason");
	ret->has_response = json_get(params, "responseStatusCode") || ret->response.failed;
	if (!ret->has_response)
		return;
	ret->response.status_text = copy(params, "responseStatusText");
	json_foreach(field, json_get(params, "responseHeaders"))
		header_list_add(&ret->response.headers, json_text(field, "name"), json_text(field, "value"));
}

bool cdp_read_request(const struct json *params, struct intercepted_request *ret)
{
	*ret = (struct intercepted_request){ .id = copy_if_given(params, "requestId"),
					     .url = copy_if_given(params, "request.url") };
	if (!ret->id || !ret->url)
		return false;
	ret->network_id = copy(params, "networkId");
	ret->redirected_from = copy_if_given(params, "redirectedRequestId");
	ret->frame_id = copy(params, "frameId");
	ret->method = copy(params, "request.method");
	ret->type = copy(params, "resourceType");
	ascii_lower(ret->type);
	ret->kind = resource_kind_find(ret->type);
	ret->post_data = copy_if_given(params, "request.postData");
	header_list_add_members(&ret->headers, json_get(params, "request.headers"));
	network_read_response(params, ret);
	return true;
}

bool cdp_read_challenge(const struct json *params, struct challenge *ret)
{
	*ret = (struct challenge){
		.id = json_str(params, "requestId"),
		.origin = json_text(params, "authChallenge.origin"),
		.is_proxy = strcmp(json_text(params, "authChallenge.source"), "Proxy") == 0,
	};
	return ret->id;
}

/* ---- their answers ---- */

/*
 * The browser refuses the whole answer, and the request would wait for ever, if it is to set a field that it decides itself. Those
 * are left out.
 */
static bool may_be_set(const struct header_field *f)
{
	static const char *const own[] = { "Content-Length", "Cookie2", "Host",    "Keep-Alive",        "Set-Cookie",
					   "Set-Cookie2",    "TE",      "Trailer", "Transfer-Encoding", "Upgrade" };

	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (strcasecmp(f->name, own[i]) == 0)
			return false;
	return is_field_name(f->name) && strncasecmp(f->name, "Proxy-", 6) != 0 && !f->value[strcspn(f->value, "\r\n")];
}

static void append_field(struct str *list, const struct header_field *f)
{
	str_json(list, "?{name: ?, value: ?}", JSON_COMMA(list->len), f->name, f->value);
}

void engine_continue(struct engine_target *s, const char *request, const struct sent_request *c)
{
	_cleanup_(str_done) struct str changes = {}, fields = {};

	if (c && c->url)
		str_json(&changes, ", url: ?", c->url);
	if (c && c->method)
		str_json(&changes, ", method: ?", c->method);
	if (c && c->body)
		str_json(&changes, ", postData: ?", c->body);
	if (c && c->headers) {
		for (size_t i = 0; i < c->headers->count; i++)
			if (may_be_set(&c->headers->items[i]))
				append_field(&fields, &c->headers->items[i]);
		str_json(&changes, ", headers: [?]", JSON_RAW(str_text(&fields)));
	}
	cdp_post(s, "Fetch.continueRequest", "{requestId: ??}", request, JSON_RAW(str_text(&changes)));
}

int engine_fulfil(struct engine_target *s, const char *request, const struct fulfilment *f, struct engine_call *call,
		  void (*replied)(struct engine_call *call, void *data), void *data)
{
	_cleanup_(str_done) struct str fields = {};

	header_list_print(&fields, f->headers ? f->headers : &(const struct header_list){});
	return cdp_answer(s, call, replied, data, "Fetch.fulfillRequest",
			  "{requestId: ?, responseCode: ?, responsePhrase: ?, responseHeaders: ?, body: ?}", request, f->status,
			  http_status_phrase(f->status), JSON_RAW(fields.data), f->body ? f->body : "");
}

void engine_fail(struct engine_target *s, const char *request, enum abort_reason reason)
{
	static const char *const words[ABORT_REASONS] = {
		[ABORT_FAILED] = "Failed",
		[ABORT_ABORTED] = "Aborted",
		[ABORT_ACCESS_DENIED] = "AccessDenied",
		[ABORT_ADDRESS_UNREACHABLE] = "AddressUnreachable",
		[ABORT_BLOCKED_BY_CLIENT] = "BlockedByClient",
		[ABORT_BLOCKED_BY_RESPONSE] = "BlockedByResponse",
		[ABORT_CONNECTION_ABORTED] = "ConnectionAborted",
		[ABORT_CONNECTION_CLOSED] = "ConnectionClosed",
		[ABORT_CONNECTION_FAILED] = "ConnectionFailed",
		[ABORT_CONNECTION_REFUSED] = "ConnectionRefused",
		[ABORT_CONNECTION_RESET] = "ConnectionReset",
		[ABORT_INTERNET_DISCONNECTED] = "InternetDisconnected",
		[ABORT_NAME_NOT_RESOLVED] = "NameNotResolved",
		[ABORT_TIMED_OUT] = "TimedOut",
	};

	cdp_post(s, "Fetch.failRequest", "{requestId: ?, errorReason: ?}", request, words[reason]);
}

void engine_answer_challenge(struct engine_target *s, const char *challenge, const char *name, const char *password)
{
	if (name)
		cdp_post(s, "Fetch.continueWithAuth",
			 "{requestId: ?, authChallengeResponse: {response: 'ProvideCredentials', username: ?, password: ?}}",
			 challenge, name, password);
	else
		cdp_post(s, "Fetch.continueWithAuth", "{requestId: ?, authChallengeResponse: {response: 'CancelAuth'}}", challenge);
}

int engine_waiting_body(struct task *t, _borrowed_ struct engine_target *s, const char *request, const char **ret)
{
	_cleanup_(json_freep) struct json *reply = NULL;
	_cleanup_(str_done) struct str encoded = {};
	const char *body;
	int r = cdp_call(t, s, &reply, "Fetch.getResponseBody", "{requestId: ?}", request);

	if (r < 0)
		return r;
	body = json_text(reply, "result.body");
	if (!json_bool(reply, "result.base64Encoded", false)) {
		base64_encode(&encoded, (const uint8_t *)body, strlen(body));
		body = str_text(&encoded);
	}
	*ret = arena_strdup(task_arena(t), body);
	return 0;
}

/* ---- bodies of requests that have ended ---- */

int engine_body(struct task *t, _borrowed_ struct engine_target *s, enum body_of of, const char *network_id,
		struct fetched_body *ret)
{
	struct json *reply = NULL;
	bool is_response = of == BODY_OF_RESPONSE;
	int r = cdp_call(t, s, &reply, is_response ? "Network.getResponseBody" : "Network.getRequestPostData", "{requestId: ?}",
			 network_id);

	if (r < 0)
		return r;
	*ret = (struct fetched_body){
		.text = json_text(reply, is_response ? "result.body" : "result.postData"),
		.is_base64 = json_bool(reply, "result.base64Encoded", false),
		.reply = reply,
	};
	return 0;
}

int engine_ask_body(struct engine_target *s, const char *network_id, struct engine_call *call,
		    void (*replied)(struct engine_call *call, void *data), void *data)
{
	return cdp_request(s, call, replied, data, "Network.getResponseBody", "{requestId: ?}", network_id);
}

struct fetched_body engine_body_of(const struct engine_call *call)
{
	const struct json *result = cdp_call_result(call);

	return (struct fetched_body){ .text = json_text(result, "body"), .is_base64 = json_bool(result, "base64Encoded", false) };
}

/* ---- how a target uses the network ---- */

void engine_set_offline(struct task *t, struct engine_target *s, struct engine_call *call, bool offline)
{
	cdp_send_or_post(t, s, call, "Network.emulateNetworkConditions",
			 "{offline: ?, latency: 0, downloadThroughput: -1, uploadThroughput: -1}", offline);
}

void engine_set_cache(struct task *t, struct engine_target *s, struct engine_call *call, bool on)
{
	cdp_send_or_post(t, s, call, "Network.setCacheDisabled", "{cacheDisabled: ?}", (bool)!on);
}

void engine_bypass_workers(struct engine_target *s, bool on)
{
	cdp_post(s, "Network.setBypassServiceWorker", "{bypass: ?}", on);
}

void engine_ignore_certificates(struct engine_target *s, bool on)
{
	cdp_post(s, "Security.setIgnoreCertificateErrors", "{ignore: ?}", on);
}
