#include "people/files.h"

#include <string.h>

#include "mcp/http_site.h"

void files_answer(struct http_exchange *x, const char *name)
{
	for (const struct page_file *f = page_files; f->name; f++)
		if (!strcmp(f->name, name)) {
			http_answer(x, 200, f->type, f->bytes, f->len);
			return;
		}
	mcp_site_refuse(x, 404, "There is nothing at this path");
}
