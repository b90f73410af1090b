#include "loop/processors.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"

#define ONLINE "/sys/devices/system/cpu/online"

/* A number that begins at `*text`, which then is behind it. */
static int processors_take_number(const char **text)
{
	char *end;
	long n = isdigit((unsigned char)**text) ? strtol(*text, &end, 10) : -1;

	if (n < 0)
		return -EPROTO;
	if (n >= CPU_SETSIZE)
		return -E2BIG;
	*text = end;
	return (int)n;
}

/* "3" or "0-3". */
static int take_range(const char **text, cpu_set_t *set)
{
	int first = processors_take_number(text), last = first;

	if (first >= 0 && **text == '-') {
		++*text;
		last = processors_take_number(text);
	}
	if (first < 0 || last < 0)
		return first < 0 ? first : last;
	if (last < first)
		return -EPROTO;
	for (int cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, set);
	return 0;
}

static int take_list(const char *text, cpu_set_t *set)
{
	int r = take_range(&text, set);

	while (r == 0 && *text == ',') {
		text++;
		r = take_range(&text, set);
	}
	return r == 0 && *text && *text != '\n' ? -EPROTO : r;
}

int processors_parse(const char *online, const cpu_set_t *allowed, cpu_set_t *ret)
{
	cpu_set_t set, both;
	int r;

	CPU_ZERO(&set);
	r = take_list(online, &set);
	CPU_AND(&both, &set, allowed);
	if (r < 0)
		return r;
	if (CPU_COUNT(&set) == 0)
		return -EPROTO;
	if (CPU_COUNT(&set) > PROCESSORS_MAX)
		return -E2BIG;
	if (!CPU_EQUAL(&both, &set))
		return -EOPNOTSUPP;
	*ret = set;
	return CPU_COUNT(&set);
}

int processors_online(cpu_set_t *ret)
{
	_cleanup_(str_done) struct str text = {};
	cpu_set_t allowed;
	int r = file_read(ONLINE, LIMIT_PROCESSORS_LIST, &text);

	if (r < 0)
		return r;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return -errno;
	return processors_parse(str_text(&text), &allowed, ret);
}

/* sched_setaffinity() returns when the thread has moved. */
static int run_on(int cpu, int (*fn)(void *data), void *data)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) < 0 ? -errno : fn(data);
}

int processors_each(const cpu_set_t *set, int (*fn)(void *data), void *data)
{
	cpu_set_t usual;
	int r = 0;

	if (sched_getaffinity(0, sizeof(usual), &usual) < 0)
		return -errno;
	for (int cpu = 0; cpu < CPU_SETSIZE && r >= 0; cpu++)
		if (CPU_ISSET(cpu, set))
			r = run_on(cpu, fn, data);
	if (sched_setaffinity(0, sizeof(usual), &usual) < 0 && r >= 0)
		r = -errno;
	return MIN(r, 0);
}
