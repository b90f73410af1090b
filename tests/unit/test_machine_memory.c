/* What a machine, or the control group of a container or unit, has. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "loop/remove.h"
#include "main/machine_memory.h"

static char root[] = "/tmp/browserd-test-XXXXXX";

static void put(const char *path, const char *text)
{
	_cleanup_(str_done) struct str whole = {};
	FILE *f;

	str_appendf(&whole, "%s%s", root, path);
	for (char *p = whole.data + strlen(root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(whole.data, 0700);
		*p = '/';
	}
	f = fopen(whole.data, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void expect(uint64_t mib, bool is_of_cgroup)
{
	struct machine_memory m = machine_memory(root);

	assert_int_equal(m.bytes, mib << 20);
	assert_int_equal(m.is_of_cgroup, is_of_cgroup);
}

static int setup(void **state)
{
	(void)state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	remove_tree(root);
	return 0;
}

static void test_a_machine(void **state)
{
	(void)state;
	expect(0, false);
	put("/proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         1048576 kB\n");
	expect(8192, false);
	put("/proc/self/cgroup", "0::/user.slice\n");
	expect(8192, false);
	put("/sys/fs/cgroup/user.slice/memory.max", "max\n");
	expect(8192, false);
	put("/sys/fs/cgroup/user.slice/memory.max", "17179869184\n"); /* more than there is */
	expect(8192, false);
}

static void test_control_groups(void **state)
{
	(void)state;
	put("/proc/meminfo", "MemTotal:        8388608 kB\n");
	put("/proc/self/cgroup", "0::/system.slice/browserd.service\n");
	put("/sys/fs/cgroup/system.slice/memory.max", "1073741824\n"); /* of one around it */
	put("/sys/fs/cgroup/system.slice/browserd.service/memory.max", "2147483648\n");
	expect(1024, true);
	put("/sys/fs/cgroup/system.slice/memory.max", "max\n");
	expect(2048, true);
}

/* In a container its own group is the uppermost one that it sees. */
static void test_containers(void **state)
{
	(void)state;
	put("/proc/meminfo", "MemTotal:        8388608 kB\n");
	put("/proc/self/cgroup", "0::/\n");
	put("/sys/fs/cgroup/memory.max", "536870912\n");
	expect(512, true);
	put("/sys/fs/cgroup/memory.max", "max\n");
	put("/proc/self/cgroup", "5:cpu:/\n4:memory:/docker/4711\n0::/\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
	expect(256, true);
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"); /* no limit */
	expect(8192, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_machine, setup, teardown),
		cmocka_unit_test_setup_teardown(test_control_groups, setup, teardown),
		cmocka_unit_test_setup_teardown(test_containers, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
