/* browser_pdf_save. */
#include "engine/capture.h"
#include "reply/output.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"

struct browser_pdf_save {
	const char *sessionId, *filename;
};

static const struct param browser_pdf_save_params[] = { PARAM(browser_pdf_save, filename, "Default: page-TIME.pdf",
							      .empty_is_none = true),
							PARAM(browser_pdf_save, sessionId, NULL, .schema = BROWSE_SESSION),
							{} };

/* The name is checked before the page is printed. */
static int pdf_run(struct browse *b, const void *args)
{
	const struct browser_pdf_save *a = args;
	static const struct print_options options = { PRINT_LETTER, .scale = 1, .ranges = "" };
	const char *data = NULL, *shown;
	struct output_file f;
	int r;

	r = output_choose(b->call.t, &b->call.files, a->filename, "page", "pdf", &f);
	if (r < 0)
		return r;
	task_set_deadline(b->call.t, clock_now() + b->call.timeouts.navigation);
	r = engine_print(b->call.t, page_target(b->page), &options, &data);
	if (r == 0)
		r = response_write_base64(&b->response, &f, data);
	if (r < 0)
		return r;
	shown = output_shown(b->call.t, &b->call.files, f.path);
	response_add(&b->response.result, "- [Page as pdf](%s)", shown);
	browse_code(b, "pdf({\n  path: %s\n});", browse_quote(&b->call, shown));
	return 0;
}

const struct tool tool_browser_pdf_save =
	BROWSE_TOOL("browser_pdf_save", "Save as PDF", browser_pdf_save, "Print the page to a PDF file.",
		    (&(const struct browse_tool){ .run = pdf_run }), .read_only = true, .capability = "pdf");
