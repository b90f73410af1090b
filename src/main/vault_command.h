/*
 * browserd vault add|list|remove: how a person fills the file of --vault. Passwords and keys are read from the terminal, without an echo, or as
 * JSON from stdin, and never from arguments, which other users of the machine can read.
 */
#pragma once

#include "main/options.h"

/* Reads from `in`, writes to `out`, and what went wrong to stderr. Returns whether it succeeded. */
bool vault_command(const struct options *o, int in, int out);
