#include "act/print.h"

#include "base/error.h"
#include "engine/cdp/cdp.h"

static void append_parameters(struct str *out, const struct print_options *o)
{
	str_json(out, "{paperWidth: ?, paperHeight: ?, marginTop: ?, marginRight: ?, marginBottom: ?, marginLeft: ?, scale: ?",
		 o->width, o->height, o->margin.top, o->margin.right, o->margin.bottom, o->margin.left, o->scale);
	str_json(out,
		 ", landscape: ?, printBackground: ?, preferCSSPageSize: ?, generateTaggedPDF: ?, generateDocumentOutline: ?, "
		 "pageRanges: ?, displayHeaderFooter: ?",
		 o->landscape, o->background, o->css_size, o->tagged, o->outline, o->ranges, o->header_and_footer);
	if (o->header)
		str_json(out, ", headerTemplate: ?", o->header);
	if (o->footer)
		str_json(out, ", footerTemplate: ?", o->footer);
	str_append(out, "}");
}

int page_print(struct task *t, struct page *p, const struct print_options *o, const char **ret_base64)
{
	_cleanup_(str_done) struct str parameters = {};
	_cleanup_(json_freep) struct json *reply = NULL;
	int r;

	append_parameters(&parameters, o);
	r = cdp_call(t, page_target(p), &reply, "Page.printToPDF", "?", JSON_RAW(parameters.data));
	if (r < 0)
		return r;
	if (!json_str(reply, "result.data"))
		return task_fail(t, -ERR_BROWSER_ERROR, "the browser gave no PDF");
	*ret_base64 = arena_strdup(task_arena(t), json_str(reply, "result.data"));
	return 0;
}
