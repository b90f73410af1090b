#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/log.h"
#include "engine/bidi/internal.h"
#include "engine/connection.h"
#include "loop/ws.h"

/* ---- replies ---- */

/* An id that no command waits for matches none and is ignored. */
static int bidi_id_of(const char *raw, size_t len)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%.*s", (int)MIN(len, sizeof(digits) - 1), raw);
	return (int)strtol(digits, NULL, 10);
}

/* What the next document has answered is not for who meant the one before. */
static void bidi_miss(struct bidi *c, struct bidi_pending *p, struct json *reply)
{
	json_free(reply);
	bidi_complete(c, p, -EREMOTE, NULL);
}

static void bidi_on_reply(struct bidi *c, int id, const char *text, size_t len)
{
	struct bidi_pending *p = bidi_find_pending(c, id);
	struct engine_target *s;
	struct json *reply = NULL;
	int r;

	if (!p)
		return;
	s = p->target;
	if (id >= s->unanswered)
		s->unanswered = 0;
	if (p->call)
		p->call->length = len;
	if (p->call && p->call->charged && s->meter)
		s->meter->moved(s->meter, len);
	r = p->call && p->call->max_reply && len > p->call->max_reply ?
		    -EMSGSIZE :
		    json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &reply);
	if (r == 0 && p->call && bidi_is_navigation(p->call))
		bidi_read_navigation(s, &reply);
	if (r < 0)
		bidi_complete(c, p, r == -EMSGSIZE ? r : -EPROTO, NULL);
	else if (bidi_has_missed(c, p->world, json_str(reply, "result.realm")))
		bidi_miss(c, p, reply);
	else
		bidi_complete(c, p, json_get(reply, "error") ? -EREMOTE : 0, reply);
}

/* ---- events ---- */

static const struct {
	const char *prefix;
	void (*fn)(struct bidi *c, const char *name, const struct json *params);
} module_table[] = {
	{ "browsingContext.userPrompt", bidi_on_prompt_event },
	{ "browsingContext.download", bidi_on_download_event },
	{ "browsingContext.", bidi_on_context_event },
	{ "script.", bidi_on_script_event },
	{ "network.", bidi_on_network_event },
	{ "log.", bidi_on_log_event },
	{ "input.", bidi_on_input_event },
};

#define SUBSCRIPTIONS \
	"['browsingContext.contextCreated', 'browsingContext.contextDestroyed', 'browsingContext.navigationStarted', " \
	"'browsingContext.navigationCommitted', 'browsingContext.navigationFailed', " \
	"'browsingContext.fragmentNavigated', 'browsingContext.historyUpdated', 'browsingContext.domContentLoaded', " \
	"'browsingContext.load', 'browsingContext.downloadWillBegin', 'browsingContext.downloadEnd', " \
	"'browsingContext.userPromptOpened', 'browsingContext.userPromptClosed', 'script.message', 'script.realmCreated', " \
	"'script.realmDestroyed', 'log.entryAdded', 'input.fileDialogOpened', 'network.beforeRequestSent', " \
	"'network.responseStarted', 'network.responseCompleted', 'network.fetchError', 'network.authRequired']"

/* The page that the event is of; NULL: none that somebody is attached to. */
static struct engine_target *page_of_event(struct bidi *c, const struct json *params)
{
	const char *id = json_str(params, "context");
	struct bidi_context *x = bidi_find_context(c, id ? id : json_text(params, "source.context"));

	return x ? bidi_page_of(x) : NULL;
}

static void bidi_deliver(struct bidi *c, const char *method, size_t bytes, const struct json *params)
{
	struct engine_target *s = page_of_event(c, params);
	size_t i = 0;

	if (s && s->meter)
		s->meter->event(s->meter, s, 1 + (double)bytes / LIMIT_PAGE_EVENT_BYTES);
	while (i < ARRAY_SIZE(module_table) && strncmp(method, module_table[i].prefix, strlen(module_table[i].prefix)) != 0)
		i++;
	if (i == ARRAY_SIZE(module_table))
		return;
	c->charged = s ? s->meter : NULL;
	module_table[i].fn(c, strchr(method, '.') + 1, params);
	c->charged = NULL;
}

/* What a page logs comes with its objects in full, so it may be as long as the page likes. */
static bool bidi_is_too_long(const char *text, size_t len)
{
	static const char logged[] = "{\"type\":\"event\",\"method\":\"log.";

	return len > LIMIT_OBSERVED_MESSAGE && memcmp(text, logged, strlen(logged)) == 0;
}

static void bidi_on_event(struct bidi *c, const char *text, size_t len)
{
	_cleanup_(json_freep) struct json *message = NULL;
	int r = bidi_is_too_long(text, len) ? -EMSGSIZE :
					      json_parse(text, len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &message);

	if (r < 0)
		log_warning("dropped an event of the browser that cannot be read: %s", strerror(-r));
	else if (json_str(message, "method"))
		bidi_deliver(c, json_str(message, "method"), len, json_get(message, "params"));
}

