/* Who is notified of what: resources/subscribe of legacy versions, and subscriptions/listen of modern ones. */
#include <search.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/connection.h"
#include "mcp/resources.h"
#include "mcp/tasks.h"

#define UPDATED "notifications/resources/updated"
#define LIST_CHANGED "notifications/resources/list_changed"
#define TOOLS_CHANGED "notifications/tools/list_changed"
#define TASK_CHANGED "notifications/tasks"

/* What a name of struct followed begins with. */
#define OF_RESOURCE 'r'
#define OF_TASK 't'

struct subscription {
	LIST_ENTRY(subscription) link;
	struct mcp_conn *conn;
	struct request request; /* modern versions: subscriptions/listen; else zeroed */
	TAILQ_HEAD(, interest) interests;
	bool list, tools; /* modern versions: also subscribed to the list of resources, or of tools */
};

/* A subscription to one resource or task. */
struct interest {
	TAILQ_ENTRY(interest) link;  /* of the subscription */
	LIST_ENTRY(interest) beside; /* of the resource or task */
	struct subscription *subscription;
	struct followed *followed;
};

/* A resource or task with subscriptions, so that a change is not compared with all that others follow. */
struct followed {
	LIST_HEAD(, interest) interests; /* the newest first */
	char name[];                     /* OF_..., followed by its URI or id */
};

/* tsearch() tree of their names. They are of all connections, because resources do not belong to connections. */
static void *all_followed;

static int compare_followed(const void *a, const void *b)
{
	return strcmp(a, b);
}

static struct followed *find_followed(char kind, const char *id)
{
	_cleanup_(str_done) struct str name = {};
	char *const *found;

	str_appendf(&name, "%c%s", kind, id);
	found = tfind(name.data, &all_followed, compare_followed);
	return found ? CONTAINER_OF(*found, struct followed, name) : NULL;
}

static struct followed *subscriptions_follow(char kind, const char *id)
{
	struct followed *f = find_followed(kind, id);

	if (f)
		return f;
	f = must(malloc(sizeof(*f) + strlen(id) + 2));
	LIST_INIT(&f->interests);
	f->name[0] = kind;
	strcpy(f->name + 1, id);
	must(tsearch(f->name, &all_followed, compare_followed));
	return f;
}

static struct subscription *subscriptions_add(struct mcp_conn *c)
{
	struct subscription *s = NEW(struct subscription);

	s->conn = c;
	TAILQ_INIT(&s->interests);
	LIST_INSERT_HEAD(&c->subscriptions, s, link);
	c->subscription_count++;
	return s;
}

/* What is listed again is not added: it could only be the newest of its list. */
static void subscriptions_add_interest(struct subscription *s, char kind, const char *id)
{
	struct followed *f = subscriptions_follow(kind, id);
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
	tdelete(f->name, &all_followed, compare_followed);
	free(f);
}

static void subscriptions_drop_one(struct subscription *s)
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
	const struct followed *f = find_followed(OF_RESOURCE, uri);
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
		subscriptions_drop_one(s);
}

void subscriptions_drop(struct mcp_conn *c)
{
	while (!LIST_EMPTY(&c->subscriptions))
		subscriptions_drop_one(LIST_FIRST(&c->subscriptions));
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
static bool subscriptions_has_room(const struct mcp_conn *c, size_t uris)
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
	if (!subscriptions_has_room(q->conn, 1)) {
		request_error(q, RPC_INTERNAL_ERROR, NULL, "Too many subscriptions: end one with resources/unsubscribe");
		return;
	}
	if (!find_uri(q->conn, uri))
		subscriptions_add_interest(subscriptions_add(q->conn), OF_RESOURCE, uri);
	request_reply(q, CACHE_NONE, " ");
}

void resources_unsubscribe(struct request *q)
{
	const char *uri = uri_of(q);
	struct subscription *s = uri ? find_uri(q->conn, uri) : NULL;

	if (s)
		subscriptions_drop_one(s);
	if (uri)
		request_reply(q, CACHE_NONE, " ");
}

/* Appends the URIs, or ids, that the subscription has of a kind, as JSON elements. */
static void append_followed(const struct subscription *s, char kind, struct str *out)
{
	const struct interest *i;

	TAILQ_FOREACH(i, &s->interests, link)
		if (i->followed->name[0] == kind)
			str_json(out, "? ?", JSON_COMMA(out->len), i->followed->name + 1);
}

