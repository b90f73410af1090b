/* Generates help, manual page, tables and shell completions from the table of options. */
#include <stdio.h>
#include <string.h>

#include "main/options.h"
#include "tools/capability.h"

#define HELP_COLUMNS 100
#define HELP_INDENT 31 /* column of the descriptions */

static const char description[] =
	"Speaks the Model Context Protocol on stdin and stdout, for an MCP client that starts it, or over HTTP. All sessions share one "
	"Chromium, started when it is first needed; each has a browser context of its own, so that cookies, storage, "
	"cache and pages of one are invisible to the others.";

static const char doctor_about[] =
	"Show which browser would be used and why, check its requirements on this machine, start it and open a page. Exits "
	"with status 1 if something is wrong.";

static const char install_about[] =
	"Say which browser there is, or how to install one on this system, and exit with status 1 then. Names of browsers may follow, as "
	"in the command of that name of @playwright/mcp. Nothing is downloaded.";

static const char vault_about[] =
	"vault add NAME, vault list, vault remove NAME: the logins in the file of --vault. add asks for them on the terminal, or reads JSON from "
	"stdin.";

static const char drop_in_about[] =
	"As the first argument: the same program as a drop-in for @playwright/mcp, with its tools and defaults. A link of that "
	"name to browserd does the same.";

static const char variables_about[] =
	"Most options can also be set by an environment variable, BROWSERD_ and the name in capitals with _ for -, where "
	"a switch takes true or false. For options that @playwright/mcp has as well, its PLAYWRIGHT_MCP_ variables and "
	"config keys work. The command line wins over the environment, the environment over the config file.";

/* ---- common parts ---- */

static bool is_documented(const struct option *option, size_t group)
{
	return option->group == group && !option->hidden;
}

/* Appends the default as a user would write it; nothing if there is none. */
static void append_default(struct str *out, const struct option_profile *profile, const struct option *option)
{
	const void *member = (const char *)&profile->defaults + option->offset;
	const struct viewport *size = member;
	int64_t number;

	if (option->command_line_only)
		return;
	switch (option->type) {
	case OPTION_INT:
		number = option_number(&profile->defaults, option);
		if (number >= option->min)
			str_appendf(out, "%lld", (long long)number);
		break;
	case OPTION_CHOICE:
		str_append(out, option->choices[option_number(&profile->defaults, option)]);
		break;
	case OPTION_SIZE:
		if (size->width > 0)
			str_appendf(out, "%dx%d", size->width, size->height);
		break;
	case OPTION_SWITCH:
		if (option->on == option_number(&profile->defaults, option))
			str_append(out, "on");
		break;
	case OPTION_STRING:
		if (*(const char *const *)member)
			str_append(out, *(const char *const *)member);
		break;
	case OPTION_LIST:
	case OPTION_NUMBER:
	case OPTION_OBJECT:
		break;
	}
}

static void append_help(struct str *out, const struct option *option)
{
	const char *separator = "";

	str_append(out, option->help);
	for (const struct capability *c = capability_table; option->names_capabilities && c->name; c++) {
		if (!c->title || c->options_only) /* no tools of its own, or not one of --caps */
			continue;
		str_appendf(out, "%s%s", separator, c->name);
		separator = ", ";
	}
}

static void append_help_and_default(struct str *out, const struct option_profile *profile, const struct option *option)
{
	_cleanup_(str_done) struct str value = {};

	append_help(out, option);
	append_default(&value, profile, option);
	if (value.len > 0)
		str_appendf(out, " (default: %s)", value.data);
}

/* Appends `text` with line breaks so that no line exceeds HELP_COLUMNS; the current column is `column`. */
static void append_wrapped(struct str *out, const char *text, size_t column, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (!first && column + 1 + len > HELP_COLUMNS) {
			str_appendf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			str_append_char(out, ' ');
			column++;
		}
		str_append_len(out, text, len);
		column += len;
		text += len;
		text += strspn(text, " ");
		first = false;
	}
	str_append_char(out, '\n');
}

/* ---- --help ---- */

