/* browserd with the fixtures of the conformance suites: the same options, the same server, more tools, resources and prompts. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fixtures.h"
#include "main/options.h"
#include "main/serve.h"
#include "tools/table.h"

extern char **environ;

int main(int argc, char *argv[])
{
	struct option_profile profile = option_profile_table[0];
	_cleanup_(freep) const struct tool **with_content = tool_join(profile.server.tools, tool_table_conformance);
	_cleanup_(freep) const struct tool **with_questions = tool_join(with_content, tool_table_conformance_ask);
	_cleanup_(freep) const struct tool **all = tool_join(with_questions, tool_table_conformance_tasks);
	_cleanup_(str_done) struct str error = {};
	struct options options;
	int r;

	signal(SIGPIPE, SIG_IGN);
	if (options_parse(&options, &profile, argv, environ, &error) < 0) {
		fprintf(stderr, "%s\n", str_text(&error));
		return EXIT_FAILURE;
	}
	profile.server.tools = all;
	profile.server.resources = &conformance_resources;
	profile.server.prompts = &conformance_prompts;
	r = serve(&options, &profile, STDIN_FILENO, STDOUT_FILENO);
	options_done(&options);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
