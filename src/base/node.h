/*
 * Nodes of a fleet: servers behind one proxy. The ids of a node's sessions begin with its name, "NODE.RANDOM", so that a proxy finds
 * the server of a request by what stands before the first dot, without a state of its own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define NODE_NAME_SIZE 64 /* a DNS label, as the names of pods and most hosts are, with its final zero */

/* 1 to 63 letters, digits, - and _. */
bool node_name_is_valid(const char *name);
/* Writes NODE.RANDOM, as far as it fits; RANDOM alone where `node` is NULL. */
void node_make_id(const char *node, const char *random, char *ret, size_t size);
/* Writes the name of the node that the id belongs to. False: the id names none. */
bool node_of_id(const char *id, char ret[NODE_NAME_SIZE]);
/* Whether the id belongs to a node that is not `own` (NULL: this server is in no fleet, and all ids are its own). */
bool node_is_other(const char *own, const char *id, char ret[NODE_NAME_SIZE]);
