#include "mcp/resources.h"

#include <errno.h>
#include <search.h>
#include <string.h>

#include "base/error.h"
#include "base/limits.h"
#include "loop/failure_words.h"
#include "mcp/call.h"

/* ---- reading ---- */

static int run_read(struct task *t, struct mcp_call *call)
{
	const struct mcp_server *server = call->request.conn->server;

	return server->resources->read(t, server->data, mcp_conn_owner(call->request.conn), json_str(call->arguments, "uri"),
				       &call->result.content);
}

static void answer_read(struct mcp_call *call, struct task *t, int r)
{
	struct request *q = &call->request;
	_cleanup_(str_done) struct str data = {};

	if (r < 0) {
		str_json(&data, "{uri: ?}", json_str(call->arguments, "uri"));
		request_error(q, r == -ENOENT ? q->version->resource_not_found : RPC_INTERNAL_ERROR, data.data, "%s",
			      failure_has_words(t, r) ? failure_words(t, r) : "Resource not found");
		return;
	}
	str_prepend(&call->result.content, "\"contents\":[", strlen("\"contents\":["));
	str_append_char(&call->result.content, ']');
	request_reply_members(q, CACHE_NEVER, &call->result.content);
}

void resources_read(struct request *q)
{
	static const struct call_kind kind = { "resources/read", run_read, answer_read };

	call_begin(q, &kind, NULL, q->message.params);
}

/* ---- subscriptions ---- */

#define UPDATED "notifications/resources/updated"
#define LIST_CHANGED "notifications/resources/list_changed"
#define TOOLS_CHANGED "notifications/tools/list_changed"

struct subscription {
	LIST_ENTRY(subscription) link;
	struct mcp_conn *conn;
	struct request request; /* modern versions: subscriptions/listen; else zeroed */
	TAILQ_HEAD(, interest) interests;
	bool list, tools; /* modern versions: also subscribed to the list of resources, or of tools */
};

/* A subscription to one URI. */
struct interest {
	TAILQ_ENTRY(interest) link;  /* of the subscription */
	LIST_ENTRY(interest) beside; /* of the URI */
	struct subscription *subscription;
	struct followed *followed;
};

/* A URI with subscriptions, so that an update is not compared with the URIs of all others. */
struct followed {
	LIST_HEAD(, interest) interests; /* the newest first */
	char uri[];
};

/* tsearch() tree of their URIs. They are of all connections, because resources do not belong to connections. */
static void *all_followed;

