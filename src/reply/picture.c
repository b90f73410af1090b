#include "reply/picture.h"

#include "reply/writer.h"

void picture_plan(const struct response_settings *s, const struct picture_wish *wish, struct capture *c)
{
	s->writer->plan_picture(wish, c);
}

const char *picture_type(const struct picture *pic)
{
	return pic->format[0] == 'j' ? "image/jpeg" : pic->format[0] == 'w' ? "image/webp" : "image/png";
}

static void append_scale(const struct picture *pic, const struct capture *c, struct str *out)
{
	if (c->device_scale)
		str_append(out, "shown in device pixels");
	else
		str_appendf(out, "shown at %.4g", pic->scale);
	if (pic->scale < 1)
		str_appendf(out, " (coordinates are pixels / %.4g)", pic->scale);
}

void picture_describe(const struct picture *pic, const struct capture *c, const char *what, struct str *out)
{
	if (!pic->parts || (pic->scale == 1 && !c->part)) /* whole, and as it is */
		return;
	if (c->part)
		str_appendf(out, "part %u of %u of the ", c->part, pic->parts);
	str_appendf(out, "%.0fx%.0f %s, ", pic->whole_width, pic->whole_height, what);
	if (c->part)
		str_appendf(out, "from y %.0f, ", pic->top);
	append_scale(pic, c, out);
	if (!c->part && pic->parts > 1)
		str_appendf(out, "; part: 1 to %u shows it larger", pic->parts);
}