static void help_row(struct str *out, const struct option_profile *profile, const struct option *option)
{
	_cleanup_(str_done) struct str text = {};
	size_t start = out->len, width;

	if (option->letter)
		str_appendf(out, "  -%c, --%s", option->letter, option->flag);
	else
		str_appendf(out, "      --%s", option->flag);
	if (option->value)
		str_appendf(out, " %s", option->value);
	width = out->len - start;
	if (width + 2 > HELP_INDENT) {
		str_append_char(out, '\n');
		width = 0;
	}
	str_appendf(out, "%*s", (int)(HELP_INDENT - width), "");
	append_help_and_default(&text, profile, option);
	append_wrapped(out, text.data, HELP_INDENT, HELP_INDENT);
}

void options_help(const struct option_profile *profile, struct str *out)
{
	str_appendf(out, "Usage: %s [options]\n       %s doctor [options]\n\n", profile->program, profile->program);
	str_appendf(out, "%s.\n\n", profile->summary);
	append_wrapped(out, description, 0, 0);
	str_appendf(out, "\nCommands:\n  %-*s", HELP_INDENT - 2, "doctor");
	append_wrapped(out, doctor_about, HELP_INDENT, HELP_INDENT);
	str_appendf(out, "  %-*s", HELP_INDENT - 2, "install-browser");
	append_wrapped(out, install_about, HELP_INDENT, HELP_INDENT);
	str_appendf(out, "  %-*s", HELP_INDENT - 2, "vault");
	append_wrapped(out, vault_about, HELP_INDENT, HELP_INDENT);
	str_appendf(out, "  %-*s", HELP_INDENT - 2, "playwright-mcp");
	append_wrapped(out, drop_in_about, HELP_INDENT, HELP_INDENT);
	for (size_t group = 0; group <= GROUP_INFORMATION; group++) {
		str_appendf(out, "\n%s:\n", option_group_table[group]);
		for (const struct option *option = option_table; option->flag; option++)
			if (is_documented(option, group))
				help_row(out, profile, option);
	}
	str_append_char(out, '\n');
	append_wrapped(out, variables_about, 0, 0);
}

/* ---- the manual page ---- */

/* Appends text escaped for roff, so that no line starts as a request. */
static void append_roff(struct str *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		str_append(out, "\\&");
	for (; *text; text++) {
		if (*text == '-')
			str_append(out, "\\-");
		else if (*text == '\\')
			str_append(out, "\\e");
		else
			str_append_char(out, *text);
	}
}

static void man_sources(struct str *out, const struct option *option)
{
	char name[OPTION_VARIABLE_MAX];

	if (option->command_line_only)
		return;
	str_append(out, ".br\nEnvironment:");
	for (unsigned nth = 0; option_variable(option, nth, name, sizeof(name)); nth++)
		str_appendf(out, "%s \\fB%s\\fP", nth ? "," : "", name);
	str_append(out, ".\n");
	for (size_t i = 0; i < ARRAY_SIZE(option->keys) && option->keys[i]; i++)
		str_appendf(out, "%s\\fB%s\\fP%s", i ? " or " : "Config file: ", option->keys[i],
			    i + 1 == ARRAY_SIZE(option->keys) || !option->keys[i + 1] ? ".\n" : "");
}

static void man_row(struct str *out, const struct option_profile *profile, const struct option *option)
{
	_cleanup_(str_done) struct str text = {};

	str_append(out, ".TP\n\\fB");
	if (option->letter)
		str_appendf(out, "\\-%c\\fP, \\fB", option->letter);
	str_append(out, "\\-\\-");
	append_roff(out, option->flag);
	str_append(out, "\\fP");
	if (option->value)
		str_appendf(out, " \\fI%s\\fP", option->value);
	str_append_char(out, '\n');
	append_help_and_default(&text, profile, option);
	append_roff(out, text.data);
	str_append(out, ".\n");
	if (option->man) {
		append_roff(out, option->man);
		str_append_char(out, '\n');
	}
	man_sources(out, option);
}

