/*
 * What a person does on a live picture, as input to the page (act/person.h). Nothing suspends.
 *
 * Events are objects with a `kind`; x and y are CSS pixels of the page, `modifiers` the sum of Alt 1, Control 2, Meta 4, Shift 8:
 *
 *	move    {x, y, modifiers}                      press, release  {x, y, button: "left" | "middle" | "right", count, modifiers}
 *	wheel   {x, y, dx, dy, modifiers}              key     {down, key, code, keyCode, location, text, modifiers}
 *	text    {text}                                 compose {text, start, end}
 *	paste   {text}                                 choose  {number, index}, of a list that was offered as `choice`
 *
 * Input is for a page and document: it refers to a picture, and that of one before a navigation or another tab is refused ("stale"), but for
 * releases. Other reasons: "full" (the page does not keep up), "gone", "malformed".
 */
#pragma once

#include <stdbool.h>

#include "act/person.h"
#include "base/json.h"

struct input_target {
	struct loop *loop;
	_nullable_ struct page *page; /* that the watch shows, borrowed; NULL: none */
	bool is_fresh;                /* the picture shows the page as it is */
	const struct person_handler *handler;
	void *data;
};

/*
 * Performs the events. `person`: of the page, made when it is needed; of another page it is replaced. Returns why they were refused, or NULL.
 */
const char *input_take(const struct input_target *to, struct person **person, const struct json *events);
