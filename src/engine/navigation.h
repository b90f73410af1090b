/* Documents that a target is made to open, and the history of those that it has shown. */
#pragma once

#include "base/json.h"
#include "engine/engine.h"

/* From now on the target reports its frames, their documents, and how far these have come. Sent only. */
void engine_report_documents(struct engine_target *s);

/*
 * Has `s` open an address. `call`: to await the reply, which comes when the document has committed or there will be none; NULL: the reply is
 * dropped.
 */
void engine_navigate(struct task *t, struct engine_target *s, struct engine_call *call, const char *url);
/* Has a frame of the page `s` open another document, by its id. */
void engine_navigate_frame(struct task *t, struct engine_target *s, struct engine_call *call, const char *frame, const char *url);

/* What became of the call of a navigation, borrowed from it; zeroed before the reply, and when the browser refused the address. */
struct engine_navigated {
	const char *document; /* id of the one that was begun; NULL: the same document, only its fragment changed */
	const char *error;    /* the browser's name of the error ("net::ERR_ABORTED") for which there is no document; NULL: none */
	bool is_aborted;      /* this error says that the navigation was given up, */
	bool is_unproxied;    /* or that the proxy has not connected */
	bool is_download;     /* there was a file to save instead */
};
struct engine_navigated engine_navigated(const struct engine_call *call);

/* Stops loading the page, which keeps showing what has been loaded. */
void engine_stop_loading(struct engine_target *s);
/* Suspends until the browser has begun to get the document of `s` once more. */
int engine_reload(struct task *t, _borrowed_ struct engine_target *s);
/*
 * Suspends until the browser has reported the navigations that it has begun so far. The browser answers by itself, whatever the scripts of the
 * page do. -EREMOTE: the page is being replaced, which is an answer, too.
 */
int engine_confirm_navigations(struct task *t, _borrowed_ struct engine_target *s);

struct history_entry {
	int id;          /* -1: not known */
	const char *url; /* "": not known */
};
/* Oldest first. An engine that cannot ask its browser may list entries that there are not, with "" as their addresses. */
struct page_history {
	struct history_entry *items;
	size_t count, current;
	struct json *reply; /* holds the addresses */
};
void page_history_done(struct page_history *h);
/* Suspends. The browser answers by itself. `ret` is the caller's in any case. */
int engine_history(struct task *t, _borrowed_ struct engine_target *s, struct page_history *ret);
/* Suspends until the browser has begun to show that entry. -ENOENT: there is none any more, or an engine without a list has guessed wrong. */
int engine_show_entry(struct task *t, _borrowed_ struct engine_target *s, int id);
