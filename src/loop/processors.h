/* The processors of this machine, and whether this thread may run on each of them. Nothing suspends. */
#pragma once

#include <sched.h>

#define PROCESSORS_MAX 64 /* on more than these nothing is run one by one: that would hold the loop */

/*
 * `online`: a list as the kernel writes it ("0-3,8"); `allowed`: where the thread may run. Returns the number of processors, which `ret`
 * gets. -EOPNOTSUPP: the thread may not run on one of them; -E2BIG: there are more than PROCESSORS_MAX; -EPROTO: it is no such list.
 */
int processors_parse(const char *online, const cpu_set_t *allowed, cpu_set_t *ret);
/* The processors that run now. Fails as above, or with what the kernel says when it does not tell. */
int processors_online(cpu_set_t *ret);
/*
 * Calls `fn` on each of these processors, on which the thread runs meanwhile. Negative: it did not run on all of them, and nothing more is
 * known; `fn` ends it with a negative result, too.
 */
int processors_each(const cpu_set_t *set, int (*fn)(void *data), void *data);
