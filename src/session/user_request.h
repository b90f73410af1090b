/*
 * What an agent asks of a person who looks at its session: to log in, to solve a captcha, to decide something. A request is pending until the
 * person answers it, which includes handing the session back (session/control.h), until the agent withdraws it, or until the session ends.
 *
 * Nothing here suspends but user_request_wait(), and nothing checks rights. Viewers are told of new and ended requests as of changes of control
 * (struct control_watcher).
 */
#pragma once

#include "session/session.h"

enum user_reason { USER_LOGIN, USER_CAPTCHA, USER_DECISION, USER_OTHER };
extern const char *const user_reason_names[]; /* indexed by it, NULL-terminated */

enum user_outcome {
	USER_PENDING,
	USER_HANDED_BACK, /* the person had control, and has ended that */
	USER_DONE,        /* the person says so */
	USER_ANSWERED,    /* with a text, or one of the choices */
	USER_DECLINED,    /* with a text or without */
	USER_GONE,        /* the session has ended */
};

struct user_question {
	const char *message; /* at most LIMIT_USER_MESSAGE bytes */
	enum user_reason reason;
	const char *const *choices; /* answers to choose from */
	size_t count;               /* of these, at most LIMIT_USER_CHOICES_COUNT; 0: any text */
};

/* Ref-counted. All but the outcome and what belongs to it stays as it is. */
struct user_request {
	TAILQ_ENTRY(user_request) link;
	unsigned refs;
	unsigned number; /* unique in this process, never 0 */
	enum user_reason reason;
	char *message;
	char *choices[LIMIT_USER_CHOICES_COUNT];
	size_t count;
	int64_t since;         /* Unix milliseconds */
	bool attended;         /* a call waits for it */
	struct timer *left;    /* when nobody is expected to come back for it */
	struct session *asked; /* NULL once the session knows it no more */
	enum user_outcome outcome;
	char *text; /* of an answer or a refusal; NULL: none */
	char *name; /* of the person, NULL: unknown */
	struct waitq changed;
};

/* ---- for calls ---- */

/*
 * Asks. A request with the same question for which no call waits becomes this one, also if it was answered meanwhile: a client that was asked
 * something on the way calls again. The caller owns a reference to `ret`. -ERR_SESSION_NOT_FOUND, -EAGAIN: LIMIT_USER_REQUESTS_COUNT are pending.
 */
int user_request_begin(struct registry *r, uint64_t owner, const char *id, const struct user_question *question,
		       struct user_request **ret);
/* Suspends until there is an outcome or something else has woken the task. */
int user_request_wait(struct task *t, struct user_request *q);
/* No call waits for it any more, but it stays pending until then (USEC_NEVER: always) for one that comes back. */
void user_request_leave(struct user_request *q, usec_t until);
/* It is not pending any more, if it was: nobody has to answer. */
void user_request_withdraw(struct user_request *q);
struct user_request *user_request_unref(struct user_request *q);
DEFINE_UNREFP(user_request);

/* ---- for viewers ---- */

/* Iterates over the pending requests of a session, the oldest first; NULL: the first, and after the last. Borrowed until one of them ends. */
const struct user_request *session_next_user_request(const struct registry *r, uint64_t owner, const char *id,
						     const struct user_request *after);
struct user_answer {
	enum user_outcome outcome; /* USER_DONE, USER_ANSWERED or USER_DECLINED */
	const char *text;          /* NULL: none; of USER_ANSWERED required, and one of the choices if there are any */
	const char *name;          /* of the person; NULL: unknown */
};
/* -ERR_SESSION_NOT_FOUND; -ENOENT: no such request is pending; -EINVAL: the text is too long (LIMIT_USER_TEXT), missing or no choice. */
int session_answer_user(struct registry *r, uint64_t owner, const char *id, unsigned number, const struct user_answer *answer);
