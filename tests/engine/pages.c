/* Contexts and pages, with their documents and the worlds of these. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/browser.h"
#include "engine/context.h"
#include "engine/navigation.h"
#include "engine/script.h"
#include "engine/targets.h"
#include "memory.h"

/* No two browsers use an id. */
static void name(const char *what, char ret[ENGINE_ID_SIZE])
{
	static unsigned count;

	snprintf(ret, ENGINE_ID_SIZE, "%s%u", what, ++count);
}

void engine_listen(struct engine_target *root, const struct engine_browser_events *e)
{
	root->browser->events = e;
}

static const struct memory_document blank = { "about:blank", "", (struct memory_node[]){ {} } };

/* ---- contexts ---- */

static void create_context(struct memory_message *m)
{
	char id[ENGINE_ID_SIZE];

	name("context", id);
	m->value = memory_value("?", id);
}

void engine_create_context(struct task *t, struct engine_target *root, struct engine_call *call, const char *proxy,
			   bool ignores_certificates)
{
	memory_send(t, root, call, "a context", create_context, "");
}

int engine_created_context(struct task *t, const struct engine_call *call, const char **ret)
{
	*ret = json_str(call->reply, NULL);
	return *ret ? 0 : -ERR_BROWSER_ERROR;
}

void memory_close(struct memory_page *p)
{
	struct launch *b = p->browser;
	struct engine_target *s = p->target;

	TAILQ_REMOVE(&b->pages, p, link);
	if (s)
		s->page = NULL;
	if (s && b->events && b->events->detached)
		b->events->detached(p->attachment, b->events->data);
	free(p);
}

static void dispose_context(struct memory_message *m)
{
	struct memory_page *p, *next;

	for (p = TAILQ_FIRST(&m->target->browser->pages); p; p = next) {
		next = TAILQ_NEXT(p, link);
		if (strcmp(p->context, m->text.data) == 0)
			memory_close(p);
	}
}

void engine_dispose_context(struct engine_target *root, const char *context)
{
	memory_post(root, "end of a context", dispose_context, context);
}

/* ---- pages ---- */

static void open_page(struct memory_message *m)
{
	struct launch *b = m->target->browser;
	struct memory_page *p = NEW(struct memory_page);

	p->browser = b;
	p->shows = &blank;
	engine_id_set(p->context, str_text(&m->text));
	name("page", p->id);
	name("attachment", p->attachment);
	TAILQ_INSERT_TAIL(&b->pages, p, link);
	m->value = memory_value("?", p->id);
	b->events->attached(b->root,
			    &(const struct engine_attachment){
				    .id = p->attachment,
				    .target = { .id = p->id,
						.kind = TARGET_PAGE,
						.type = "page",
						.subtype = "",
						.title = "",
						.url = "about:blank",
						.context = p->context,
						.opener = "",
						.parent_frame = "",
						.attached = true },
				    .waits = true,
			    },
			    b->events->data);
}

int engine_open_page(struct task *t, struct engine_target *root, const char *context, const char **ret)
{
	_cleanup_(json_freep) struct json *value = NULL;
	int r = memory_call(t, root, "a page", open_page, context, &value);

	if (r == 0)
		*ret = arena_strdup(task_arena(t), json_str(value, NULL));
	return r;
}

struct engine_target *engine_target_new(struct engine_target *from, const char *attachment, const struct engine_events *events,
					void *data)
{
	struct engine_target *s = memory_target_new(from->browser, attachment);
	struct memory_page *p;

	s->events = events;
	s->data = data;
	TAILQ_FOREACH(p, &from->browser->pages, link)
		if (strcmp(p->attachment, attachment) == 0) {
			s->page = p;
			p->target = s;
		}
	return s;
}

static void list_pages(struct memory_message *m)
{
	_cleanup_(str_done) struct str list = {};
	const struct memory_page *p;

	TAILQ_FOREACH(p, &m->target->browser->pages, link)
		str_json(&list, "?{id: ?, url: ?, title: ?, context: ?}", JSON_COMMA(list.len), p->id, p->shows->url,
			 p->shows->title, p->context);
	m->value = memory_value("[?]", JSON_RAW(str_text(&list)));
}

