/* Printing of a page. */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/*
 * The page as PDF, base64 in the task's arena. `options` are members of the parameters of CDP's Page.printToPDF, JSON text; "": the
 * browser's. Suspends.
 */
int page_print_pdf(struct task *t, struct page *p, const char *options, const char **ret_base64);
