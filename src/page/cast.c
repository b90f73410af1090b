/*
 * The browser's cast is stopped whenever all viewers have the last picture and pause, and started when one of them wants the next. The
 * first picture after a start shows the page as it is, so no change is missed; while the page stays as it is, the cast runs on in silence. A page
 * that changes all the time so costs the browser one picture in each pause, and one that never changes costs nothing.
 */
#include "page/cast.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/loop.h"
#include "page/internal.h"
#include "page/navigate.h"

#define LEAST_PAUSE (USEC_PER_SEC / LIMIT_CAST_RATE)
#define ACTIVE_TIME USEC_PER_SEC      /* a page that has changed within it is one of those that share LIMIT_CAST_RATE */
#define INPUT_TIME (2 * USEC_PER_SEC) /* after input of a person, in which its page need not share */
/*
 * After a new document was committed the browser shows the one before for a while, until the new one has drawn something. Then a picture is taken
 * in any case: also one that looks as the one before has to be shown as that of the new document.
 */
#define DRAWING_TIME (600 * USEC_PER_MSEC)

/* Viewers that come and go, or want other sizes, again and again: how often the browser begins anew for them. */
#define CHANGE_PAUSE (250 * USEC_PER_MSEC)

struct page_cast {
	LIST_ENTRY(page_cast) link;
	struct page *page;
	LIST_HEAD(, cast_viewer) viewers;
	struct engine_cast *cast; /* NULL: the browser has none */
	struct timer *timer;      /* of the next viewer whose pause ends */
	struct cast_size size;    /* of the pictures */
	struct cast_picture *latest;
	bool runs;
	usec_t redraw; /* when a picture is taken in any case; USEC_NEVER: there is no need */
	bool in_any_case;
	usec_t pause;     /* between two pictures for a viewer, at least */
	usec_t resized;   /* when the browser was last asked for another size */
	usec_t ends;      /* when it ends, if nobody comes; USEC_NEVER: there are viewers */
	usec_t changed;   /* when the last picture came */
	usec_t had_input; /* of a person */
};

static LIST_HEAD(, page_cast) all_casts = LIST_HEAD_INITIALIZER(all_casts);
static unsigned casts;
static uint64_t last_number;

unsigned cast_count(void)
{
	return casts;
}

struct cast_picture *cast_picture_ref(struct cast_picture *c)
{
	c->refs++;
	return c;
}

struct cast_picture *cast_picture_unref(struct cast_picture *c)
{
	if (c && --c->refs == 0)
		free(c);
	return NULL;
}

/* ---- running ---- */

static void run_cast(struct page_cast *c, bool on)
{
	if (c->runs == on || !c->cast)
		return;
	c->runs = on;
	if (on)
		engine_cast_start(c->cast, &c->size);
	else
		engine_cast_stop(c->cast);
}

static void restart_cast(struct page_cast *c)
{
	if (!c->runs)
		return;
	run_cast(c, false);
	run_cast(c, true);
}

/*
 * Each picture takes the browser time that the calls of all sessions wait for: the pages that change at the moment share the pictures of a
 * second, but for one that a person uses.
 */
static usec_t least_pause(const struct page_cast *c, usec_t now)
{
	const struct page_cast *other;
	unsigned active = 1;

	if (c->had_input && now < c->had_input + INPUT_TIME)
		return LEAST_PAUSE;
	LIST_FOREACH(other, &all_casts, link)
		active += other != c && now < other->changed + ACTIVE_TIME;
	return active * LEAST_PAUSE;
}

/* Gives the viewer the last picture, if it can take it. Returns when it wants the next one; USEC_NEVER: it has to say so. */
static usec_t serve_viewer(struct page_cast *c, struct cast_viewer *v, usec_t now)
{
	if (v->credit && v->due <= now && c->latest && v->shown != c->latest->number) {
		v->credit--;
		v->due = now + MAX(v->pause, c->pause);
		v->shown = c->latest->number;
		v->show(v, c->latest);
	}
	return v->credit ? v->due : USEC_NEVER;
}

static void serve_viewers(struct page_cast *c)
{
	usec_t now = clock_now(), next = USEC_NEVER, due;
	bool wanted = false;
	struct cast_viewer *v;

	if (c->redraw <= now) {
		c->redraw = USEC_NEVER;
		c->resized = now;
		c->in_any_case = !c->latest || c->latest->document != page_commits(c->page);
		restart_cast(c);
	}
	LIST_FOREACH(v, &c->viewers, link) {
		due = serve_viewer(c, v, now);
		wanted |= due <= now;
		next = due > now ? MIN(next, due) : next;
	}
	run_cast(c, wanted);
	next = MIN(next, c->redraw);
	timer_set(c->timer, MIN(next, c->ends));
}

/* ---- pictures ---- */

static bool is_latest(const struct page_cast *c, const uint8_t *jpeg, size_t size)
{
	return c->latest && c->latest->size == size && memcmp(c->latest->jpeg, jpeg, size) == 0;
}

/* NULL: it is no picture. */
static struct cast_picture *decode_picture(const struct page_cast *c, const struct cast_frame *f)
{
	struct cast_picture *p = must(malloc(sizeof(*p) + BASE64_DECODED_SIZE(f->len)));
	ptrdiff_t size = base64_decode(f->base64, f->len, p->jpeg);

