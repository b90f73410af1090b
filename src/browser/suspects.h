/*
 * Renderers that may keep a process busy that all sessions share, and the search for the one that does. They are listed with the time that
 * they have worked until then, so that those that work afterwards are known. The busiest of these are stopped, and each runs for a moment while
 * the others are stopped; what the shared process does meanwhile is what that renderer costs.
 *
 * A search would take what another one has stopped for idle and let it continue, so a browser has one at a time.
 *
 * Nothing suspends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/macros.h"

struct browser;
struct context;
struct page;
struct renderer;
struct suspects;

struct suspects *suspects_new(struct browser *b);
struct suspects *suspects_free(struct suspects *s);
/* All renderers of the browser, LIMIT_LOAD_PROCESSES_COUNT at most, in the place of those that were listed before. */
void suspects_list(struct suspects *s);
/* `pid` is not listed any more. */
void suspects_forget(struct suspects *s, pid_t pid);
/* No renderer is. */
void suspects_forget_all(struct suspects *s);
/*
 * Begins a search: stops the listed ones that have worked most since then, more than `least` nanoseconds, LIMIT_LOAD_SUSPECTS_COUNT at most. The
 * first is the current one. False, and nothing happens: there is none to stop, or another search is under way in the browser.
 */
bool suspects_stop(struct suspects *s, uint64_t least);
/* Stops further ones of the listed, as long as there is room: that have worked more than `least` nanoseconds since then. False: none. */
bool suspects_stop_more(struct suspects *s, uint64_t least);
/* How many of the listed have worked more than `least` nanoseconds since then. */
unsigned suspects_working(const struct suspects *s, uint64_t least);
unsigned suspects_count(const struct suspects *s); /* of stopped ones, when the search began */
/* The current suspect; 0: each has had its turn. */
pid_t suspects_current(const struct suspects *s);
void suspects_run(struct suspects *s);                        /* the current one continues */
void suspects_halt(struct suspects *s);                       /* and is stopped again */
uint64_t suspects_worked(struct suspects *s);                 /* nanoseconds that it has worked since it continued last */
void suspects_acquit(struct suspects *s);                     /* it continues for good, and the next one is the current one */
void suspects_pass(struct suspects *s);                       /* it stays stopped, and the next one is */
void suspects_keep_current(struct suspects *s);               /* all others continue for good */
void suspects_kill(struct suspects *s);                       /* ends its process */
bool suspects_is_halted(const struct suspects *s, pid_t pid); /* it is one of them, and is stopped at the moment */
void suspects_note_others(struct suspects *s);
/* Nanoseconds since then, of the listed renderer that has worked most but for the current suspect. */
uint64_t suspects_others_worked(const struct suspects *s);
/* How many of these have worked more than `least`. */
unsigned suspects_others_working(const struct suspects *s, uint64_t least);
/* Renderers that are still stopped continue, and the search has ended. */
void suspects_release(struct suspects *s);
/* Of the pages of all sessions. `fn` must not remove a page. */
void suspects_each_renderer(struct browser *b, void (*fn)(void *data, struct context *c, struct page *p, const struct renderer *r),
			    void *data);
