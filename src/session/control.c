#include "session/control.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/str.h"
#include "observe/clip.h"
#include "session/internal.h"

#define HOUR (3600 * USEC_PER_SEC)

/* ---- calls that wait ---- */

static const char *control_name(const struct session *s)
{
	return s->control.name[0] ? s->control.name : NULL;
}

/* Whether the task has had its turn: it may have done something. */
static bool has_begun(const struct task *t, const struct session *s)
{
	const struct visit *v;

	TAILQ_FOREACH(v, &s->visits, link)
		if (v->task == t && !v->entered)
			return false;
	return true;
}

static int control_refuse(struct task *t, struct gate *g)
{
	const struct session *s = CONTAINER_OF(g, struct session, control.gate);
	const char *outcome = has_begun(t, s) ? "stopped midway: look at the page before you go on" : "has done nothing";
	int64_t seconds = (int64_t)((clock_now() - g->closed_at) / USEC_PER_SEC);

	task_fail_because(t, -ERR_USER_HAS_CONTROL, REASON_USER_HAS_CONTROL, "{session: ?, who: ?, seconds: ?, outcome: ?}", s->id,
			  control_name(s), seconds, outcome);
	task_fail_details(t, "{who: ?, since: ?}", control_name(s), s->control.since);
	return -ERR_USER_HAS_CONTROL;
}

static void close_gate(struct session *s)
{
	_cleanup_(str_done) struct str words = {};

	str_append(&words, "waiting for a person, who has control of the session");
	if (control_name(s))
		str_appendf(&words, " (%s)", s->control.name);
	gate_close(&s->control.gate, words.data);
	waitq_wake(&s->turns); /* those that wait for their turn wait at the gate now */
}

/* ---- its time ---- */

static usec_t after(usec_t from, usec_t limit)
{
	return limit && from != USEC_NEVER ? from + limit : USEC_NEVER;
}

static void set_timer(struct session *s)
{
	const struct control_settings *settings = &s->registry->options->control;
	struct control *c = &s->control;

	timer_set(c->timer, MIN(after(c->used_at, settings->unused), after(c->left_at, settings->absent)));
}

/* A browser that has died has no pages any more. */
static void set_private(struct session *s, bool is_private)
{
	struct context *c = NULL;

	while ((c = session_next_context(s, c)))
		context_set_private(c, is_private);
}

static void control_end(struct session *s)
{
	struct control *c = &s->control;

	set_private(s, false);
	timer_set(c->timer, USEC_NEVER);
	c->viewer = 0;
	c->name[0] = '\0';
	gate_open(&c->gate);
	waitq_wake(&s->turns);
}

static void control_give_back(struct session *s)
{
	control_announce_changes(s);
	control_end(s);
	session_touch(s, clock_unix_msec());
	session_rest_later(s);
	control_tell(s);
}

static void on_control_timer(void *data)
{
	struct session *s = data;

	log_info("session %s: the person who had control is away, and it is handed back", s->id);
	control_give_back(s);
}

void control_init(struct session *s)
{
	usec_t patience = s->registry->options->control.patience;

	gate_init(&s->control.gate, patience ? patience : HOUR, control_refuse);
	s->control.timer = timer_new(s->registry->loop, on_control_timer, s);
}

void control_session_ended(struct session *s)
{
	bool changed = s->control.gate.closed || !TAILQ_EMPTY(&s->user_requests);

	user_requests_done(s);
	if (s->control.gate.closed)
		control_end(s);
	if (changed)
		control_tell(s);
}

/* ---- what viewers do ---- */

static bool control_is_of(const struct session *s, uint64_t viewer)
{
	return s && s->control.gate.closed && s->control.viewer == viewer;
}

static void copy_name(struct control *c, const char *name)
{
	size_t length = clip_fit(name, strlen(name), LIMIT_VIEWER_NAME);

	memcpy(c->name, name, length);
	c->name[length] = '\0';
}

static void control_begin(struct session *s, const struct control_claim *claim)
{
	struct control *c = &s->control;

	c->viewer = claim->viewer;
	copy_name(c, claim->name ? claim->name : "");
	c->since = clock_unix_msec();
	c->used_at = clock_now();
	c->left_at = USEC_NEVER;
	if (!c->gate.closed)
		control_note_pages(s);
	close_gate(s);
	set_private(s, true);
	set_timer(s);
	session_stay_awake(s);
	session_begins_work(s);
	control_tell(s);
}

int session_take_over(struct registry *r, uint64_t owner, const char *id, const struct control_claim *claim)
{
	struct session *s = registry_find(r, owner, id);

	if (!s)
		return -ERR_SESSION_NOT_FOUND;
	if (!s->context || s->sleep || s->restoring)
		return -EAGAIN;
	if (s->control.gate.closed && s->control.viewer != claim->viewer && !claim->takes_from)
		return -EBUSY;
	if (control_is_of(s, claim->viewer))
		session_control_use(r, owner, id, claim->viewer);
	else
		control_begin(s, claim);
	return 0;
}

int session_hand_back(struct registry *r, uint64_t owner, const char *id, uint64_t viewer)
{
	struct session *s = registry_find(r, owner, id);

	if (!s)
		return -ERR_SESSION_NOT_FOUND;
	if (!control_is_of(s, viewer))
		return -EPERM;
	user_requests_hand_back(s, s->control.name);
	control_give_back(s);
	return 0;
}

/* Whether the call that has the turn has not come to a gate: neither it nor operations of its code wait beside those that wait for their turn. */
static bool agent_acts(const struct session *s)
{
	const struct visit *first = TAILQ_FIRST(&s->visits), *v;
	unsigned queued = 0;

	TAILQ_FOREACH(v, &s->visits, link)
		queued += !v->entered;
	return first && first->entered && s->control.gate.waiting <= queued;
}

bool session_control(const struct registry *r, uint64_t owner, const char *id, struct control_state *ret)
{
	const struct session *s = registry_find(r, owner, id);

	if (!s)
		return false;
	*ret = (struct control_state){
		.taken = s->control.gate.closed,
		.viewer = s->control.viewer,
		.name = s->control.name,
		.since = s->control.gate.closed ? s->control.since : 0,
		.agent_acts = agent_acts(s),
		.waiting = s->control.gate.waiting,
	};
	return true;
}

bool session_control_use(struct registry *r, uint64_t owner, const char *id, uint64_t viewer)
{
	struct session *s = registry_find(r, owner, id);

	if (!control_is_of(s, viewer))
		return false;
	s->control.used_at = clock_now();
	s->control.left_at = USEC_NEVER;
	set_timer(s);
	return true;
}

void session_control_presence(struct registry *r, uint64_t owner, const char *id, uint64_t viewer, bool present)
{
	struct session *s = registry_find(r, owner, id);

	if (!control_is_of(s, viewer))
		return;
	s->control.left_at = present ? USEC_NEVER : clock_now();
	set_timer(s);
}

void registry_watch_control(struct registry *r, struct control_watcher *w)
{
	LIST_INSERT_HEAD(&r->control_watchers, w, link);
}

void registry_unwatch_control(struct control_watcher *w)
{
	LIST_REMOVE(w, link);
}
