/* Runs the server until the client has left or a signal requests the shutdown. */
#pragma once

#include "main/options.h"

/*
 * Sets up and takes down signals, descriptors and the browser. Returns 0, or a negative errno if the server could not
 * start. Messages are written to `out`; stdout itself must be another descriptor by then.
 */
int serve(const struct options *o, const struct option_profile *profile, int in, int out);