/* Firefox writes the type of a message first. */
void bidi_receive(struct bidi *c, const char *text, size_t len)
{
	static const char event[] = "{\"type\":\"event\"";
	size_t id_len = 0;
	const char *id = NULL;

	if (len < strlen(event) || memcmp(text, event, strlen(event)) != 0)
		id = json_raw(text, len, "id", &id_len);
	if (id)
		bidi_on_reply(c, bidi_id_of(id, id_len), text, len);
	else
		bidi_on_event(c, text, len);
}

static void bidi_on_message(char *text, size_t len, void *data)
{
	struct bidi *c = data;

	engine_count_received(len);
	transport_throttle(c->transport, c->waiting == 0);
	bidi_receive(data, text, len);
}

static void bidi_on_oversize(const char *head, size_t head_len, void *data)
{
	struct bidi *c = data;
	struct bidi_pending *p;
	int id;

	log_warning("skipped a message of the browser that exceeds %u bytes: %.100s...", LIMIT_CDP_MESSAGE, head);
	if (sscanf(head, "{\"type\":\"success\",\"id\":%d,", &id) != 1)
		return;
	p = bidi_find_pending(c, id);
	if (!p)
		return;
	if (p->call)
		p->call->length = (size_t)LIMIT_CDP_MESSAGE + 1;
	bidi_complete(c, p, -EMSGSIZE, NULL);
}

/* ---- the session ---- */

static void on_subscribed(struct engine_call *call, void *data)
{
	struct bidi *c = data;
	bool is_refused = call->result < 0;

	engine_call_done(call);
	if (is_refused) {
		c->handler->closed("the browser does not report what it has to (session.subscribe was refused)", c->data);
		return;
	}
	c->is_open = true;
	c->handler->open(c->data);
}

static void on_session(struct engine_call *call, void *data)
{
	struct bidi *c = data;
	bool is_taken = strcmp(bidi_error(call), "session not created") == 0, is_refused = call->result < 0;

	engine_call_done(call);
	if (is_taken && c->handler->taken)
		c->handler->taken(c->data);
	else if (is_refused ||
		 bidi_request(c->root, &c->subscribed, on_subscribed, c, 0, "session.subscribe", "{events: " SUBSCRIPTIONS "}") < 0)
		c->handler->closed("the browser has begun no session (session.new was refused)", c->data);
}

/* Dialogs are left to those who answer them. */
static void bidi_on_open(void *data)
{
	struct bidi *c = data;

	transport_acknowledge(c->transport);
	bidi_request(c->root, &c->first, on_session, c, 0, "session.new",
		     "{capabilities: {alwaysMatch: {acceptInsecureCerts: ?, unhandledPromptBehavior: {default: 'ignore'}}}}",
		     c->ignores_certificates);
}

static void end_calls(struct bidi *c)
{
	struct engine_target *s;

	TAILQ_FOREACH(s, &c->targets, link) {
		bidi_drop_turns(s);
		bidi_forget_front(s, -ENOTCONN);
	}
	TAILQ_FOREACH(s, &c->targets, link)
		bidi_fail_calls(s, 0, -ENOTCONN);
}

void bidi_ignore_certificates(struct bidi *c)
{
	c->ignores_certificates = true;
}

static void bidi_on_closed(const char *reason, void *data)
{
	struct bidi *c = data;

	end_calls(c);
	c->handler->closed(reason, c->data);
}

static const struct transport_handler bidi_transport_handler = {
	.open = bidi_on_open,
	.message = bidi_on_message,
	.oversize = bidi_on_oversize,
	.closed = bidi_on_closed,
};

int bidi_connect(struct loop *l, int fd, const struct request *request, const struct bidi_handler *handler, void *data,
		 struct bidi **ret)
{
	_cleanup_(bidi_freep) struct bidi *c = NEW(struct bidi);
	int r;

	*c = (struct bidi){ .loop = l, .handler = handler, .data = data };
	TAILQ_INIT(&c->targets);
	TAILQ_INIT(&c->idle);
	TAILQ_INIT(&c->pages);
	TAILQ_INIT(&c->to_front);
	TAILQ_INIT(&c->folders);
	TAILQ_INIT(&c->downloads);
	TAILQ_INIT(&c->permissions);
	TAILQ_INIT(&c->shared);
	c->root = bidi_target_add(c, "");
	r = ws_open(l, fd, request, LIMIT_CDP_MESSAGE, &bidi_transport_handler, c, &c->transport);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(c);
	return 0;
}

struct engine_target *bidi_root(struct bidi *c)
{
	return c->root;
}

struct bidi *bidi_free(struct bidi *c)
{
	struct engine_target *s;

	if (!c)
		return NULL;
	engine_call_done(&c->first);
	engine_call_done(&c->subscribed);
	end_calls(c);
	transport_free(c->transport);
	bidi_end_downloads(c);
	bidi_forget_permissions(c, NULL);
	bidi_forget_shared(c, NULL);
	bidi_forget_contexts(c);
	engine_target_free(c->root);
	while ((s = TAILQ_FIRST(&c->targets))) /* the remaining ones are owned by pages */
		bidi_target_remove(s);
	timer_free(c->idle_timer);
	timer_free(c->front_timer);
	free(c);
	return NULL;
}
