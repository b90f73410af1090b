/* Targets: what a page is set up with, and those that belong to it, its frames in other processes and its workers. */
#include "engine/navigation.h"
#include "engine/script.h"
#include "page/internal.h"
#include "page/options.h"
#include "scripts/scripts.h"

static void observe_target(struct engine_target *s)
{
	engine_record(s);
	engine_record_log(s);
	engine_attach_new(s);
}

void page_observe(struct page *p)
{
	observe_target(p->target);
}

static void release_pointer(const struct page *p, struct engine_target *s)
{
	_cleanup_(str_done) struct str source = {};

	if (!page_options(p)->releases_pointer)
		return;
	str_appendf(&source, "(%s)()", pointer_lock_script);
	engine_add_script(s, source.data, p->world_name);
}

/* Sends what sets up a target with documents, without waiting. Later calls of this target are answered after these. */
static void prepare_documents(const struct page *p, struct engine_target *s)
{
	engine_report_documents(s);
	/* A script creates the isolated world in every new document, and the target reports it as one more execution context. */
	if (!clipboard_prepare(p, s))
		engine_add_init_script(s, "", p->world_name);
	release_pointer(p, s);
	engine_record(s);
	engine_record_log(s);
	engine_expose(s, SCRIPT_BINDING, p->world_name);
	engine_attach_new(s);
}

void page_prepare(struct page *p)
{
	TELL_PARTS(p->parts, attached, p, p->target, TARGET_PAGE);
	prepare_documents(p, p->target);
	TELL_PARTS(p->parts, prepare, p, p->target, TARGET_PAGE);
	engine_resume(p->target);
}

static void prepare_worker(struct page *p, struct engine_target *s)
{
	TELL_PARTS(p->parts, attached, p, s, TARGET_OTHER);
	engine_record(s);
	TELL_PARTS(p->parts, prepare, p, s, TARGET_OTHER);
	engine_attach_new(s);
}

/* A frame that was there before the page was attached to is not known yet. */
static struct frame *frame_of_target(struct page *p, struct engine_target *s, const struct target_info *info)
{
	struct frame *f = page_find_frame(p, info->id);

	if (f || !*info->id || !page_find_frame(p, info->parent_frame))
		return f;
	f = page_add_frame(p, info->id, info->parent_frame, s);
	if (f)
		frame_set_url(f, info->url, "");
	return f;
}

static void prepare_frame(struct page *p, struct engine_target *s, const struct target_info *info)
{
	struct frame *f = frame_of_target(p, s, info);

	if (f) {
		f->at.target = s;
		f->at.own_world = 0;
	}
	TELL_PARTS(p->parts, attached, p, s, TARGET_FRAME);
	prepare_documents(p, s);
	TELL_PARTS(p->parts, prepare, p, s, TARGET_FRAME);
}

static void observe_child(struct page *p, struct engine_target *s, bool is_frame)
{
	if (is_frame ? !p->no_frames : !p->no_workers)
		observe_target(s);
}

static void attach_child(struct page *p, const struct engine_attachment *a)
{
	struct engine_target *s = engine_target_new(p->target, a->id, &p->parts->events, p);
	bool is_frame = a->target.kind == TARGET_FRAME;

	if (!s) {
		engine_refuse(p->target, a->id);
		return;
	}
	children_add(p, s, !is_frame);
	if (p->role == PAGE_OBSERVED)
		observe_child(p, s, is_frame);
	else if (is_frame)
		prepare_frame(p, s, &a->target);
	else
		prepare_worker(p, s);
	if (!p->handler) /* only the page itself may run there */
		engine_resume(s);
}

static void on_attached(struct engine_target *s, const struct engine_attachment *a, void *page)
{
	attach_child(page, a);
}

static void on_detached(struct engine_target *s, const char *attachment, void *page)
{
	children_remove(page, attachment);
}

static void on_crashed(struct engine_target *s, void *data)
{
	struct page *p = data;

	if (s == p->target)
		page_end(p);
}

const struct engine_target_events page_target_events = {
	.attached = on_attached,
	.detached = on_detached,
	.crashed = on_crashed,
};