static int compare_uris(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct followed *find_followed(const char *uri)
{
	char *const *found = tfind(uri, &all_followed, compare_uris);

	return found ? CONTAINER_OF(*found, struct followed, uri) : NULL;
}

static struct followed *resources_follow(const char *uri)
{
	struct followed *f = find_followed(uri);

	if (f)
		return f;
	f = must(malloc(sizeof(*f) + strlen(uri) + 1));
	LIST_INIT(&f->interests);
	strcpy(f->uri, uri);
	must(tsearch(f->uri, &all_followed, compare_uris));
	return f;
}

static struct subscription *resources_add(struct mcp_conn *c)
{
	struct subscription *s = NEW(struct subscription);

	s->conn = c;
	TAILQ_INIT(&s->interests);
	LIST_INSERT_HEAD(&c->subscriptions, s, link);
	c->subscription_count++;
	return s;
}

/* A URI that is listed again is not added: it could only be the newest of its list. */
static void add_uri(struct subscription *s, const char *uri)
{
	struct followed *f = resources_follow(uri);
	struct interest *i;

	if (!LIST_EMPTY(&f->interests) && LIST_FIRST(&f->interests)->subscription == s)
		return;
	i = NEW(struct interest);
	i->subscription = s;
	i->followed = f;
	TAILQ_INSERT_TAIL(&s->interests, i, link);
	LIST_INSERT_HEAD(&f->interests, i, beside);
	s->conn->interest_count++;
}

static void drop_interest(struct interest *i)
{
	struct followed *f = i->followed;

	i->subscription->conn->interest_count--;
	TAILQ_REMOVE(&i->subscription->interests, i, link);
	LIST_REMOVE(i, beside);
	free(i);
	if (!LIST_EMPTY(&f->interests))
		return;
	tdelete(f->uri, &all_followed, compare_uris);
	free(f);
}

static void resources_drop(struct subscription *s)
{
	while (!TAILQ_EMPTY(&s->interests))
		drop_interest(TAILQ_FIRST(&s->interests));
	LIST_REMOVE(s, link);
	s->conn->subscription_count--;
	request_done(&s->request);
	free(s);
}

/* Of resources/subscribe, which has one URI. */
static struct subscription *find_uri(struct mcp_conn *c, const char *uri)
{
	const struct followed *f = find_followed(uri);
	struct subscription *s;

	LIST_FOREACH(s, &c->subscriptions, link)
		if (f && !s->request.conn && TAILQ_FIRST(&s->interests)->followed == f)
			return s;
	return NULL;
}

static struct subscription *find_id(struct mcp_conn *c, const struct rpc_token *id)
{
	struct subscription *s;

	LIST_FOREACH(s, &c->subscriptions, link)
		if (s->request.conn && id->key && !strcmp(s->request.message.id.key, id->key))
			return s;
	return NULL;
}

bool subscription_exists(struct mcp_conn *c, const struct rpc_token *id)
{
	return find_id(c, id);
}

void subscription_cancel(struct mcp_conn *c, const struct rpc_token *id)
{
	struct subscription *s = find_id(c, id);

	if (s)
		resources_drop(s);
}

void subscriptions_drop(struct mcp_conn *c)
{
	while (!LIST_EMPTY(&c->subscriptions))
		resources_drop(LIST_FIRST(&c->subscriptions));
}

void subscriptions_end(struct mcp_conn *c)
{
	struct subscription *s;

	LIST_FOREACH(s, &c->subscriptions, link)
		if (s->request.conn)
			request_end_subscription(&s->request);
	subscriptions_drop(c);
}

/* Whether the connection may have one more subscription, with so many URIs. */
static bool resources_has_room(const struct mcp_conn *c, size_t uris)
{
	return c->subscription_count < LIMIT_SUBSCRIPTIONS_COUNT && c->interest_count + uris <= LIMIT_SUBSCRIPTIONS_COUNT;
}

/* The URI of a legacy request; NULL: it is missing, which has been answered. */
static const char *uri_of(struct request *q)
{
	const char *uri = json_str(q->message.params, "uri");

	if (uri && *uri && strlen(uri) <= LIMIT_URI)
		return uri;
	request_error(q, RPC_INVALID_PARAMS, NULL, "Invalid params: \"uri\" must be a string of 1 to %u bytes", LIMIT_URI);
	return NULL;
}

/* Accepts any URI: the resource may be created later, and refusing would reveal which resources exist. */
void resources_subscribe(struct request *q)
{
	const char *uri = uri_of(q);

	if (!uri)
		return;
	if (!resources_has_room(q->conn, 1)) {
		request_error(q, RPC_INTERNAL_ERROR, NULL, "Too many subscriptions: end one with resources/unsubscribe");
		return;
	}
	if (!find_uri(q->conn, uri))
		add_uri(resources_add(q->conn), uri);
	request_reply(q, CACHE_NONE, " ");
}

void resources_unsubscribe(struct request *q)
{
	const char *uri = uri_of(q);
	struct subscription *s = uri ? find_uri(q->conn, uri) : NULL;

	if (s)
		resources_drop(s);
	if (uri)
		request_reply(q, CACHE_NONE, " ");
}

/* Sends the first message of the subscription, which lists what is subscribed to. */
static void acknowledge(struct subscription *s)
{
	_cleanup_(str_done) struct str out = {};
	const struct interest *i;

	str_json(&out,
		 "{jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {_meta: "
		 "{io.modelcontextprotocol/subscriptionId: ?}, notifications: {resourceSubscriptions: [",
		 JSON_RAW(s->request.message.id.raw));
	TAILQ_FOREACH(i, &s->interests, link)
		str_json(&out, "? ?", JSON_COMMA(i != TAILQ_FIRST(&s->interests)), i->followed->uri);
	str_json(&out, "]??}}}", JSON_RAW(s->list ? ",\"resourcesListChanged\":true" : ""),
		 JSON_RAW(s->tools ? ",\"toolsListChanged\":true" : ""));
	request_notify(&s->request, &out);
}

void subscriptions_listen(struct request *q)
{
	const struct json *uris = json_get(q->message.params, "notifications.resourceSubscriptions");
	struct subscription *s;

	if (json_type(json_get(q->message.params, "notifications")) != JSON_OBJECT ||
	    json_count(uris) > LIMIT_SUBSCRIPTIONS_COUNT) {
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: \"notifications\" must be an object, in it at most %u "
			      "\"resourceSubscriptions\"",
			      LIMIT_SUBSCRIPTIONS_COUNT);
		return;
	}
	if (!resources_has_room(q->conn, json_count(uris))) {
		request_error(q, RPC_INTERNAL_ERROR, NULL,
			      "Too many subscriptions: cancel one, all of a connection have at most %u resources",
			      LIMIT_SUBSCRIPTIONS_COUNT);
		return;
	}
	s = resources_add(q->conn);
	json_foreach(uri, q->conn->server->resources ? uris : NULL)
		if (json_str(uri, NULL) && strlen(json_str(uri, NULL)) <= LIMIT_URI)
			add_uri(s, json_str(uri, NULL));
	s->list = q->conn->server->resources && json_bool(q->message.params, "notifications.resourcesListChanged", false);
	s->tools = q->conn->server->own_tools && json_bool(q->message.params, "notifications.toolsListChanged", false);
	s->request = *q;
	*q = (struct request){};
	acknowledge(s);
}

