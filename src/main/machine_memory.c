#include "main/machine_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"

/* The two generations of control groups: how /proc/self/cgroup names the group, and where its limit is. */
static const struct generation {
	const char *entry, *mounted, *file;
} generation_table[] = {
	{ "0::", "/sys/fs/cgroup", "memory.max" },
	{ ":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes" },
};

static uint64_t total(const char *root)
{
	_cleanup_(str_done) struct str path = {}, text = {};
	const char *line;

	str_appendf(&path, "%s/proc/meminfo", root);
	if (file_read(path.data, LIMIT_PROCESS_TEXT, &text) < 0)
		return 0;
	line = strstr(str_text(&text), "MemTotal:");
	return line ? strtoull(line + strlen("MemTotal:"), NULL, 10) << 10 : 0;
}

/* UINT64_MAX: no limit ("max"), or none that can be read. */
static uint64_t limit_of(const char *root, const struct generation *g, const char *group)
{
	_cleanup_(str_done) struct str path = {}, text = {};

	str_appendf(&path, "%s%s%s/%s", root, g->mounted, group, g->file);
	if (file_read(path.data, LIMIT_PROCESS_TEXT, &text) < 0 || str_text(&text)[0] < '0' || str_text(&text)[0] > '9')
		return UINT64_MAX;
	return strtoull(text.data, NULL, 10);
}

/*
 * The least of the group and those around it. In a container the path may be the host's, where nothing is mounted under it; its own group
 * is then the uppermost one that it sees.
 */
static uint64_t least_limit(const char *root, const struct generation *g, char *group)
{
	uint64_t least = limit_of(root, g, group), limit;
	char *end;

	while ((end = strrchr(group, '/'))) {
		*end = '\0';
		limit = limit_of(root, g, group);
		least = MIN(least, limit);
	}
	return least;
}

static uint64_t limit_of_generation(const char *root, const struct generation *g, const char *groups)
{
	_cleanup_(str_done) struct str group = {};
	const char *entry = strstr(groups, g->entry);

	entry = entry ? strchr(entry, '/') : NULL;
	if (!entry)
		return UINT64_MAX;
	str_append_len(&group, entry, strcspn(entry, "\n"));
	return least_limit(root, g, group.data);
}

struct machine_memory machine_memory(const char *root)
{
	_cleanup_(str_done) struct str path = {}, groups = {};
	struct machine_memory m = { .bytes = total(root) };
	uint64_t limit;

	str_appendf(&path, "%s/proc/self/cgroup", root);
	if (file_read(path.data, LIMIT_PROCESS_TEXT, &groups) < 0)
		return m;
	for (size_t i = 0; i < ARRAY_SIZE(generation_table); i++) {
		limit = limit_of_generation(root, &generation_table[i], str_text(&groups));
		if (limit != UINT64_MAX && (!m.bytes || limit < m.bytes))
			m = (struct machine_memory){ limit, true };
	}
	return m;
}

uint64_t memory_share(uint64_t bytes)
{
	return bytes - bytes / 5;
}
