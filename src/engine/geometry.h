/* Places in a page, in CSS pixels. */
#pragma once

struct point {
	double x, y;
};

struct rect {
	double x, y, width, height;
};
