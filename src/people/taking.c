#include "people/taking.h"

#include <errno.h>
#include <inttypes.h>

#include "base/error.h"
#include "base/limits.h"
#include "page/modal.h"
#include "people/shown.h"
#include "session/control.h"
#include "session/user_request.h"

#define DIALOG_TIMEOUT (5 * USEC_PER_SEC)
#define WAKE_TIMEOUT (60 * USEC_PER_SEC)

/* ---- what cannot be done at once ---- */

struct deed {
	struct registry *registry;
	struct session_key key;
	struct control_claim claim;
	_kept_ struct page *page; /* a reference; NULL: none */
	bool accept;
	char *text; /* NULL: none */
};

static void deed_on_done(struct task *task, int r, void *data)
{
	struct deed *d = data;

	page_unref(d->page);
	free(d->text);
	free(d);
}

/* Starts the task, which has the deed from then on. */
static const char *deed_start(struct loop *l, const char *name, int (*run)(struct task *task, void *data), struct deed deed)
{
	struct deed *d = NEW(struct deed);
	struct task *task;

	*d = deed;
	if (task_start(l, name, run, deed_on_done, d, &task) == 0)
		return NULL;
	deed_on_done(NULL, 0, d);
	return "busy";
}

/* ---- taking over ---- */

/* The session sleeps, and wakes for the person. */
static int wake_and_take(struct task *task, void *data)
{
	struct deed *d = data;
	struct session *s;
	int r;

	task_set_deadline(task, clock_now() + WAKE_TIMEOUT);
	r = session_enter(task, d->registry, d->key.owner, d->key.session, &s);
	if (r < 0)
		return r;
	session_leave(s);
	return session_take_over(d->registry, d->key.owner, d->key.session, &d->claim);
}

static const char *taking_take(const struct taking *t, const struct session_key *key, const struct json *m)
{
	const struct control_claim claim = { .viewer = t->scope->person, .takes_from = json_bool(m, "from", false) };
	int r = session_take_over(t->registry, key->owner, key->session, &claim);

	if (r == -EAGAIN)
		return deed_start(t->loop, "taking over", wake_and_take,
				  (struct deed){ .registry = t->registry, .key = *key, .claim = claim });
	return r == -EBUSY ? "taken" : r < 0 ? "gone" : NULL;
}

static const char *taking_return(const struct taking *t, const struct session_key *key, const struct json *m)
{
	int r = session_hand_back(t->registry, key->owner, key->session, t->scope->person);

	return r == -EPERM ? "control" : r < 0 ? "gone" : NULL;
}

static const char *taking_answer(const struct taking *t, const struct session_key *key, const struct json *m)
{
	static const struct {
		const char *word;
		enum user_outcome outcome;
	} outcomes[] = { { "done", USER_DONE }, { "answered", USER_ANSWERED }, { "declined", USER_DECLINED } };
	const char *word = json_text(m, "outcome");
	struct user_answer answer = { .outcome = USER_PENDING, .text = json_str(m, "text") };
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++)
		if (!strcmp(word, outcomes[i].word))
			answer.outcome = outcomes[i].outcome;
	if (answer.outcome == USER_PENDING)
		return "malformed";
	r = session_answer_user(t->registry, key->owner, key->session, (unsigned)json_int(m, "number", 0), &answer);
	return r == -EINVAL ? "malformed" : r < 0 ? "gone" : NULL;
}

/* ---- pages ---- */

static struct page *taking_find_page(const struct taking *t, const struct session_key *key, const struct json *m)
{
	const char *id = json_text(m, "tab");
	struct page *p = NULL;

	while ((p = registry_next_page(t->registry, key->owner, key->session, p)))
		if (!strcmp(page_target_id(p), id))
			break;
	return p;
}

static int answer_dialog(struct task *task, void *data)
{
	struct deed *d = data;

	task_set_deadline(task, clock_now() + DIALOG_TIMEOUT);
	return page_answer_dialog(task, d->page, d->accept, d->text);
}

/* A person has no files here: the agent gives them. */
static int cancel_chooser(struct task *task, void *data)
{
	task_set_deadline(task, clock_now() + DIALOG_TIMEOUT);
	return page_choose_files(task, ((struct deed *)data)->page, NULL);
}

