/* Printing of a page. */
#pragma once

#include "loop/task.h"
#include "page/page.h"

/* Lengths in inches. */
struct print_options {
	double width, height; /* of the paper */
	struct {
		double top, right, bottom, left;
	} margin;
	double scale; /* 1: the page's own size */
	bool landscape;
	bool background;      /* prints the colours and pictures of backgrounds */
	bool css_size;        /* sizes in the page's @page rules come before width and height */
	bool tagged, outline; /* with tags for assistive technology; with an outline of the headings */
	const char *ranges;   /* "1-5, 8"; "": all pages */
	bool header_and_footer;
	const char *header, *footer; /* their HTML templates; NULL: the browser's */
};

#define PRINT_LETTER 8.5, 11 /* width and height of US Letter */

/* The page as PDF, base64 in the task's arena. Suspends. */
int page_print(struct task *t, struct page *p, const struct print_options *o, const char **ret_base64);