static const char man_tail[] =
	".SH CONFIG FILE\n"
	"A JSON object, or an INI file; a key such as browser.launchOptions.headless stands for nested objects:\n.PP\n.nf\n"
	"{\n"
	"  \"browser\": { \"launchOptions\": { \"headless\": true, \"args\": [\"\\-\\-mute\\-audio\"] } },\n"
	"  \"sessions\": { \"max\": 20 },\n"
	"  \"timeouts\": { \"action\": 10000 }\n"
	"}\n.fi\n.PP\n"
	"A wrong value prevents the start; an unknown key is reported on stderr and ignored.\n"
	".SH SIGNALS\n"
	".TP\n\\fBSIGTERM\\fP, \\fBSIGINT\\fP, \\fBSIGHUP\\fP\n"
	"Shut down: running calls are cancelled, the browser is closed and its profile removed. The end of stdin does the "
	"same, after a moment in which running calls may finish.\n"
	".TP\n\\fBSIGUSR1\\fP\n"
	"Write one line to stderr for each call under way: its name, its age, and what it waits for.\n"
	".SH SERVICE MANAGER\n"
	"Listening TCP sockets that systemd passes on (\\fBLISTEN_FDS\\fP) are served over HTTP; \\-\\-port and \\-\\-host then have no "
	"effect, and a token is required if other machines can connect to one of them. With \\fBNOTIFY_SOCKET\\fP, systemd learns when "
	"the server is ready (Type=notify) and when it shuts down. As process 1 of a container, the server reaps orphaned processes.\n"
	".SH EXIT STATUS\n"
	".TP\n0\nThe client has left, or a signal requested the shutdown.\n"
	".TP\n1\nThe server could not start, or doctor found something wrong.\n"
	".TP\n2\nAn option has a wrong value (playwright\\-mcp: 1).\n";

void options_man(const struct option_profile *profile, struct str *out)
{
	const char *name = profile->program;

	str_appendf(out, ".TH %s 1 \"\" \"browserd %s\"\n.SH NAME\n%s \\- ", name, BROWSERD_VERSION, name);
	append_roff(out, profile->summary);
	str_appendf(out, "\n.SH SYNOPSIS\n\\fB%s\\fP [\\fIoptions\\fP]\n.br\n\\fB%s doctor\\fP [\\fIoptions\\fP]\n", name, name);
	str_append(out, ".SH DESCRIPTION\n");
	append_roff(out, description);
	str_append(out, "\n.SH COMMANDS\n.TP\n\\fBdoctor\\fP\n");
	append_roff(out, doctor_about);
	str_append(out, "\n.TP\n\\fBinstall-browser\\fP\n");
	append_roff(out, install_about);
	str_append(out, "\n.TP\n\\fBvault\\fP\n");
	append_roff(out, vault_about);
	str_append(out, "\n.TP\n\\fBplaywright\\-mcp\\fP\n");
	append_roff(out, drop_in_about);
	str_append(out, "\n.SH OPTIONS\n");
	append_roff(out, variables_about);
	str_append_char(out, '\n');
	for (size_t group = 0; group <= GROUP_INFORMATION; group++) {
		str_appendf(out, ".SS %s\n", option_group_table[group]);
		for (const struct option *option = option_table; option->flag; option++)
			if (is_documented(option, group))
				man_row(out, profile, option);
	}
	str_append(out, man_tail);
}

/* ---- docs/options.md ---- */

void markdown_cell(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|*<", *text))
			str_append_char(out, '\\');
		str_append_char(out, *text);
	}
}

static void markdown_row(struct str *out, const struct option_profile *profile, const struct option *option)
{
	_cleanup_(str_done) struct str help = {};
	char name[OPTION_VARIABLE_MAX];
	size_t before;

	str_append(out, "| `");
	if (option->letter)
		str_appendf(out, "-%c`, `", option->letter);
	str_appendf(out, "%s%s%s%s` | ", option->config_file_only ? "" : "--", option->flag, option->value ? " " : "",
		    option->value ? option->value : "");
	append_help(&help, option);
	markdown_cell(out, help.data);
	str_append_char(out, '.');
	if (option->man) {
		str_append_char(out, ' ');
		markdown_cell(out, option->man);
	}
	str_append(out, " | ");
	before = out->len;
	append_default(out, profile, option);
	str_append(out, out->len > before ? " | " : "| ");
	for (size_t i = 0; i < ARRAY_SIZE(option->keys) && option->keys[i]; i++)
		str_appendf(out, "%s`%s`", i ? ", " : "", option->keys[i]);
	str_append(out, option->keys[0] ? " | " : "| ");
	for (unsigned nth = 1; option_variable(option, nth, name, sizeof(name)); nth++)
		str_appendf(out, "%s`%s`", nth > 1 ? ", " : "", name);
	str_append(out, option_variable(option, 1, name, sizeof(name)) ? " |\n" : "|\n");
}

