/* Printing of a page. */
#pragma once

#include "loop/task.h"
#include "page/page.h"

#define PRINT_WITHOUT_MARGINS \
	"{\"marginTop\":0,\"marginBottom\":0,\"marginLeft\":0,\"marginRight\":0,\"generateTaggedPDF\":false}" /* US Letter */

/* The page as PDF, base64 in the task's arena. `options`: the parameters of CDP's Page.printToPDF, JSON text. Suspends. */
int page_print(struct task *t, struct page *p, const char *options, const char **ret_base64);