/* `uri`: the parameter of the notification; NULL: it has none. */
static void resources_notify(struct subscription *s, const char *method, const char *uri)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{jsonrpc: '2.0', method: ?, params: {", method);
	if (s->request.conn)
		str_json(&out, "_meta: {io.modelcontextprotocol/subscriptionId: ?}?", JSON_RAW(s->request.message.id.raw),
			 JSON_COMMA(uri));
	if (uri)
		str_json(&out, "uri: ?", uri);
	str_append(&out, "}}");
	if (s->request.conn)
		request_notify(&s->request, &out);
	else
		conn_notify(s->conn, &out);
}

static bool may_hear(const struct subscription *s, const struct mcp_server *server, const char *uri)
{
	const struct mcp_resources *r = server->resources;

	return s->conn->server == server && !s->conn->closing &&
	       (!r->visible || r->visible(server->data, mcp_conn_owner(s->conn), uri));
}

void mcp_resource_updated(const struct mcp_server *server, const char *uri)
{
	const struct followed *f = find_followed(uri);
	const struct interest *i;

	if (!f)
		return;
	LIST_FOREACH(i, &f->interests, beside)
		if (may_hear(i->subscription, server, uri))
			resources_notify(i->subscription, UPDATED, uri);
}

void mcp_resources_changed(const struct mcp_server *server, uint64_t owner)
{
	_cleanup_(str_done) struct str out = {};
	struct subscription *s;
	struct mcp_conn *c;

	str_json(&out, "{jsonrpc: '2.0', method: '" LIST_CHANGED "'}");
	LIST_FOREACH(c, &mcp_conns, link) {
		if (c->server != server || c->owner.number != owner || c->closing)
			continue;
		if (c->version && !c->version->modern)
			conn_notify(c, &out);
		LIST_FOREACH(s, &c->subscriptions, link)
			if (s->list)
				resources_notify(s, LIST_CHANGED, NULL);
	}
}

void mcp_tools_changed(struct mcp_conn *c)
{
	_cleanup_(str_done) struct str out = {};
	struct subscription *s;

	if (c->closing)
		return;
	str_json(&out, "{jsonrpc: '2.0', method: '" TOOLS_CHANGED "'}");
	if (c->version && !c->version->modern)
		conn_notify(c, &out);
	LIST_FOREACH(s, &c->subscriptions, link)
		if (s->tools)
			resources_notify(s, TOOLS_CHANGED, NULL);
}
