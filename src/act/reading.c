#include "act/reading.h"

#include <string.h>

#include "act/snapshot.h"
#include "act/text_sum.h"
#include "base/limits.h"
#include "engine/elements.h"
#include "page/frames.h"

#define FRAME_MARK '\x1f' /* marks the position of a frame's text, scripts/readtext.js */

struct part {
	_kept_ struct frame *frame; /* a reference held by the caller */
	struct reading_options options;
	const char *prefix;   /* of each line */
	unsigned level;       /* nesting depth of the frame */
	struct text_sum *sum; /* of all documents */
};

static int reading_read_part(struct task *t, const struct part *part, struct reading *ret);

void reading_done(struct reading *r)
{
	str_done(&r->text);
	str_done(&r->headings);
}

static void reading_print_options(const struct part *part, bool asks, struct str *out)
{
	const struct reading_options *o = &part->options;
	char ref_prefix[REF_PREFIX_SIZE];

	frame_ref_prefix(part->frame, ref_prefix);
	str_json(out, "{asks: ?, prefix: ?, limit: ?, urls: ?, refPrefix: ?", asks, part->prefix, text_sum_room(part->sum), o->urls,
		 ref_prefix);
	if (o->ref)
		str_json(out, ", ref: ?", o->ref);
	if (o->section)
		str_json(out, ", section: ?", o->section);
	if (o->words)
		str_json(out, ", words: ?", o->words);
	str_append_char(out, '}');
}

/* Separates it from the text of another document before it, unless it begins with a blank line itself. */
static void reading_append_text(struct reading *ret, const char *text, size_t len)
{
	struct str *out = &ret->text;

	if (!len)
		return;
	if (out->len && out->data[out->len - 1] != '\n' && text[0] != '\n')
		str_append(out, "\n\n");
	str_append_len(out, text, len);
}

static int reading_append_frame(struct task *t, const struct part *part, const struct json *frame, struct reading *ret)
{
	_cleanup_(frame_unrefp) struct frame *f = NULL;
	struct part inside = {
		.options = { .section = ret->is_found ? NULL : part->options.section,
			     .words = part->options.words,
			     .urls = part->options.urls },
		.prefix = json_text(frame, "prefix"),
		.level = part->level + 1,
		.sum = part->sum,
	};
	int r;

	r = frame_of_element(t, part->frame, json_str(frame, "ref"), &f);
	inside.frame = f;
	if (r == 0 && f && inside.level < SNAPSHOT_FRAME_DEPTH_MAX)
		r = reading_read_part(t, &inside, ret);
	return r < 0 && !frame_is_passing(r, f) ? r : 0;
}

/* Whether the frames of a document are wanted: they may have the section, until one has it. */
static bool goes_on(const struct part *part, const struct reading *ret, bool was_found)
{
	if (ret->is_ambiguous || text_sum_room(part->sum) == 0)
		return false;
	return !part->options.section || was_found || !ret->is_found;
}

/* Replaces the position marks in the text by the texts of the frames. `was_found`: the document has the section itself. */
static int reading_insert_frames(struct task *t, const struct part *part, const char *text, const struct json *frames,
				 bool was_found, struct reading *ret)
{
	json_foreach(frame, frames) {
		const char *hole = strchrnul(text, FRAME_MARK);
		int r = 0;

		reading_append_text(ret, text, (size_t)(hole - text));
		if (goes_on(part, ret, was_found))
			r = reading_append_frame(t, part, frame, ret);
		if (r < 0)
			return r;
		text = *hole ? hole + 1 : hole;
	}
	reading_append_text(ret, text, strlen(text));
	return 0;
}

static void note_missing(const struct json *missing, struct reading *ret)
{
	ret->is_ambiguous |= json_bool(missing, "isAmbiguous", false);
	json_foreach(heading, json_get(missing, "headings")) {
		if (ret->headings_count == LIMIT_READ_HEADINGS_COUNT)
			return;
		if (ret->headings_count++)
			str_append(&ret->headings, ", ");
		json_print(&ret->headings, heading);
	}
}

/* The document's own text. It first asks about elements that may have a closed shadow root, as far as it does not know them. */
static int read_document(struct task *t, const struct part *part, struct json **ret)
{
	bool asked = true;
	int r = 0;

	for (unsigned calls = 0; r == 0 && asked; calls++) {
		_cleanup_(str_done) struct str options = {};

		reading_print_options(part, calls < LIMIT_CLOSED_ROOTS_CALLS_COUNT, &options);
		*ret = json_free(*ret);
		r = frame_script(t, part->frame, ret, "read", "?", JSON_RAW(options.data));
		asked = json_bool(*ret, "asks", false);
		if (r == 0 && asked)
			r = MIN(0, engine_keep_closed_roots(t, frame_engine(part->frame), "browserd.hostsToAsk()"));
	}
	return r;
}

/* Returns whether the end did not fit: the script counts UTF-16 units, of which each takes up to three bytes. */
static bool reading_take_text(struct text_sum *sum, const char *text, struct str *out)
{
	size_t len = strlen(text), end = MIN(len, text_sum_room(sum));

	while (end > 0 && end < len && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	text_sum_add(sum, end);
	str_append_len(out, text, end);
	return end < len;
}

static int reading_read_part(struct task *t, const struct part *part, struct reading *ret)
{
	_cleanup_(json_freep) struct json *value = NULL, *frames = NULL;
	_cleanup_(str_done) struct str text = {};
	const struct json *missing;
	bool was_found;
	int r;

	r = read_document(t, part, &value);
	if (r < 0)
		return r;
	missing = json_get(value, "missing");
	was_found = missing == NULL;
	ret->is_found |= was_found;
	note_missing(missing, ret);
	ret->is_cut |= json_bool(value, "isCut", false);
	ret->is_cut |= reading_take_text(part->sum, json_text(value, "text"), &text);
	frames = json_copy(json_get(value, "frames"));
	value = json_free(value); /* which may be much more than what was taken, while frames in frames are read */
	return reading_insert_frames(t, part, str_text(&text), frames, was_found, ret);
}

int frame_read(struct task *t, struct frame *f, const struct reading_options *o, struct reading *ret)
{
	struct text_sum sum = { .limit = LIMIT_READ };
	int r = reading_read_part(t, &(const struct part){ .frame = f, .options = *o, .prefix = "", .sum = &sum }, ret);

	text_sum_done(&sum);
	return r;
}
