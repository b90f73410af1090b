#include "tools/browser/webmcp_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_known_as(const struct webmcp_known *known, const struct webmcp_tool *tool)
{
	return known->document == tool->document && strcmp(known->frame_id, tool->frame_id) == 0 &&
	       strcmp(known->name, tool->name) == 0;
}

static struct webmcp_known *find_tool(const struct webmcp_names *names, const struct webmcp_tool *tool)
{
	for (unsigned i = 0; i < names->count; i++)
		if (is_known_as(&names->known[i], tool))
			return (struct webmcp_known *)&names->known[i];
	return NULL;
}

const struct webmcp_known *webmcp_names_find(const struct webmcp_names *names, const char *listed)
{
	for (unsigned i = 0; names && i < names->count; i++)
		if (strcmp(names->known[i].listed, listed) == 0)
			return &names->known[i];
	return NULL;
}

const char *webmcp_names_listed(const struct webmcp_names *names, const struct webmcp_tool *tool)
{
	return find_tool(names, tool)->listed;
}

static void remove_at(struct webmcp_names *names, unsigned i)
{
	names->count--;
	memmove(&names->known[i], &names->known[i + 1], (names->count - i) * sizeof(names->known[0]));
}

void webmcp_names_forget(struct webmcp_names *names, const char *listed)
{
	const struct webmcp_known *known = webmcp_names_find(names, listed);

	if (known)
		remove_at(names, (unsigned)(known - names->known));
}

static bool webmcp_names_is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* The number behind `base` and "_", 1 for `base` itself; 0: it is another name. */
static unsigned long webmcp_names_number_of(const char *listed, const char *base, size_t len)
{
	unsigned long number;
	char *end;

	if (strncmp(listed, base, len) != 0)
		return 0;
	if (!listed[len])
		return 1;
	if (listed[len] != '_' || listed[len + 1] < '1' || listed[len + 1] > '9')
		return 0;
	number = strtoul(listed + len + 1, &end, 10);
	return *end ? 0 : number;
}

/* Characters that MCP clients do not accept become "_"; a name that is taken gets the lowest number that is free. */
static void choose_name(const struct webmcp_names *names, const char *name, char to[WEBMCP_LISTED_SIZE])
{
	size_t len = (size_t)snprintf(to, WEBMCP_LISTED_SIZE, WEBMCP_PREFIX "%s", name);
	bool is_taken[LIMIT_WEBMCP_NAMES_COUNT + 2] = {};
	unsigned n = 1;

	for (size_t i = 0; i < len; i++)
		if (!webmcp_names_is_plain(to[i]))
			to[i] = '_';
	for (unsigned i = 0; i < names->count; i++)
		is_taken[MIN(webmcp_names_number_of(names->known[i].listed, to, len), ARRAY_SIZE(is_taken) - 1)] = true;
	while (is_taken[n])
		n++;
	if (n > 1)
		snprintf(to + len, WEBMCP_LISTED_SIZE - len, "_%u", n);
}

/* More tools than a page can have are known only if some of them do not exist; the one that was known first makes room. */
static void webmcp_names_make_room(struct webmcp_names *names)
{
	unsigned i = 0;

	if (names->count < LIMIT_WEBMCP_NAMES_COUNT)
		return;
	while (i < names->count - 1 && names->known[i].exists)
		i++;
	remove_at(names, i);
}

static void learn(struct webmcp_names *names, const struct webmcp_tool *tool)
{
	struct webmcp_known known = { .document = tool->document, .exists = true };

	snprintf(known.name, sizeof(known.name), "%s", tool->name);
	snprintf(known.frame_id, sizeof(known.frame_id), "%s", tool->frame_id);
	webmcp_names_make_room(names);
	choose_name(names, tool->name, known.listed);
	names->known[names->count++] = known;
}

static void begin_document(struct webmcp_names *names, struct page *p)
{
	const struct frame *f = page_main_frame(p);

	if (names->document == frame_commits(f) && strcmp(names->frame_id, frame_id(f)) == 0)
		return;
	names->count = 0;
	names->document = frame_commits(f);
	snprintf(names->frame_id, sizeof(names->frame_id), "%s", frame_id(f));
}

void webmcp_names_update(struct webmcp_names *names, struct page *p)
{
	const struct webmcp_tool *tool = NULL;

	begin_document(names, p);
	for (unsigned i = 0; i < names->count; i++)
		names->known[i].exists = false;
	while ((tool = page_next_tool(p, tool))) {
		struct webmcp_known *known = find_tool(names, tool);

		if (known)
			known->exists = true;
	}
	while ((tool = page_next_tool(p, tool)))
		if (!find_tool(names, tool))
			learn(names, tool);
}

const struct webmcp_tool *webmcp_find_known(const struct page *p, const struct webmcp_known *known)
{
	const struct webmcp_tool *tool = NULL;

	while ((tool = page_next_tool(p, tool)))
		if (is_known_as(known, tool))
			return tool;
	return NULL;
}
