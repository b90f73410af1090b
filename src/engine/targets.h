/* The targets of a browser: what it says of them, and who is attached to them. */
#pragma once

#include "engine/engine.h"

struct str;

/* Kinds that are treated in their own ways. TARGET_FRAME: a frame that another process serves than its parent. */
enum target_kind { TARGET_OTHER, TARGET_PAGE, TARGET_FRAME, TARGET_SHARED_WORKER, TARGET_SERVICE_WORKER };

/* The texts are "" where the browser says nothing. They belong to the list or to the event that the target is from. */
struct target_info {
	const char *id;
	enum target_kind kind;
	const char *type;    /* the browser's word for it, to be shown: "page", "iframe", "worker", "service_worker"... */
	const char *subtype; /* of a page that is no tab, such as one that is shown before it is opened */
	const char *title;   /* NULL: the list does not say it, engine_ask_title() */
	const char *url;
	const char *context;      /* id of its browser context */
	const char *opener;       /* id of the page that has opened it */
	const char *parent_frame; /* id of the frame that a frame is in */
	bool reaches_opener;      /* its scripts can use `opener` */
	bool attached;            /* a client is attached to it */
};

/* A target that was attached to. */
struct engine_attachment {
	const char *id; /* valid; that of the engine_target which is made of it */
	struct target_info target;
	bool waits; /* it does not run yet */
};

struct target_list {
	struct target_info *items;
	size_t count;
	struct json **replies; /* which hold the texts */
	size_t reply_count;
};

void target_list_done(struct target_list *l);
/* The target with that id, or NULL. */
const struct target_info *target_list_find(const struct target_list *l, const char *id);

/* Suspends: the targets of the browser `root` (NULL: -ESTALE). `ret` is the caller's, also after a failure. */
int engine_list_targets(struct task *t, _borrowed_ struct engine_target *root, struct target_list *ret);
/* Asks for them; engine_await() for the reply, which engine_take_targets() adds to `ret`. */
void engine_ask_targets(struct task *t, struct engine_target *root, struct engine_call *call);
void engine_take_targets(struct engine_call *call, struct target_list *ret);
/* Asks the page with this id of a list without titles; engine_await() for the reply, which engine_take_title() adds to the list. */
void engine_ask_title(struct task *t, struct engine_target *root, struct engine_call *call, const char *id);
void engine_take_title(struct engine_call *call, struct target_list *list, struct target_info *of);
/* Suspends: the targets, and the id of the browser's own context, "" if it is not known. `ret` is the caller's, also after a failure. */
int engine_own_context(struct task *t, _borrowed_ struct engine_target *root, struct str *ret_id, struct target_list *ret);
/* Suspends: the title of a target, as the browser itself knows it; in the task's arena. `root` NULL: -ESTALE. */
int engine_title(struct task *t, _borrowed_ struct engine_target *root, const char *id, const char **ret);

/*
 * From now on the browser attaches to each target that `s` makes: its frames of other processes and its workers, and for a browser its pages
 * and the workers that pages share. Such a target is reported, and waits until engine_resume() or engine_refuse().
 */
void engine_attach_new(struct engine_target *s);
void engine_resume(struct engine_target *s);
/* Attaches to the target with this id; engine_await() for the reply. */
void engine_attach(struct task *t, struct engine_target *root, struct engine_call *call, const char *id);
/* The id of that attachment, borrowed from the call; NULL: there is none. */
const char *engine_attached(const struct engine_call *call);
void engine_detach(struct engine_target *root, const char *attachment);
/* Ends an attachment, reported by `from`, that gets no engine_target; its target runs. One that is not valid, or has one, is ignored. */
void engine_refuse(struct engine_target *from, const char *attachment);
/* The target of an attachment that gets no engine_target runs, and stays attached to. False: it was refused. */
bool engine_let_run(struct engine_target *root, const char *attachment);
void engine_close_target(struct engine_target *root, const char *id);
/* The page `s` becomes the one that its window shows. Suspends; with `t` NULL it is only sent. */
int engine_bring_to_front(struct task *t, _borrowed_ struct engine_target *s);
/* Suspends until `s` has done what was asked of it before. */
int engine_confirm(struct task *t, _borrowed_ struct engine_target *s);
/* Suspends until the page `s` and its documents have done what was asked of them before. */
int engine_confirm_page(struct task *t, _borrowed_ struct engine_target *s);
