#include "app/app.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/log.h"
#include "reply/artifacts.h"
#include "reply/output.h"
#include "reply/owner_dirs.h"

/* The session that all clients share ends with the last one. */
static void leave_shared_session(struct client *c)
{
	c->app->clients--;
	if (!c->app->one_session)
		return;
	if (c->app->clients == 0)
		registry_end(c->app->registry, c->owner, c->app->own_session);
	else
		log_lifecycle("disconnect from shared browser");
}

/* The first client makes the context of that session, which is logged there. */
static void join_shared_session(struct client *c)
{
	if (c->app->clients++ == 0 || !c->app->one_session)
		return;
	log_lifecycle("connect to shared browser");
	log_lifecycle("create context");
}

int app_view_link(struct task *t, struct app *app, uint64_t owner, const char *id, const struct view_link_wish *wish,
		  struct str *url, int64_t *ret_expires_at)
{
	if (!app->site)
		return task_fail(t, -ENOTSUP, "this server has no live view, which its operator can turn on");
	return app->view_link(t, app->site, owner, id, wish, url, ret_expires_at);
}

static void client_done(void *data)
{
	struct client *c = data;

	if (mcp_conn_left_behind(c->conn) || mcp_conn_moved(c->conn))
		registry_release(c->app->registry, c->owner, c->session);
	else
		registry_end(c->app->registry, c->owner, c->session);
	leave_shared_session(c);
	if (!mcp_conn_owner_lasts(c->conn)) {
		registry_end_all_of(c->app->registry, c->owner);
		artifacts_end(c->app->output.artifacts, c->owner);
		owner_dirs_end(c->app->output.owner_dirs, c->owner);
	}
	rests_done(&c->rests);
	free(c->tools);
	free(c);
}

struct client *client_of(struct app *app, struct mcp_conn *conn)
{
	struct client *c = mcp_conn_state(conn);

	if (!c) {
		c = NEW(struct client);
		c->app = app;
		c->conn = conn;
		c->owner = mcp_conn_owner(conn);
		rests_init(&c->rests);
		mcp_conn_set_state(conn, c, client_done);
		join_shared_session(c);
	}
	return c;
}

struct client *call_client(struct mcp_call *call)
{
	return client_of(call_app(call), mcp_call_conn(call));
}

void call_shorten(struct mcp_call *call, struct result *res)
{
	answer_shorten(&call_client(call)->rests, res);
}

/*
 * Over HTTP a root may be a directory of another machine, or of another user of this one. It is the workspace only where clients may use
 * any file anyway.
 */
static bool may_work_in(const struct output *output, const char *root)
{
	struct stat st;

	if (!output->owner_dirs)
		return true;
	return output->settings->unrestricted && root && stat(root, &st) == 0 && S_ISDIR(st.st_mode);
}

int call_files(struct task *t, struct mcp_call *call, struct file_access *ret)
{
	const struct output *output = &call_app(call)->output;
	const char *root = NULL;
	int r = 0;

	*ret = (struct file_access){ .output = output, .owner = call_owner(call), .may_write = mcp_call_may_act(call) };
	if (!output->settings->ignore_roots)
		r = mcp_call_root(t, call, &root);
	if (r < 0)
		return r;
	ret->workspace = output_workspace(t, root);
	if (may_work_in(output, ret->workspace))
		return 0;
	r = owner_dirs_path(output->owner_dirs, ret->owner, &ret->workspace);
	return r < 0 ? task_fail(t, -ERR_BROWSER_ERROR, "cannot make a directory for the files of this client below %s: %s",
				 owner_dirs_parent(output->owner_dirs), strerror(-r)) :
		       0;
}

int app_targets(struct task *t, struct app *app, uint64_t owner, struct target_list *ret)
{
	size_t count = registry_count(app->registry);
	struct browser **browsers = arena_alloc(task_arena(t), (count + 1) * sizeof(struct browser *));

	count = registry_browsers(app->registry, owner, browsers, count);
	return count ? browsers_targets(t, browsers, count, ret) : 0;
}

struct browser *app_browser(const struct app *app, uint64_t owner, const char *target_id)
{
	struct page *p = registry_find_page(app->registry, owner, target_id, NULL);
	struct browser *b = p ? context_browser(page_context(p)) : NULL;

	if (b)
		return b;
	return registry_browsers(app->registry, owner, &b, 1) ? b : app->browser;
}

int visit_page(struct task *t, struct mcp_call *call, const char *session_id, struct visited *ret)
{
	struct context *c = NULL;
	int r;

	r = session_enter(t, call_app(call)->registry, call_owner(call), session_id, &ret->session);
	if (r < 0)
		return r;
	while ((c = session_next_context(ret->session, c)))
		context_keep_modals(c, false);
	return session_page(t, ret->session, &ret->page);
}

void visit_done(struct visited *v)
{
	page_unref(v->page);
	if (v->session)
		session_leave(v->session);
}

const char *dialog_note(struct task *t, struct page *p)
{
	const char *note = page_take_dialog_note(p, task_arena(t));

	return note ? arena_printf(task_arena(t), " (%s)", note) : "";
}

int result_done_to(struct task *t, struct page *p, const char *what, const char *element, struct result *res)
{
	result_json(res, "{success: true, message: ?}", arena_printf(task_arena(t), "%s %s%s", what, element, dialog_note(t, p)));
	return 0;
}

usec_t timeout_or(double msec, usec_t fallback)
{
	return msec > 0 ? (usec_t)(msec * USEC_PER_MSEC) : fallback;
}
