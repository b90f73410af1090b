#include "session/user_request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "observe/clip.h"
#include "session/control.h"
#include "session/internal.h"

const char *const user_reason_names[] = { "login", "captcha", "decision", "other", NULL };

void control_tell(struct session *s)
{
	struct control_watcher *w, *next;

	for (w = s->registry ? LIST_FIRST(&s->registry->control_watchers) : NULL; w; w = next) {
		next = LIST_NEXT(w, link);
		w->changed(w, s->owner, s->id);
	}
}

/* ---- their life ---- */

static char *user_request_copy(const char *text, size_t max)
{
	return must(strndup(text, clip_fit(text, strlen(text), max)));
}

struct user_request *user_request_unref(struct user_request *q)
{
	if (!q || --q->refs)
		return NULL;
	for (size_t i = 0; i < q->count; i++)
		free(q->choices[i]);
	free(q->message);
	free(q->text);
	free(q->name);
	free(q);
	return NULL;
}

/* Gives the session's reference back. */
static void user_request_remove(struct user_request *q)
{
	TAILQ_REMOVE(&q->asked->user_requests, q, link);
	q->asked = NULL;
	q->left = timer_free(q->left);
	user_request_unref(q);
}

/* The answer to one for which no call waits is kept for the call that comes back. */
static void user_request_end(struct user_request *q, enum user_outcome outcome)
{
	q->outcome = outcome;
	waitq_wake(&q->changed);
	if (q->attended || outcome == USER_GONE)
		user_request_remove(q);
}

void user_request_withdraw(struct user_request *q)
{
	struct session *s = q->asked;

	if (!s)
		return;
	user_request_end(q, USER_GONE);
	if (s->registry)
		session_touch(s, clock_unix_msec());
	control_tell(s);
}

static void on_left(void *data)
{
	user_request_withdraw(data);
}

static struct user_request *user_request_new(struct session *s, const struct user_question *question)
{
	static unsigned last;
	struct user_request *q = NEW(struct user_request);

	*q = (struct user_request){ .refs = 1, .number = ++last ? last : ++last, .reason = question->reason };
	q->message = user_request_copy(question->message, LIMIT_USER_MESSAGE);
	for (; q->count < MIN(question->count, LIMIT_USER_CHOICES_COUNT); q->count++)
		q->choices[q->count] = user_request_copy(question->choices[q->count], LIMIT_USER_TEXT);
	q->since = clock_unix_msec();
	waitq_init(&q->changed);
	q->left = timer_new(s->registry->loop, on_left, q);
	q->asked = s;
	TAILQ_INSERT_TAIL(&s->user_requests, q, link);
	return q;
}

static void set_answer(struct user_request *q, const char *text, const char *name)
{
	q->text = text && text[0] ? user_request_copy(text, LIMIT_USER_TEXT) : NULL;
	q->name = name && name[0] ? user_request_copy(name, LIMIT_VIEWER_NAME) : NULL;
}

void user_requests_hand_back(struct session *s, const char *name)
{
	struct user_request *q, *next;

	for (q = TAILQ_FIRST(&s->user_requests); q; q = next) {
		next = TAILQ_NEXT(q, link);
		if (q->outcome != USER_PENDING)
			continue;
		set_answer(q, NULL, name);
		user_request_end(q, USER_HANDED_BACK);
	}
}

void user_requests_done(struct session *s)
{
	struct user_request *q;

	while ((q = TAILQ_FIRST(&s->user_requests)))
		user_request_end(q, USER_GONE);
}

bool user_requests_attended(const struct session *s)
{
	const struct user_request *q;

	TAILQ_FOREACH(q, &s->user_requests, link)
		if (q->attended)
			return true;
	return false;
}

/* ---- for calls ---- */

static bool is_same(const struct user_request *q, const struct user_question *question)
{
	if (q->attended || q->reason != question->reason || q->count != question->count || strcmp(q->message, question->message))
		return false;
	for (size_t i = 0; i < q->count; i++)
		if (strcmp(q->choices[i], question->choices[i]) != 0)
			return false;
	return true;
}

/* Of those for which no call waits, the oldest is dropped when another one needs its place. */
static bool user_request_make_room(struct session *s)
{
	struct user_request *q, *oldest = NULL;
	unsigned n = 0;

	TAILQ_FOREACH(q, &s->user_requests, link) {
		n++;
		oldest = !oldest && !q->attended ? q : oldest;
	}
	if (n < LIMIT_USER_REQUESTS_COUNT)
		return true;
	if (oldest)
		user_request_end(oldest, USER_GONE);
	return oldest;
}

static struct user_request *find_left(const struct session *s, const struct user_question *question)
{
	struct user_request *q;

	TAILQ_FOREACH(q, &s->user_requests, link)
		if (is_same(q, question))
			return q;
	return NULL;
}

int user_request_begin(struct registry *r, uint64_t owner, const char *id, const struct user_question *question,
		       struct user_request **ret)
{
	struct session *s = registry_find(r, owner, id);
	struct user_request *q;

	if (!s)
		return -ERR_SESSION_NOT_FOUND;
	q = find_left(s, question);
	if (!q && !user_request_make_room(s))
		return -EAGAIN;
	if (!q)
		q = user_request_new(s, question);
	timer_set(q->left, USEC_NEVER);
	q->attended = true;
	q->refs++;
	*ret = q;
	if (q->outcome != USER_PENDING)
		user_request_remove(q);
	control_tell(s);
	return 0;
}

int user_request_wait(struct task *t, struct user_request *q)
{
	return waitq_wait(t, &q->changed, "a person");
}

void user_request_leave(struct user_request *q, usec_t until)
{
	q->attended = false;
	if (q->asked)
		timer_set(q->left, until);
}

/* ---- for viewers ---- */

const struct user_request *session_next_user_request(const struct registry *r, uint64_t owner, const char *id,
						     const struct user_request *after)
{
	const struct session *s = registry_find(r, owner, id);

	if (!s)
		return NULL;
	after = after ? TAILQ_NEXT(after, link) : TAILQ_FIRST(&s->user_requests);
	while (after && after->outcome != USER_PENDING)
		after = TAILQ_NEXT(after, link);
	return after;
}

static bool is_choice(const struct user_request *q, const char *text)
{
	for (size_t i = 0; i < q->count; i++)
		if (!strcmp(q->choices[i], text))
			return true;
	return q->count == 0;
}

static bool is_valid(const struct user_request *q, const struct user_answer *answer)
{
	if (answer->text && strlen(answer->text) > LIMIT_USER_TEXT)
		return false;
	if (answer->outcome == USER_ANSWERED)
		return answer->text && is_choice(q, answer->text);
	return answer->outcome == USER_DONE || answer->outcome == USER_DECLINED;
}

int session_answer_user(struct registry *r, uint64_t owner, const char *id, unsigned number, const struct user_answer *answer)
{
	struct session *s = registry_find(r, owner, id);
	struct user_request *q;

	if (!s)
		return -ERR_SESSION_NOT_FOUND;
	TAILQ_FOREACH(q, &s->user_requests, link)
		if (q->number == number && q->outcome == USER_PENDING)
			break;
	if (!q)
		return -ENOENT;
	if (!is_valid(q, answer))
		return -EINVAL;
	set_answer(q, answer->text, answer->name);
	user_request_end(q, answer->outcome);
	session_touch(s, clock_unix_msec());
	control_tell(s);
	return 0;
}
