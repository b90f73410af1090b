/* Programs of the operator that prepare pages, run by the engine of browser_run_code_unsafe. */
#pragma once

#include "tools/browser/browse.h"

/* Runs the program on the page, for app.run_init_page. Suspends. */
int code_run_init_page(struct browse *b, struct page *p, const struct init_page *init);
