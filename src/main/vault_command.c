#include "main/vault_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/display.h"
#include "base/limits.h"
#include "vault/logins.h"
#include "vault/private_file.h"

#define INTERRUPT 3 /* Ctrl+C, which the terminal sends as a character while nothing is echoed */
#define GIVEN_MAX (64u << 10)

struct vault_run {
	const struct options *options;
	const char *name;
	int in, out;
	struct vault_key *key;
	struct logins *logins;
	struct str error;
};

/* ---- what the person types ---- */

/* A line without its end. -ECANCELED at the end of the input and for Ctrl+C, -EFBIG. */
static int read_typed(int in, struct str *out)
{
	char c;

	str_reserve(out, LIMIT_LOGIN_TEXT + 1); /* growing would leave copies behind */
	while (out->len <= LIMIT_LOGIN_TEXT) {
		if (read(in, &c, 1) <= 0 || c == INTERRUPT)
			return -ECANCELED;
		if (c == '\n' || c == '\r')
			return 0;
		str_append_char(out, c);
	}
	return -EFBIG;
}

static int vault_ask(const struct vault_run *v, const char *question, bool is_secret, struct str *out)
{
	struct termios shown, hidden;
	int r;

	if (!is_secret) {
		dprintf(v->out, "%s: ", question);
		return read_typed(v->in, out);
	}
	if (tcgetattr(v->in, &shown) < 0)
		return -errno;
	hidden = shown;
	hidden.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
	if (tcsetattr(v->in, TCSAFLUSH, &hidden) < 0)
		return -errno;
	dprintf(v->out, "%s: ", question); /* after the flush, which would take an answer that follows at once */
	r = read_typed(v->in, out);
	tcsetattr(v->in, TCSAFLUSH, &shown);
	dprintf(v->out, "\n");
	return r;
}

/* The words of a line as elements of a JSON array. */
static void vault_append_words(const char *line, struct str *out)
{
	size_t len;

	str_append_char(out, '[');
	for (bool first = true; line += strspn(line, " ,\t"), (len = strcspn(line, " ,\t")) > 0; line += len, first = false) {
		str_append(out, first ? "" : ",");
		str_append_quoted(out, line, len);
	}
	str_append_char(out, ']');
}

static int ask_all(struct vault_run *v, struct str *json)
{
	_cleanup_(private_wipe) struct str origins = {}, user = {}, password = {}, totp = {}, owners = {}, origin_list = {},
					   owner_list = {};
	int r = vault_ask(v, "Origins (https://..., separated by blanks)", false, &origins);

	if (r == 0)
		r = vault_ask(v, "User name (empty: none)", false, &user);
	if (r == 0)
		r = vault_ask(v, "Password (not shown; empty: none)", true, &password);
	if (r == 0)
		r = vault_ask(v, "Key of one-time codes, base32 or otpauth:// (not shown; empty: none)", true, &totp);
	if (r == 0)
		r = vault_ask(v, "Owners that may use it, subjects of OAuth tokens (empty: clients of a server without OAuth)",
			      false, &owners);
	if (r < 0)
		return r;
	vault_append_words(str_text(&origins), &origin_list);
	vault_append_words(str_text(&owners), &owner_list);
	str_reserve(json, GIVEN_MAX);
	str_json(json, "{origins: ?, user: ?, password: ?, totp: ?, owners: ?}", JSON_RAW(origin_list.data), str_text(&user),
		 str_text(&password), str_text(&totp), JSON_RAW(owner_list.data));
	return 0;
}

static int read_given(int in, struct str *out)
{
	ssize_t n = 1;

	str_reserve(out, GIVEN_MAX + 1);
	while (n > 0 && out->len <= GIVEN_MAX) {
		n = read(in, out->data + out->len, GIVEN_MAX + 1 - out->len);
		if (n < 0)
			return -errno;
		out->len += (size_t)n;
	}
	return out->len > GIVEN_MAX ? -EFBIG : 0;
}

/* ---- the commands ---- */

static int read_vault(struct vault_run *v, bool makes)
{
	const char *path = v->options->vault_path;
	bool is_new = makes && access(path, F_OK) < 0 && errno == ENOENT;
	int r = vault_key_load(&v->options->states.key, is_new, &v->key, &v->error);

	if (r < 0)
		return r;
	if (is_new)
		v->logins = logins_new();
	return is_new ? 0 : logins_read(v->key, path, &v->logins, &v->error);
}