/* Sends the first message of the subscription, which lists what is subscribed to. */
static void acknowledge(struct subscription *s)
{
	_cleanup_(str_done) struct str out = {}, uris = {}, ids = {};

	append_followed(s, OF_RESOURCE, &uris);
	append_followed(s, OF_TASK, &ids);
	str_json(&out,
		 "{jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: {_meta: "
		 "{io.modelcontextprotocol/subscriptionId: ?}, notifications: {resourceSubscriptions: [?]",
		 JSON_RAW(s->request.message.id.raw), JSON_RAW(str_text(&uris)));
	if (ids.len)
		str_json(&out, ", taskIds: [?]", JSON_RAW(ids.data));
	str_json(&out, "??}}}", JSON_RAW(s->list ? ",\"resourcesListChanged\":true" : ""),
		 JSON_RAW(s->tools ? ",\"toolsListChanged\":true" : ""));
	request_notify(&s->request, &out);
}

/* Whether the request may be subscribed to so much; otherwise it was answered. */
static bool admit_listening(struct request *q, const struct json *uris, const struct json *ids)
{
	size_t count = json_count(uris) + json_count(ids);

	if (json_type(json_get(q->message.params, "notifications")) != JSON_OBJECT || count > LIMIT_SUBSCRIPTIONS_COUNT)
		request_error(q, RPC_INVALID_PARAMS, NULL,
			      "Invalid params: \"notifications\" must be an object, in it at most %u "
			      "\"resourceSubscriptions\" and \"taskIds\"",
			      LIMIT_SUBSCRIPTIONS_COUNT);
	else if (!subscriptions_has_room(q->conn, count))
		request_error(q, RPC_INTERNAL_ERROR, NULL,
			      "Too many subscriptions: cancel one, all of a connection have at most %u resources and tasks",
			      LIMIT_SUBSCRIPTIONS_COUNT);
	else
		return true;
	return false;
}

/* Tasks of others are left out, as those that do not exist are. */
static void listen_to_tasks(struct subscription *s, const struct request *q, const struct json *ids)
{
	json_foreach(id, q->takes_tasks ? ids : NULL) {
		const struct mcp_task *task = mcp_task_find(s->conn->server, mcp_conn_owner(s->conn), json_str(id, NULL));

		if (task && q->rights & task->needed)
			subscriptions_add_interest(s, OF_TASK, task->id);
	}
}

void subscriptions_listen(struct request *q)
{
	const struct json *uris = json_get(q->message.params, "notifications.resourceSubscriptions");
	const struct json *ids = json_get(q->message.params, "notifications.taskIds");
	struct subscription *s;

	if (!admit_listening(q, uris, ids))
		return;
	s = subscriptions_add(q->conn);
	json_foreach(uri, q->conn->server->resources ? uris : NULL)
		if (json_str(uri, NULL) && strlen(json_str(uri, NULL)) <= LIMIT_URI)
			subscriptions_add_interest(s, OF_RESOURCE, json_str(uri, NULL));
	listen_to_tasks(s, q, ids);
	s->list = q->conn->server->resources && json_bool(q->message.params, "notifications.resourcesListChanged", false);
	s->tools = q->conn->server->own_tools && json_bool(q->message.params, "notifications.toolsListChanged", false);
	s->request = *q;
	*q = (struct request){};
	acknowledge(s);
}

/* `members`: of the parameters of the notification, JSON text; NULL: it has none. */
static void subscriptions_notify(struct subscription *s, const char *method, const char *members)
{
	_cleanup_(str_done) struct str out = {};

	str_json(&out, "{jsonrpc: '2.0', method: ?, params: {", method);
	if (s->request.conn)
		str_json(&out, "_meta: {io.modelcontextprotocol/subscriptionId: ?}?", JSON_RAW(s->request.message.id.raw),
			 JSON_COMMA(members));
	if (members)
		str_append(&out, members);
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
	const struct followed *f = find_followed(OF_RESOURCE, uri);
	_cleanup_(str_done) struct str members = {};
	const struct interest *i;

	if (!f)
		return;
	str_json(&members, "uri: ?", uri);
	LIST_FOREACH(i, &f->interests, beside)
		if (may_hear(i->subscription, server, uri))
			subscriptions_notify(i->subscription, UPDATED, members.data);
}

void subscriptions_tell_task(const char *id, const char *members)
{
	const struct followed *f = find_followed(OF_TASK, id);
	const struct interest *i;

	if (!f)
		return;
	LIST_FOREACH(i, &f->interests, beside)
		if (!i->subscription->conn->closing)
			subscriptions_notify(i->subscription, TASK_CHANGED, members);
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
				subscriptions_notify(s, LIST_CHANGED, NULL);
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
			subscriptions_notify(s, TOOLS_CHANGED, NULL);
}