void engine_ask_targets(struct task *t, struct engine_target *root, struct engine_call *call)
{
	memory_send(t, root, call, "targets", list_pages, "");
}

void engine_take_targets(struct engine_call *call, struct target_list *ret)
{
	ret->items = must(realloc(ret->items, (ret->count + json_count(call->reply) + 1) * sizeof(*ret->items)));
	ret->replies = must(realloc(ret->replies, (ret->reply_count + 1) * sizeof(*ret->replies)));
	json_foreach(page, call->reply)
		ret->items[ret->count++] = (struct target_info){ .id = json_text(page, "id"),
								 .kind = TARGET_PAGE,
								 .type = "page",
								 .subtype = "",
								 .title = json_text(page, "title"),
								 .url = json_text(page, "url"),
								 .context = json_text(page, "context"),
								 .opener = "",
								 .parent_frame = "",
								 .attached = true };
	ret->replies[ret->reply_count++] = TAKE_PTR(call->reply);
}

static void close_page(struct memory_message *m)
{
	struct memory_page *p;

	TAILQ_FOREACH(p, &m->target->browser->pages, link)
		if (strcmp(p->id, m->text.data) == 0) {
			memory_close(p);
			return;
		}
}

void engine_close_target(struct engine_target *root, const char *id)
{
	memory_post(root, "close", close_page, id);
}

/* ---- documents ---- */

static void report_worlds(const struct memory_page *p)
{
	REPORT(p->target, worlds, cleared, p->target);
	REPORT(p->target, worlds, created, p->target, &(const struct engine_world){ p->world - 1, p->id, "", true });
	REPORT(p->target, worlds, created, p->target, &(const struct engine_world){ p->world, p->id, p->world_name, false });
}

/* All that a browser reports of a document until its network is idle. */
static void show(struct memory_page *p, const struct memory_document *d)
{
	static const enum load_state states[] = { LOAD_COMMIT, LOAD_DOMCONTENTLOADED, LOAD_LOAD, LOAD_NETWORKIDLE };
	const struct engine_document shown = {
		.frame = p->id, .id = p->document, .url = d->url, .fragment = "", .name = "", .failed = ""
	};

	name("document", p->document);
	p->shows = d;
	p->world += 2;
	p->awaits_press = false;
	REPORT(p->target, navigations, started, p->target, p->id, p->document, false);
	REPORT(p->target, frames, navigated, p->target, &shown);
	report_worlds(p);
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		REPORT(p->target, frames, loaded, p->target, p->id, p->document, states[i]);
	REPORT(p->target, navigations, stopped, p->target, p->id);
}

static const struct memory_document *find_document(const char *url)
{
	for (struct memory_document *const *d = memory.documents; d && *d; d++)
		if (strcmp((*d)->url, url) == 0)
			return *d;
	return strcmp(url, blank.url) == 0 ? &blank : NULL;
}

void memory_navigate(struct memory_page *p, const char *url)
{
	show(p, find_document(url));
}

static void start(struct memory_message *m)
{
	show(m->target->page, &blank);
}

void engine_add_init_script(struct engine_target *s, const char *source, const char *world)
{
	if (world)
		engine_id_set(s->page->world_name, world);
}

void engine_resume(struct engine_target *s)
{
	memory_post(s, "start", start, "");
}

static void navigate(struct memory_message *m)
{
	struct memory_page *p = m->target->page;
	const struct memory_document *d = find_document(m->text.data);

	if (d)
		show(p, d);
	m->value = d ? memory_value("{document: ?}", p->document) : memory_value("{error: 'net::ERR_NAME_NOT_RESOLVED'}");
}

void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url)
{
	memory_send(t, s, call, "navigation", navigate, url);
}

struct engine_navigated engine_navigated(const struct engine_call *call)
{
	return (struct engine_navigated){ .document = json_str(call->reply, "document"), .error = json_str(call->reply, "error") };
}

int engine_confirm_navigations(struct task *t, struct engine_target *s)
{
	return memory_call(t, s, "navigations", NULL, "", NULL);
}

int engine_confirm_page(struct task *t, struct engine_target *s)
{
	return memory_call(t, s, "what was asked for", NULL, "", NULL);
}

int engine_title(struct task *t, struct engine_target *root, const char *id, const char **ret)
{
	*ret = "Shown in memory";
	return 0;
}
