#include "memory_fixture.h"

#include <string.h>

#include "base/log.h"
#include "browser/browser.h"
#include "loop/failure_words.h"

static const struct memory_node shop_nodes[] = {
	[SHOP_MAIN] = { 0, NULL, "main", "Shop", { 0, 0, 800, 600 } },
	[SHOP_BUY] = { 1, "e2", "button", "Buy", { 10, 10, 100, 30 }, .leads_to = "http://cart/" },
	[SHOP_HELP] = { 1, "e3", "button", "Help", { 10, 50, 100, 30 }, .says = "Just ask" },
	{},
};
static struct memory_node shop_now[ARRAY_SIZE(shop_nodes)];
static struct memory_node elsewhere_now[] = { { 0, "e2", "button", "Buy", { 400, 300, 100, 30 } }, {} };
static struct memory_node cart_now[] = { { 0, "e1", "button", "Pay", { 10, 10, 100, 30 } }, {} };

struct memory_document shop = { "http://shop/", "Shop", shop_now };
struct memory_document cart = { "http://cart/", "Cart", cart_now };
struct memory_document elsewhere = { ELSEWHERE, "Elsewhere", elsewhere_now };
static struct memory_document *const documents[] = { &shop, &cart, &elsewhere, NULL };

void use_shop(void)
{
	memory = (struct memory_plan){ .documents = documents };
	memcpy(shop_now, shop_nodes, sizeof(shop_now));
	elsewhere_now[0].presses = cart_now[0].presses = 0;
}

static int open_shop(struct task *t, void *data)
{
	struct fixture *f = data;
	int r = f->context ? 0 : context_new(t, f->browser, NULL, &f->context);

	if (r == 0)
		r = context_open_page(t, f->context, &f->page);
	return r < 0 ? r : page_navigate(t, f->page, shop.url, WAIT_LOAD, 60 * USEC_PER_SEC, NULL);
}

void renew_page(struct fixture *f)
{
	use_shop();
	if (f->page && page_alive(f->page))
		page_close(f->page);
	f->page = page_unref(f->page);
	assert_int_equal(run_task(f, open_shop), 0);
}

int memory_setup(void **state)
{
	static const struct browser_options options = { .start.headless = true,
							.timeout_launch = 60 * USEC_PER_SEC,
							.endpoint_timeout = 60 * USEC_PER_SEC };
	struct fixture *f = NEW(struct fixture);

	log_set_level(LOG_EMERGENCY);
	assert_int_equal(loop_new(&f->loop), 0);
	f->browser = browser_new(f->loop, &options, NULL, NULL);
	renew_page(f);
	*state = f;
	return 0;
}

int memory_teardown(void **state)
{
	struct fixture *f = *state;

	memory.before = NULL;
	page_unref(f->page);
	context_free(f->context);
	browser_free(f->browser);
	while (task_count() > 0)
		loop_step(f->loop);
	loop_free(f->loop);
	str_done(&f->failure);
	free(f);
	return 0;
}

struct running {
	struct fixture *f;
	int (*fn)(struct task *t, void *data);
	bool ended;
};

static int run_one(struct task *t, void *data)
{
	struct running *x = data;

	return x->fn(t, x->f);
}

static void on_ended(struct task *t, int result, void *data)
{
	struct running *x = data;
	int code = result < 0 ? task_error(t) : 0;

	x->ended = true;
	x->f->result = result;
	str_set(&x->f->failure, code && failure_has_words(t, code) ? failure_words(t, code) : "");
}

int run_task(struct fixture *f, int (*fn)(struct task *t, void *data))
{
	struct running x = { f, fn, false };

	assert_int_equal(task_start(f->loop, "test", run_one, on_ended, &x, NULL), 0);
	while (!x.ended)
		assert_int_equal(loop_step(f->loop), 0);
	return f->result;
}
