/*
 * Tasks of all connections of the process, because each request of a modern client may come on another one. No task is freed before the
 * time that its client was told: when there is no room, calls simply do not become tasks.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/share.h"
#include "mcp/tasks.h"

#define KEPT_FOR (15 * 60 * USEC_PER_SEC)

struct tasks_owner {
	uint64_t number;
	unsigned count;
	size_t bytes; /* of the responses that are kept */
	TAILQ_HEAD(, mcp_task) tasks;
};

static LIST_HEAD(, mcp_task) all_tasks = LIST_HEAD_INITIALIZER(all_tasks);
static void *tasks_by_id;     /* tsearch() tree of their ids */
static void *owners_of_tasks; /* tsearch() tree of the numbers of struct tasks_owner */
static unsigned task_table_count;
static size_t task_table_bytes;

static int task_table_compare_ids(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int task_table_compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* ---- owners ---- */

static struct tasks_owner *task_table_find_owner(uint64_t number)
{
	uint64_t *const *found = tfind(&number, &owners_of_tasks, task_table_compare_numbers);

	return found ? CONTAINER_OF(*found, struct tasks_owner, number) : NULL;
}

static struct tasks_owner *task_table_add_owner(uint64_t number)
{
	struct tasks_owner *o = NEW(struct tasks_owner);

	o->number = number;
	TAILQ_INIT(&o->tasks);
	must(tsearch(&o->number, &owners_of_tasks, task_table_compare_numbers));
	return o;
}

static void task_table_leave_owner(struct mcp_task *task)
{
	struct tasks_owner *o = task->owner;

	TAILQ_REMOVE(&o->tasks, task, beside);
	if (--o->count > 0)
		return;
	tdelete(&o->number, &owners_of_tasks, task_table_compare_numbers);
	free(o);
}

/* ---- tasks ---- */

static void task_table_drop_response(struct mcp_task *task)
{
	task->owner->bytes -= task->response.text.len;
	task_table_bytes -= task->response.text.len;
	str_done(&task->response.text);
}

static void mcp_task_free(struct mcp_task *task)
{
	task_table_drop_response(task);
	task_table_leave_owner(task);
	tdelete(task->id, &tasks_by_id, task_table_compare_ids);
	LIST_REMOVE(task, link);
	task_table_count--;
	timer_free(task->expiry);
	free(task);
}

struct mcp_task *mcp_task_new(struct mcp_call *call, uint64_t owner, const struct mcp_server *server)
{
	struct tasks_owner *o = task_table_find_owner(owner);
	struct mcp_task *task;
	char random[RANDOM_NAME_SIZE];

	if (!share_allows(o ? o->count : 0, task_table_count, LIMIT_MCP_TASKS_COUNT, 0))
		return NULL;
	task = NEW(struct mcp_task);
	task->owner = o ? o : task_table_add_owner(owner);
	task->owner->count++;
	TAILQ_INSERT_TAIL(&task->owner->tasks, task, beside);
	task->server = server;
	task->call = call;
	task->created = task->changed = clock_unix_msec();
	task->begun = clock_now();
	random_name(random);
	node_make_id(server->node, random, task->id, sizeof(task->id));
	must(tsearch(task->id, &tasks_by_id, task_table_compare_ids));
	LIST_INSERT_HEAD(&all_tasks, task, link);
	task_table_count++;
	return task;
}

struct mcp_task *mcp_task_find(const struct mcp_server *server, uint64_t owner, const char *id)
{
	char *const *found = id ? tfind(id, &tasks_by_id, task_table_compare_ids) : NULL;
	struct mcp_task *task = found ? CONTAINER_OF(*found, struct mcp_task, id) : NULL;

	return task && task->server == server && task->owner->number == owner ? task : NULL;
}

uint64_t mcp_task_ttl(const struct mcp_task *task)
{
	return ((task->ended ? task->ended : clock_now()) - task->begun + KEPT_FOR) / USEC_PER_MSEC;
}

/* ---- responses ---- */

/* Of what is taken then, an owner has no more than is left for the others. */
static bool task_table_has_room(const struct tasks_owner *o, size_t bytes)
{
	size_t left = LIMIT_MCP_TASK_BYTES - task_table_bytes;

	return bytes <= left && o->bytes + bytes <= left - bytes;
}

static bool task_table_make_room(struct tasks_owner *o, size_t bytes)
{
	struct mcp_task *task;

	TAILQ_FOREACH(task, &o->tasks, beside) {
		if (task_table_has_room(o, bytes))
			return true;
		if (task->read && task->status == MCP_TASK_COMPLETED)
			task_table_drop_response(task);
	}
	return task_table_has_room(o, bytes);
}

static void task_table_expire(void *data)
{
	mcp_task_free(data);
}

bool mcp_task_keep(struct mcp_task *task, struct kept_response *response)
{
	bool fits = task_table_make_room(task->owner, response->text.len);

	task->call = NULL;
	task->ended = clock_now();
	task->expiry = timer_new(task->server->loop, task_table_expire, task);
	timer_set(task->expiry, task->ended + KEPT_FOR);
	if (fits) {
		task->response = *response;
		response->text = (struct str){};
	}
	task->owner->bytes += task->response.text.len;
	task_table_bytes += task->response.text.len;
	return fits;
}

void mcp_tasks_forget(const struct mcp_server *server, const uint64_t *owner)
{
	struct mcp_task *task, *next;

	for (task = LIST_FIRST(&all_tasks); task; task = next) {
		next = LIST_NEXT(task, link);
		if (task->server == server && !task->call && (!owner || task->owner->number == *owner))
			mcp_task_free(task);
	}
}

struct mcp_task_counts mcp_task_counts(const struct mcp_server *server)
{
	struct mcp_task_counts counts = { .bytes = task_table_bytes };
	const struct mcp_task *task;

	LIST_FOREACH(task, &all_tasks, link) {
		if (task->server != server)
			continue;
		counts.running += task->call && task->status == MCP_TASK_WORKING;
		counts.asking += task->call && task->status == MCP_TASK_INPUT_REQUIRED;
		counts.ended += !task->call;
		counts.unread += !task->call && !task->read;
	}
	return counts;
}
