#include "engine/context.h"

#include <string.h>

bool engine_knows_permission(const char *name)
{
	static const char *const names[] = {
		"accelerometer",  "ambient-light-sensor", "background-sync", "camera",
		"clipboard-read", "clipboard-write",      "geolocation",     "gyroscope",
		"local-fonts",    "magnetometer",         "microphone",      "midi",
		"midi-sysex",     "notifications",        "payment-handler", "storage-access",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}
