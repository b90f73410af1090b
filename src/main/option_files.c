/* Files that options name: what is in them is read once, at the start. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "browser/storage.h"
#include "main/option_checks.h"
#include "main/option_parser.h"
#include "runcode/init_page.h"

const char *option_absolute_path(struct parser *p, const char *path)
{
	char here[PATH_MAX];

	if (*path == '/' || !getcwd(here, sizeof(here)))
		return path;
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	return arena_printf(&p->options->arena, "%s/%s", here, path);
}

/*
 * What runs in a document for the init script `text`: a function, so that its declarations are no globals of the page. The comment
 * names the file in stacks and in the console.
 */
static const char *init_script(struct parser *p, const char *path, const char *text)
{
	return arena_printf(&p->options->arena, "(() => {\n%s\n})();\n//# sourceURL=%s", text, path);
}

/* Replaces the paths of the scripts by what documents run. */
static int load_scripts(struct parser *p, const char *const **list)
{
	struct arena *arena = &p->options->arena;
	const char **texts;
	size_t count = 0;

	while (*list && (*list)[count])
		count++;
	texts = arena_alloc(arena, (count + 1) * sizeof(*texts));
	for (size_t i = 0; i < count; i++) {
		_cleanup_(str_done) struct str text = {};
		const char *path = option_absolute_path(p, (*list)[i]);
		int r = file_read(path, LIMIT_SCRIPT, &text);

		if (r == -ENOENT) {
			str_appendf(p->error, "Init script file does not exist: %s (--init-script)", path);
			return -EINVAL;
		}
		if (r < 0)
			return option_fail_file(p, "init-script", path, r);
		texts[i] = init_script(p, path, str_text(&text));
	}
	texts[count] = NULL;
	*list = count ? texts : NULL;
	return 0;
}

/* The state that the config file has itself. */
static int use_inline_state(struct parser *p)
{
	const struct json *state = p->options->storage_state;
	const char *wrong = state ? storage_check(state) : NULL;

	p->options->browser.storage_state = state;
	if (!wrong)
		return 0;
	str_appendf(p->error, "storageState in %s: %s", p->options->config_read, wrong);
	return -EINVAL;
}

static int load_init_pages(struct parser *p)
{
	const char *const *paths = p->options->init_page_paths;
	struct init_page *list;
	size_t count = 0;

	while (paths && paths[count])
		count++;
	if (!count)
		return 0;
	list = arena_alloc(&p->options->arena, (count + 1) * sizeof(*list));
	for (size_t i = 0; i < count; i++) {
		_cleanup_(str_done) struct str text = {};
		const char *path = option_absolute_path(p, paths[i]);
		int r = file_read(path, LIMIT_SCRIPT, &text);

		if (r == -ENOENT) {
			str_appendf(p->error, "Init page file does not exist: %s (--init-page)", path);
			return -EINVAL;
		}
		if (r < 0)
			return option_fail_file(p, "init-page", path, r);
		list[i] = (struct init_page){ path, arena_strdup(&p->options->arena, str_text(&text)) };
	}
	list[count] = (struct init_page){};
	p->options->init_pages = list;
	return 0;
}

static int load_storage_state(struct parser *p)
{
	const char *path = p->options->storage_state_path, *wrong;
	struct json **state = &p->options->state;
	_cleanup_(str_done) struct str text = {};
	int r;

	if (!path)
		return use_inline_state(p);
	r = file_read(path, LIMIT_STORAGE_STATE, &text);
	if (r < 0) {
		str_appendf(p->error, "Error reading storage state from %s: ", path);
		return option_fail_file(p, "storage-state", path, r);
	}
	r = option_parse_json(p, "storage-state", path, str_text(&text), text.len, state);
	if (r < 0)
		return r;
	wrong = storage_check(*state);
	p->options->browser.storage_state = *state;
	if (!wrong)
		return 0;
	str_appendf(p->error, "--storage-state: cannot use %s: %s", path, wrong);
	return -EINVAL;
}

