/*
 * The floor: the same work by bare CDP calls done well, on a Chromium started with the same arguments. Each function
 * blocks until done and ends the program on failure.
 */
#pragma once

#include "base/clock.h"
#include "browser/browser.h"

#define FLOOR_FIELDS 5 /* of a form: #f0 and so on */

#define FLOOR_LISTENS "--remote-debugging-port=0"

struct floor;

/* Starts a browser, opens a page and loads `url`. `ret_elapsed` gets the time from here to the load event. */
struct floor *floor_start(const struct browser_options *options, const char *url, usec_t *ret_elapsed);
void floor_stop(struct floor *f);
int floor_port(struct floor *f);                 /* where its browser listens, if `options` had FLOOR_LISTENS among the arguments */
const char *floor_target(const struct floor *f); /* page 0, CDP's id */
/* More pages, each in a context of its own; page 0 is there from the start. */
void floor_open_pages(struct floor *f, unsigned count, const char *url);

/* Times of one operation on page 0, in microseconds. */
usec_t floor_navigate(struct floor *f, const char *url);                    /* navigate, load event, title */
usec_t floor_click(struct floor *f);                                        /* rectangle, then the three mouse events at once */
usec_t floor_type(struct floor *f, const char *text);                       /* focus, then all keys at once */
usec_t floor_fill(struct floor *f, const char *text);                       /* five fields: selected, then replaced, all at once */
usec_t floor_call(struct floor *f, const char *method, const char *params); /* one call; `params` is JSON */
/* `calls` calls on each of the first `pages` pages, all side by side, in turn navigate, click, type; the whole time. */
usec_t floor_work(struct floor *f, unsigned pages, unsigned calls, const char *url, const char *text);
