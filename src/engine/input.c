#include "engine/input.h"

#include <string.h>

const char *const mouse_button_names[] = { [MOUSE_LEFT] = "left", [MOUSE_RIGHT] = "right", [MOUSE_MIDDLE] = "middle", NULL };

enum mouse_button mouse_button_of_name(const char *name)
{
	for (int i = 0; mouse_button_names[i]; i++)
		if (strcmp(mouse_button_names[i], name) == 0)
			return (enum mouse_button)i;
	return MOUSE_LEFT;
}

unsigned mouse_button_bit(enum mouse_button button)
{
	return 1u << button;
}