void options_markdown(const struct option_profile *profile, struct str *out)
{
	str_append(out, "# Options\n\nGenerated by `browserd --markdown options` from the table of options.\n\n");
	str_append(out, variables_about);
	str_append(out, "\n");
	for (size_t group = 0; group <= GROUP_CONFIG_FILE; group++) {
		str_appendf(out, "\n## %s\n\n", option_group_table[group]);
		str_append(out, "| option | meaning | default | config key | other variables |\n|---|---|---|---|---|\n");
		for (const struct option *option = option_table; option->flag; option++)
			if (is_documented(option, group))
				markdown_row(out, profile, option);
	}
}

/* ---- shell completions ---- */

static bool takes_path(const struct option *option)
{
	return option->value && !strcmp(option->value, "PATH");
}

static void append_choices(struct str *out, const struct option *option)
{
	for (int i = 0; option->choices && option->choices[i]; i++)
		str_appendf(out, "%s%s", i ? " " : "", option->choices[i]);
}

static void append_flags(struct str *out)
{
	for (const struct option *option = option_table; option->flag; option++)
		if (!option->hidden && !option->config_file_only)
			str_appendf(out, " --%s", option->flag);
}

static void bash_completion(const char *program, struct str *out)
{
	str_appendf(out,
		    "_%s() {\n"
		    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
		    "\tif [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
		    "\tcase $prev in\n",
		    program);
	for (const struct option *option = option_table; option->flag; option++) {
		if (!option->value)
			continue;
		str_appendf(out, "\t--%s) ", option->flag);
		if (takes_path(option)) {
			str_append(out, "COMPREPLY=($(compgen -f -- \"$cur\")); ");
		} else if (option->choices) {
			str_append(out, "COMPREPLY=($(compgen -W '");
			append_choices(out, option);
			str_append(out, "' -- \"$cur\")); ");
		}
		str_append(out, "return ;;\n");
	}
	str_append(out, "\tesac\n\tCOMPREPLY=($(compgen -W 'doctor install-browser vault playwright-mcp");
	append_flags(out);
	str_appendf(out, "' -- \"$cur\"))\n}\ncomplete -F _%s %s\n", program, program);
}

/* Appends the help escaped for '...' in shells and, for zsh, for [...]. */
static void append_shell_help(struct str *out, const struct option *option, const char *special)
{
	_cleanup_(str_done) struct str help = {};

	append_help(&help, option);
	for (const char *text = help.data; *text; text++) {
		if (*text == '\'')
			str_append(out, "'\\''");
		else if (strchr(special, *text))
			str_appendf(out, "\\%c", *text);
		else
			str_append_char(out, *text);
	}
}

static void zsh_completion(const char *program, struct str *out)
{
	str_appendf(out, "#compdef %s\n_arguments \\\n\t'1::command:(doctor install-browser vault playwright-mcp)'", program);
	for (const struct option *option = option_table; option->flag; option++) {
		if (option->hidden || option->config_file_only)
			continue;
		str_appendf(out, " \\\n\t'%s--%s%s[", option->type == OPTION_LIST ? "*" : "", option->flag,
			    option->value ? "=" : "");
		append_shell_help(out, option, "[]:\\");
		str_append_char(out, ']');
		if (option->value)
			str_appendf(out, ":%s:%s", option->value, takes_path(option) ? "_files" : option->choices ? "(" : " ");
		append_choices(out, option);
		str_append(out, option->choices ? ")'" : "'");
	}
	str_append_char(out, '\n');
}

static void fish_completion(const char *program, struct str *out)
{
	str_appendf(out, "complete -c %s -f -n __fish_is_first_arg -a 'doctor install-browser vault playwright-mcp'\n", program);
	for (const struct option *option = option_table; option->flag; option++) {
		if (option->hidden || option->config_file_only)
			continue;
		str_appendf(out, "complete -c %s -l %s", program, option->flag);
		if (option->letter)
			str_appendf(out, " -s %c", option->letter);
		if (option->value)
			str_append(out, takes_path(option) ? " -r -F" : " -x");
		if (option->choices) {
			str_append(out, " -a '");
			append_choices(out, option);
			str_append_char(out, '\'');
		}
		str_append(out, " -d '");
		append_shell_help(out, option, "\\");
		str_append(out, "'\n");
	}
}

void options_completion(const struct option_profile *profile, enum option_shell shell, struct str *out)
{
	static void (*const write_table[])(const char *program, struct str *out) = {
		[SHELL_BASH] = bash_completion,
		[SHELL_ZSH] = zsh_completion,
		[SHELL_FISH] = fish_completion,
	};

	write_table[shell](profile->program, out);
}
