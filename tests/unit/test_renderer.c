/* When the garbage in the process of a page is collected: a real child process stands for it, which takes and gives back memory. */
#include "test.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/cdp/cdp.h"
#include "engine/events.h"
#include "engine/processes.h"
#include "cdp_pair.h"
#include "loop/loop.h"
#include "page/renderer.h"
#include "run_queued.h"

#define MIB (1u << 20)
#define MOST (64u * MIB)

struct fixture {
	struct loop *loop;
	struct cdp *cdp;
	struct engine_target *session;
	int peer;    /* the browser's end of the connection */
	int control; /* to the child */
	struct renderer renderer;
};

/* The child: has as many MiB as the last byte that it got says, and confirms each. */
static int run_child(int control)
{
	unsigned char wanted;
	char *memory = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	while (memory != MAP_FAILED && read(control, &wanted, 1) == 1) {
		madvise(memory, MOST, MADV_DONTNEED);
		memset(memory, 1, (size_t)wanted * MIB);
		if (write(control, &wanted, 1) != 1)
			break;
	}
	return 0;
}

static pid_t start_child(int *ret_control)
{
	int fds[2];
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pid = fork();
	if (pid == 0) {
		dup2(fds[1], STDIN_FILENO);
		close(fds[0]);
		execl("/proc/self/exe", "renderer", engine_process_argument(NULL, ENGINE_RENDERER), NULL);
		_exit(1);
	}
	assert_true(pid > 0);
	close(fds[1]);
	*ret_control = fds[0];
	return pid;
}

static void have(struct fixture *f, unsigned char mib)
{
	unsigned char had;

	assert_int_equal(write(f->control, &mib, 1), 1);
	assert_int_equal(read(f->control, &had, 1), 1);
	assert_int_equal(had, mib);
}

static int setup(void **state)
{
	struct fixture *f = NEW(struct fixture);

	f->peer = cdp_pair(&f->loop, &cdp_pair_ignored, f, &f->cdp);
	f->session = cdp_session_new(f->cdp, "S1", NULL, NULL);
	f->renderer.ancestor = getpid();
	f->renderer.pid = start_child(&f->control);
	f->renderer.argument = engine_process_argument(NULL, ENGINE_RENDERER);
	have(f, 1); /* it runs */
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	pid_t pid = f->renderer.pid;

	renderer_done(&f->renderer);
	close(f->control);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	engine_target_free(f->session);
	cdp_pair_end(f->loop, f->cdp, f->peer);
	free(f);
	return 0;
}

static bool is_collected(struct fixture *f)
{
	return renderer_collect_garbage(&f->renderer, f->session);
}

/* The browser answers the request under way, after which the process has `mib`. */
static void answer(struct fixture *f, unsigned char mib, const char *reply)
{
	have(f, mib);
	cdp_receive(f->cdp, reply, strlen(reply));
	run_queued(f->loop);
	assert_null(f->renderer.collecting.target);
}

static void a_small_process_is_left_alone(void **state)
{
	assert_false(is_collected(*state));
}

static void only_growth_since_the_last_time_is_worth_it(void **state)
{
	struct fixture *f = *state;

	have(f, 48);
	assert_true(is_collected(f));
	assert_false(is_collected(f)); /* it is under way */
	answer(f, 32, "{\"id\":2,\"result\":{},\"sessionId\":\"S1\"}");
	assert_false(is_collected(f));
	have(f, 34);
	assert_false(is_collected(f));
	have(f, 48);
	assert_true(is_collected(f));
	answer(f, 48, "{\"id\":3,\"result\":{},\"sessionId\":\"S1\"}");
	assert_false(is_collected(f)); /* nothing was garbage */
}

/* The kernel has it some time after the reply. */
static void memory_that_is_given_back_late(void **state)
{
	struct fixture *f = *state;

	have(f, 60);
	assert_true(is_collected(f));
	answer(f, 60, "{\"id\":2,\"result\":{},\"sessionId\":\"S1\"}");
	have(f, 32);
	assert_false(is_collected(f));
	have(f, 48);
	assert_true(is_collected(f));
}

static void a_process_that_is_not_known(void **state)
{
	struct fixture *f = *state;
	struct renderer none = {};

	have(f, 48);
	assert_false(renderer_collect_garbage(&none, f->session));
	assert_false(renderer_collect_garbage(&f->renderer, NULL));
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_small_process_is_left_alone),
		TEST(only_growth_since_the_last_time_is_worth_it),
		TEST(memory_that_is_given_back_late),
		TEST(a_process_that_is_not_known),
	};

	if (argc > 1 && strcmp(argv[1], engine_process_argument(NULL, ENGINE_RENDERER)) == 0)
		return run_child(STDIN_FILENO);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