static const char *taking_dialog(const struct taking *t, const struct session_key *key, const struct json *m)
{
	struct page *p = taking_find_page(t, key, m);
	const char *text = json_str(m, "text");

	if (p && page_has_chooser(p))
		return deed_start(t->loop, "a file chooser that a person closes", cancel_chooser,
				  (struct deed){ .page = page_ref(p) });
	if (!p || !page_dialog_type(p))
		return "gone";
	return deed_start(t->loop, "answer of a person to a dialog", answer_dialog,
			  (struct deed){ .page = page_ref(p),
					 .accept = json_bool(m, "accept", false),
					 .text = text ? must(strdup(text)) : NULL });
}

static const char *taking_tab(const struct taking *t, const struct session_key *key, const struct json *m)
{
	struct page *p = taking_find_page(t, key, m);

	if (!p || registry_show_page(t->registry, key->owner, key->session, p) < 0)
		return "gone";
	page_post_to_front(p);
	return NULL;
}

/* ---- messages ---- */

static const struct taking_kind {
	const char *type;
	bool needs_control;
	const char *(*take)(const struct taking *t, const struct session_key *key, const struct json *m);
} taking_kinds[] = {
	{ "take", false, taking_take },    { "return", false, taking_return }, { "answer", false, taking_answer },
	{ "dialog", true, taking_dialog }, { "tab", true, taking_tab },
};

static const struct taking_kind *taking_find(const char *type)
{
	for (size_t i = 0; i < ARRAY_SIZE(taking_kinds); i++)
		if (!strcmp(type, taking_kinds[i].type))
			return &taking_kinds[i];
	return NULL;
}

bool taking_knows(const char *type)
{
	return taking_find(type);
}

const char *taking_refusal(const struct taking *t, const struct session_key *key)
{
	struct control_state state;

	if (!scope_may_act(t->scope, key->owner, key->session) ||
	    !session_control_use(t->registry, key->owner, key->session, t->scope->person))
		return "control";
	return session_control(t->registry, key->owner, key->session, &state) && state.agent_acts ? "agent" : NULL;
}

const char *taking_message(const struct taking *t, const char *type, const struct session_key *key, const struct json *message)
{
	const struct taking_kind *kind = taking_find(type);
	const char *why;

	if (!scope_may_act(t->scope, key->owner, key->session))
		return "rights";
	why = kind->needs_control ? taking_refusal(t, key) : NULL;
	return why ? why : kind->take(t, key, message);
}

void taking_presence(const struct taking *t, bool present)
{
	const struct session *s = NULL;
	uint64_t owner;

	while ((s = scope_next(t->scope, t->registry, s, &owner)))
		session_control_presence(t->registry, owner, session_id(s), t->scope->person, present);
}

/* ---- cards ---- */

static void append_control(struct str *out, const struct registry *r, const struct session_key *key)
{
	struct control_state state;

	if (!session_control(r, key->owner, key->session, &state) || !state.taken) {
		str_append(out, ",\"control\":null");
		return;
	}
	str_json(out, ", control: {taken: true, viewer: ?, name: ?, since: ?, agentActs: ?, waiting: ?}", state.viewer, state.name,
		 state.since, state.agent_acts, state.waiting);
}

static void append_question(struct str *out, const struct user_request *q)
{
	_cleanup_(str_done) struct str message = {};

	shown_lines(&message, q->message, LIMIT_USER_MESSAGE);
	str_json(out, "{number: ?, reason: ?, message: ?, since: ?, choices: [", q->number, user_reason_names[q->reason],
		 str_text(&message), q->since);
	for (size_t i = 0; i < q->count; i++)
		str_json(out, "? ?", JSON_COMMA(i), (const char *)q->choices[i]);
	str_append(out, "]}");
}

void taking_append(struct str *out, const struct registry *r, const struct session_key *key)
{
	const struct user_request *q = NULL;
	unsigned n = 0;

	append_control(out, r, key);
	str_append(out, ",\"asks\":[");
	while ((q = session_next_user_request(r, key->owner, key->session, q))) {
		str_append(out, n++ ? "," : "");
		append_question(out, q);
	}
	str_append_char(out, ']');
}

bool taking_concerns(const struct registry *r, const struct session_key *key)
{
	struct control_state state;

	return session_next_user_request(r, key->owner, key->session, NULL) ||
	       (session_control(r, key->owner, key->session, &state) && state.taken);
}
