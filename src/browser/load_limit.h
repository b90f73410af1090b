/*
 * How much of the time of the browser's main process the pages of a session may take. All sessions share that process, which handles
 * what pages ask of it one after another. Some requests cost a page next to nothing and that process milliseconds, and no event tells
 * of them, so that page/throttle.h does not count them; what is in its queue stays there when the page has gone.
 *
 * The kernel notifies this process whenever the main process has worked for a while (loop/cpu_alarm.h). If its main thread has been busy
 * all the time, it is asked for a sign of life. When that is late, the renderers that have worked since are the suspects, and those
 * that work while it is awaited. They are stopped until the main process has done what it had received, and then each runs for a moment while the others are stopped. What the
 * main process does meanwhile is what that renderer costs. Calls of clients make it work, too, so a renderer must cost too much in several
 * slices in a row, beyond what that process does before each of them while all suspects are stopped. Those that take more than their share
 * are slowed down by the throttle of their page, which measures them in the same way from then on. A process that is not known to run a
 * page (one that has just started, or runs only workers) is left alone.
 *
 * Such a search also begins when the main process grows (browser/memory_limit.c). Databases, caches and files of pages are kept there and
 * are the work of other threads than the main one, so a search for growth counts the time of all threads until the process is idle again.
 * What the slices that convict a page add to that process' memory is noted for its context (struct noted).
 *
 * Nothing happens where the kernel has no such clocks or no pidfds, or in a browser that this server has not started. Nothing suspends.
 */
#pragma once

#include <sys/types.h>

#include "base/clock.h"
#include "base/macros.h"

struct load_limit;

/* The browser's main process is this one from now on. */
void load_limit_watch(struct load_limit *l, pid_t main_process);
/* The memory of the main process grows quickly: finds out which pages make it work. */
void load_limit_grows(struct load_limit *l);
/* Pages were ended because the main process had too much memory: what it does until then is no evidence. */
void load_limit_wait(struct load_limit *l, usec_t until);
/* The main process of the browser; 0: not known yet. */
pid_t load_limit_main_process(const struct load_limit *l);
