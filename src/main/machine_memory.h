/* How much memory the processes of this program may take together. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct machine_memory {
	uint64_t bytes;    /* 0: not known */
	bool is_of_cgroup; /* a container's or a unit's limit, below what the machine has */
};

/* `root`: where /proc and /sys are, "" except in tests. */
struct machine_memory machine_memory(const char *root);
/* What this program takes of it by default: a fifth is left for pages that grow, and for what else runs there. */
uint64_t memory_share(uint64_t bytes);
