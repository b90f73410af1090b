#include "people/input.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"

static bool input_read_point(const struct json *e, const char *x, const char *y, struct point *ret)
{
	*ret = (struct point){ json_num(e, x, NAN), json_num(e, y, NAN) };
	return isfinite(ret->x) && isfinite(ret->y) && fabs(ret->x) <= LIMIT_SCROLL && fabs(ret->y) <= LIMIT_SCROLL;
}

/* A whole number within these bounds; the lower one where there is none. */
static int input_number(const struct json *e, const char *name, int least, int most)
{
	int64_t n = json_int(e, name, least);

	return n < least ? least : n > most ? most : (int)n;
}

static bool input_read_mouse(const struct json *e, enum person_event_type type, struct person_event *ret)
{
	ret->type = type;
	ret->button = mouse_button_of_name(json_text(e, "button"));
	ret->count = input_number(e, "count", 1, 3);
	if (type == PERSON_WHEEL && !input_read_point(e, "dx", "dy", &ret->delta))
		return false;
	return input_read_point(e, "x", "y", &ret->at);
}

static bool input_read_key(const struct json *e, struct person_event *ret)
{
	int64_t location = json_int(e, "location", 0);

	ret->type = json_bool(e, "down", false) ? PERSON_KEY_DOWN : PERSON_KEY_UP;
	ret->key = json_text(e, "key");
	ret->code = json_text(e, "code");
	ret->text = json_text(e, "text");
	ret->key_code = input_number(e, "keyCode", 0, 255);
	ret->location = location < KEY_STANDARD || location > KEY_NUMPAD ? KEY_STANDARD : (enum key_location)location;
	return *ret->key && strlen(ret->key) < LIMIT_KEY_NAME && strlen(ret->code) < LIMIT_KEY_NAME &&
	       strlen(ret->text) < LIMIT_KEY_NAME;
}

static bool input_read_text(const struct json *e, enum person_event_type type, struct person_event *ret)
{
	ret->type = type;
	ret->text = json_str(e, "text");
	ret->start = input_number(e, "start", 0, INT32_MAX);
	ret->end = input_number(e, "end", 0, INT32_MAX);
	return ret->text && strlen(ret->text) <= LIMIT_INPUT_TEXT;
}

static bool input_read_choice(const struct json *e, struct person_event *ret)
{
	ret->type = PERSON_CHOOSE;
	ret->number = (int)json_int(e, "number", 0);
	ret->index = (int)json_int(e, "index", -1);
	return ret->number > 0 && ret->index >= 0;
}

static bool input_read_event(const struct json *e, struct person_event *ret)
{
	const char *kind = json_text(e, "kind");

	*ret = (struct person_event){ .modifiers = (unsigned)json_int(e, "modifiers", 0) & 15 };
	return strcmp(kind, "move") == 0    ? input_read_mouse(e, PERSON_MOVE, ret) :
	       strcmp(kind, "press") == 0   ? input_read_mouse(e, PERSON_PRESS, ret) :
	       strcmp(kind, "release") == 0 ? input_read_mouse(e, PERSON_RELEASE, ret) :
	       strcmp(kind, "wheel") == 0   ? input_read_mouse(e, PERSON_WHEEL, ret) :
	       strcmp(kind, "key") == 0     ? input_read_key(e, ret) :
	       strcmp(kind, "text") == 0    ? input_read_text(e, PERSON_TEXT, ret) :
	       strcmp(kind, "compose") == 0 ? input_read_text(e, PERSON_COMPOSE, ret) :
	       strcmp(kind, "paste") == 0   ? input_read_text(e, PERSON_PASTE, ret) :
	       strcmp(kind, "choose") == 0  ? input_read_choice(e, ret) :
					      false;
}

static bool is_release(const struct person_event *e)
{
	return e->type == PERSON_RELEASE || e->type == PERSON_KEY_UP;
}

static const char *input_take_event(const struct input_target *to, struct person *person, const struct json *e)
{
	struct person_event event;
	int r;

	if (!input_read_event(e, &event))
		return "malformed";
	if (!to->is_fresh && !is_release(&event))
		return "stale";
	r = person_add(person, &event);
	return r == -ENOBUFS ? "full" : r < 0 ? "gone" : NULL;
}

const char *input_take(const struct input_target *to, struct person **person, const struct json *events)
{
	const char *why = NULL;

	if (!to->page)
		return "gone";
	if (*person && person_page(*person) != to->page)
		*person = person_free(*person);
	if (!*person)
		*person = person_new(to->loop, to->page, to->handler, to->data);
	if (json_count(events) > LIMIT_INPUT_EVENTS_COUNT)
		return "full";
	for (const struct json *e = json_first(events); e && !why; e = json_next(e))
		why = input_take_event(to, *person, e);
	return why;
}