static int put_described(struct vault_run *v, const struct str *text)
{
	_cleanup_(json_freep) struct json *described = NULL;
	int r;

	if (json_parse(str_text(text), text->len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, &described) < 0) {
		str_append(&v->error,
			   "what was given is not JSON, such as {\"origins\": [\"https://shop.example\"], \"user\": \"ann\", "
			   "\"password\": \"...\"}");
		return -EINVAL;
	}
	r = logins_put(v->logins, v->name, described, &v->error);
	logins_wipe_json(described);
	return r;
}

static int vault_add(struct vault_run *v)
{
	_cleanup_(private_wipe) struct str text = {};
	int r = read_vault(v, true);

	if (r < 0)
		return r;
	r = isatty(v->in) ? ask_all(v, &text) : read_given(v->in, &text);
	if (r < 0) {
		str_appendf(&v->error, "nothing was added: %s",
			    r == -ECANCELED ? "the input ended" :
			    r == -EFBIG     ? "it is too long" :
					      strerror(-r));
		return r;
	}
	r = put_described(v, &text);
	if (r == 0)
		r = logins_write(v->key, v->options->vault_path, v->logins, &v->error);
	if (r == 0)
		dprintf(v->out, "%s is in %s. Servers that run already get to know it when they are started again.\n", v->name,
			v->options->vault_path);
	return r;
}

static void vault_print(const struct login *l, struct str *out)
{
	str_appendf(out, "%s:%s%s%s;", l->name, *l->user ? " user" : "", *l->password ? " password" : "",
		    l->has_totp ? " code" : "");
	for (char *const *origin = l->origins; *origin; origin++)
		str_appendf(out, " %s", *origin);
	if (l->owners)
		str_append(out, "; for");
	for (char *const *owner = l->owners; owner && *owner; owner++)
		str_appendf(out, " %s", *owner);
	str_append_char(out, '\n');
}

static int vault_list(struct vault_run *v)
{
	_cleanup_(str_done) struct str text = {};
	int r = read_vault(v, false);

	for (size_t i = 0; r == 0 && i < v->logins->count; i++)
		vault_print(&v->logins->items[i], &text);
	if (r == 0)
		dprintf(v->out, "%s", text.len ? text.data : "The vault has no logins.\n");
	return r;
}

static int vault_remove(struct vault_run *v)
{
	int r = read_vault(v, false);

	if (r == 0 && !logins_remove(v->logins, v->name)) {
		str_appendf(&v->error, "there is no login \"%.64s\"; browserd vault list names those that there are", v->name);
		r = -ENOENT;
	}
	if (r == 0)
		r = logins_write(v->key, v->options->vault_path, v->logins, &v->error);
	if (r == 0)
		dprintf(v->out, "%s was removed.\n", v->name);
	return r;
}

static const struct {
	const char *word;
	bool has_name;
	int (*run)(struct vault_run *v);
} vault_command_table[] = {
	{ "add", true, vault_add },
	{ "list", false, vault_list },
	{ "remove", true, vault_remove },
};

static int vault_dispatch(struct vault_run *v)
{
	const char *const *words = v->options->vault_words;

	if (!v->options->vault_path) {
		str_append(&v->error, "which file? Give --vault FILE");
		return -EINVAL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(vault_command_table) && words[0]; i++) {
		if (strcmp(words[0], vault_command_table[i].word) != 0 || vault_command_table[i].has_name != (words[1] != NULL))
			continue;
		v->name = words[1];
		return vault_command_table[i].run(v);
	}
	str_append(&v->error, "the commands are: browserd vault add NAME, vault list, vault remove NAME");
	return -EINVAL;
}

bool vault_command(const struct options *o, int in, int out)
{
	struct vault_run v = { .options = o, .in = in, .out = out };
	int r = vault_dispatch(&v);

	if (r < 0)
		dprintf(STDERR_FILENO, "%s\n", str_text(&v.error));
	vault_key_free(v.key);
	logins_free(v.logins);
	str_done(&v.error);
	return r == 0;
}
