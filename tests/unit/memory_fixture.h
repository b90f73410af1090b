/* A page in a browser in memory (tests/engine), which shows a shop, and tasks that work on it. */
#pragma once

#include "test.h"

#include "base/error.h"
#include "base/str.h"
#include "browser/context.h"
#include "memory.h"
#include "page/navigate.h"

struct fixture {
	struct loop *loop;
	struct browser *browser;
	struct context *context;
	struct page *page; /* a reference */
	/* Of the last task. */
	int result;
	struct str failure;
};

extern struct memory_document shop, cart;
enum { SHOP_MAIN, SHOP_BUY, SHOP_HELP }; /* elements of `shop`; CART_PAY is one of `cart` */
#define CART_PAY 0
#define ELSEWHERE "http://elsewhere/" /* as `shop`, with "Buy" at another place */
extern struct memory_document elsewhere;

/* The browser has these documents, as they are at first. */
void use_shop(void);

int memory_setup(void **state);
int memory_teardown(void **state);

/* Runs `fn` with the fixture in a task, and returns its result. */
int run_task(struct fixture *f, int (*fn)(struct task *t, void *data));
/* Opens another page in the place of that of the fixture, on the shop as it was. */
void renew_page(struct fixture *f);