/* The first line of the file that `option` names. */
static int load_line(struct parser *p, const char *option, const char *path, const char **ret)
{
	_cleanup_(str_done) struct str text = {};
	int r = file_read(path, LIMIT_CONFIG, &text);

	if (r < 0)
		return option_fail_file(p, option, path, r);
	*ret = arena_strndup(&p->options->arena, str_text(&text), strcspn(str_text(&text), "\r\n"));
	explicit_bzero(text.data, text.len);
	return 0;
}

/* The token of an HTTP server. */
static int load_token(struct parser *p)
{
	struct options *o = p->options;
	const char *path = o->auth_token_file;
	int r;

	if (!path || o->http.token || o->http.port < 0 || o->action != ACTION_SERVE)
		return 0;
	r = load_line(p, "auth-token-file", path, &o->http.token);
	if (r < 0)
		return r;
	if (option_is_token(o->http.token))
		return 0;
	str_appendf(p->error, "--auth-token-file: the first line of %s must be %s", path, OPTION_TOKEN_ALLOWED);
	return -EINVAL;
}

static int load_store_password(struct parser *p)
{
	struct options *o = p->options;
	const char *path = o->store_password_file;
	int r = 0;

	if (path && o->store.url && (o->action == ACTION_SERVE || o->action == ACTION_DOCTOR))
		r = load_line(p, "state-store-password-file", path, &o->store.password);
	if (r < 0 || !o->store.password)
		return r;
	if (*o->store.password && strlen(o->store.password) <= LIMIT_STORE_PASSWORD)
		return 0;
	str_appendf(p->error, "--state-store-password-file: the first line of %s must be a password of 1 to %u bytes", path,
		    LIMIT_STORE_PASSWORD);
	return -EINVAL;
}

/* The logins of a server; the key is there since the first of them was added. */
static int load_vault(struct parser *p)
{
	_cleanup_(vault_key_freep) struct vault_key *key = NULL;
	_cleanup_(str_done) struct str why = {};
	struct options *o = p->options;
	int r;

	if (!o->vault_path || o->action != ACTION_SERVE)
		return 0;
	r = vault_key_load(&o->states.key, false, &key, &why);
	if (r == 0)
		r = logins_read(key, o->vault_path, &o->vault, &why);
	if (r == 0)
		return 0;
	str_appendf(p->error, "--vault: %s", why.data);
	return -EINVAL;
}

/* "out//" as "out", which links in answers begin with. */
static const char *without_spare_slashes(struct parser *p, const char *path)
{
	char *copy = arena_strdup(&p->options->arena, path), *out = copy;

	for (const char *c = copy; *c; c++)
		if (*c != '/' || out == copy || out[-1] != '/')
			*out++ = *c;
	if (out > copy + 1 && out[-1] == '/')
		out--;
	*out = '\0';
	return copy;
}

/* A folder that nothing can be kept apart in. */
static int check_output_dir(struct parser *p)
{
	struct output_settings *output = &p->options->output;
	const char *dir = output->dir = output->dir ? without_spare_slashes(p, output->dir) : NULL;
	char resolved[PATH_MAX];

	if (!dir || !realpath(dir, resolved) || strcmp(resolved, "/") != 0)
		return 0;
	str_appendf(p->error, "--output-dir cannot point to a system directory: %s", resolved);
	return -EINVAL;
}

int option_load_files(struct parser *p)
{
	int r = check_output_dir(p);

	if (r == 0)
		r = load_scripts(p, &p->options->browser.page.init_scripts);
	if (r == 0)
		r = load_init_pages(p);
	if (r == 0)
		r = load_storage_state(p);
	if (r == 0)
		r = option_load_secrets(p);
	if (r == 0)
		r = load_store_password(p);
	if (r == 0)
		r = load_vault(p);
	return r < 0 ? r : load_token(p);
}
