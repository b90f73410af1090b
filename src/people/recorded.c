#include "people/recorded.h"

#include <errno.h>
#include <string.h>

#include "loop/http_file.h"
#include "mcp/http_site.h"
#include "recordings/shelf.h"

static struct shelf_owner recorded_of(const struct scope *scope)
{
	return (struct shelf_owner){ .owner = scope->owner, .everyone = scope->everyone };
}

/* False: refused and answered. */
static bool recorded_may_see(struct http_exchange *x, const struct scope *scope)
{
	if (!scope->session[0])
		return true;
	mcp_site_refuse(x, 403, "This link shows one session: recordings need a login");
	return false;
}

static void recorded_refuse(struct http_exchange *x, int r)
{
	if (r == -EBUSY)
		mcp_site_refuse(x, 409, "This session is still being recorded: close it first");
	else
		mcp_site_refuse(x, 404, "There is no such recording, or it has no such file");
}

static void recorded_list(struct http_exchange *x, struct recordings *all, const struct scope *scope)
{
	const struct shelf_owner who = recorded_of(scope);
	_cleanup_(str_done) struct str out = {};

	str_append(&out, "{\"recordings\":");
	recordings_list(all, &who, &out);
	str_json(&out, ", act: ?", scope->act);
	str_append_char(&out, '}');
	http_answer(x, 200, "application/json", out.data, out.len);
}

/* Only videos are shown by the browser itself; the rest is read by the page, or saved by the person. */
static void recorded_name_download(struct http_exchange *x, const char *rest)
{
	_cleanup_(str_done) struct str field = {}, name = {};

	if (!strstr(rest, ".zip"))
		return;
	for (const char *c = rest; *c; c++)
		str_append_char(&name, *c == '/' ? '-' : *c);
	str_appendf(&field, "Content-Disposition: attachment; filename=\"%s\"\r\n", name.data);
	http_add_fields(x, field.data);
}

void recorded_get(struct http_exchange *x, struct recordings *all, const struct scope *scope, const char *rest)
{
	const struct shelf_owner who = recorded_of(scope);
	const char *type;
	int fd;

	if (!recorded_may_see(x, scope))
		return;
	if (!*rest) {
		recorded_list(x, all, scope);
		return;
	}
	fd = recordings_open(all, &who, rest, &type);
	if (fd < 0) {
		recorded_refuse(x, fd);
		return;
	}
	recorded_name_download(x, rest);
	http_file_answer(x, fd, type);
}

void recorded_delete(struct http_exchange *x, struct recordings *all, const struct scope *scope, const char *key)
{
	const struct shelf_owner who = recorded_of(scope);
	int r;

	if (!recorded_may_see(x, scope))
		return;
	if (!scope->act) {
		mcp_site_refuse(x, 403, "This login may look, and not remove recordings");
		return;
	}
	r = recordings_remove(all, &who, key);
	if (r < 0)
		recorded_refuse(x, r);
	else
		http_answer(x, 200, "application/json", "{}", 2);
}