	if (size <= 0) {
		free(p);
		return NULL;
	}
	*p = (struct cast_picture){
		.refs = 1, .document = page_commits(c->page), .width = f->width, .height = f->height, .size = (size_t)size
	};
	return must(realloc(p, sizeof(*p) + p->size));
}

static void cast_take_picture(const struct cast_frame *f, void *data)
{
	struct page_cast *c = data;
	struct cast_picture *picture = decode_picture(c, f);

	if (!picture || (is_latest(c, picture->jpeg, picture->size) && !c->in_any_case)) {
		cast_picture_unref(picture);
		return;
	}
	c->in_any_case = false;
	picture->number = ++last_number;
	c->changed = clock_now();
	c->pause = least_pause(c, c->changed);
	cast_picture_unref(c->latest);
	c->latest = picture;
	serve_viewers(c);
}

static const struct engine_cast_events page_cast_events = { .frame = cast_take_picture };

/* ---- viewers ---- */

static void fit_size(struct page_cast *c)
{
	struct cast_size size = { LIMIT_CAST_LEAST, LIMIT_CAST_LEAST };
	const struct cast_viewer *v;

	LIST_FOREACH(v, &c->viewers, link) {
		size.width = MAX(size.width, v->size.width);
		size.height = MAX(size.height, v->size.height);
	}
	size.width = MIN(size.width, LIMIT_CAST_WIDTH);
	size.height = MIN(size.height, LIMIT_CAST_HEIGHT);
	if (size.width == c->size.width && size.height == c->size.height)
		return;
	c->size = size;
	if (clock_now() < c->resized + CHANGE_PAUSE) {
		c->redraw = MIN(c->redraw, c->resized + CHANGE_PAUSE);
		return;
	}
	c->resized = clock_now();
	restart_cast(c);
}

static void page_cast_free(struct page_cast *c)
{
	engine_cast_free(c->cast);
	timer_free(c->timer);
	cast_picture_unref(c->latest);
	c->page->cast = NULL;
	LIST_REMOVE(c, link);
	free(c);
	casts--;
}

static void page_cast_on_timer(void *data)
{
	struct page_cast *c = data;

	if (c->ends <= clock_now())
		page_cast_free(c);
	else
		serve_viewers(c);
}

static struct page_cast *page_cast_new(struct page *p, struct loop *l)
{
	struct page_cast *c = NEW(struct page_cast);

	*c = (struct page_cast){ .page = p, .redraw = USEC_NEVER, .ends = USEC_NEVER };
	LIST_INSERT_HEAD(&all_casts, c, link);
	LIST_INIT(&c->viewers);
	c->timer = timer_new(l, page_cast_on_timer, c);
	c->cast = engine_cast_new(p->target, p->target_id, &page_cast_events, c);
	casts++;
	return c;
}

void cast_join(struct cast_viewer *v, struct page *p)
{
	struct loop *l = p->group ? p->group->loop : NULL;

	if (!l || (!p->cast && casts >= LIMIT_CASTS_COUNT))
		return;
	if (!p->cast)
		p->cast = page_cast_new(p, l);
	v->page = p;
	v->shown = 0;
	p->cast->ends = USEC_NEVER;
	LIST_INSERT_HEAD(&p->cast->viewers, v, link);
	fit_size(p->cast);
	serve_viewers(p->cast);
}

void cast_leave(struct cast_viewer *v)
{
	struct page_cast *c = v->page ? v->page->cast : NULL;

	if (!c)
		return;
	LIST_REMOVE(v, link);
	v->page = NULL;
	if (LIST_EMPTY(&c->viewers))
		c->ends = clock_now() + CHANGE_PAUSE;
	else
		fit_size(c);
	serve_viewers(c);
}

void cast_set_size(struct cast_viewer *v, const struct cast_size *size, usec_t pause)
{
	v->size = *size;
	v->pause = pause;
	if (!v->page || !v->page->cast)
		return;
	fit_size(v->page->cast);
	serve_viewers(v->page->cast);
}

void cast_add_credit(struct cast_viewer *v)
{
	v->credit++;
	if (v->page && v->page->cast)
		serve_viewers(v->page->cast);
}

void cast_hurry(struct page *p)
{
	struct page_cast *c = p->cast;
	usec_t now = clock_now();
	struct cast_viewer *v;

	if (!c || !c->cast)
		return;
	c->had_input = now;
	engine_cast_hurry(c->cast);
	LIST_FOREACH(v, &c->viewers, link)
		if (v->pause <= LEAST_PAUSE)
			v->due = MIN(v->due, now + LEAST_PAUSE);
	serve_viewers(c);
}

/* ---- the page ---- */

void cast_document_changed(struct page *p)
{
	if (!p->cast)
		return;
	p->cast->redraw = clock_now() + DRAWING_TIME;
	serve_viewers(p->cast);
}

static void cast_gone(struct page *p)
{
	struct cast_viewer *v;

	if (!p->cast)
		return;
	while ((v = LIST_FIRST(&p->cast->viewers))) {
		LIST_REMOVE(v, link);
		v->page = NULL;
	}
	page_cast_free(p->cast);
}

const struct page_part cast_part = { .gone = cast_gone };
