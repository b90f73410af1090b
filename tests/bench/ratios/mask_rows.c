/* Secrets and patterns in texts of pages. The page may know a secret, as when an agent has typed it there. */
#include "base/mask.h"
#include "observe/redact.h"
#include "ratios/ratios.h"

static const struct secret secrets[] = {
	{ "PLAIN", "s3cretvalue" },
	{ "BLANKS", "correct horse  battery" },
	{ "SPECIAL", "$ecret \\ with \"quotes\"" },
	{ "SLASHES", "\\\\server\\share" },
	{ "QUOTED", "it's'o''k" },
	{ "PERCENT", "%25%26&amp;x" },
	{ "RUN", "aaaaaaaaaaaaaaab" },
	{ "UMLAUT", "Schlüssel für Türen" },
	{},
};

static void configure(void)
{
	mask_configure(secrets);
}

static void masked(const struct str *in)
{
	_cleanup_(str_done) struct str text = {};

	str_append_len(&text, in->data, in->len);
	mask_text(&text);
}

/* `text` as a string in a list, with escapes that have one backslash at any depth. */
static void wrap(struct str *text)
{
	struct str outer = {};

	str_append(&outer, "[\"");
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] == '"')
			str_append(&outer, "\\u0022");
		else if (text->data[i] == '\\')
			str_append(&outer, "\\u005c");
		else
			str_append_char(&outer, text->data[i]);
	str_append(&outer, "\"]");
	str_move(text, &outer);
}

/* JSON in strings of JSON, as deep as fits into n bytes. */
static void make_nested(struct str *out, unsigned n)
{
	str_append(out, "[\"s3cretvalue\"]");
	while (out->len < n)
		wrap(out);
}

static void configure_patterns(void)
{
	static const char *const patterns[] = { "[a-z]+@[a-z]+\\.example", "(key|token)=[^&]*", NULL };

	redact_configure(&(const struct redact_settings){ .patterns = patterns, .headers = true });
}

static void configure_nothing(void)
{
	redact_done();
	mask_done();
}

static void redacted(const struct str *in)
{
	_cleanup_(str_done) struct str text = {};

	str_append_len(&text, in->data, in->len);
	redact(&text);
}

const struct ratio_row ratio_mask_rows[] = {
	{ "mask_text: backslashes", 2000, masked, .unit = "\\", .prepare = configure },
	{ "mask_text: backslashes after a beginning", 5000, masked, .unit = "a\\\\\\" },
	{ "mask_text: beginnings of a secret", 100000, masked, .unit = "aaaaa" },
	{ "mask_text: beginnings of a secret that look cut", 100000, masked, .unit = "aaaa." },
	{ "mask_text: secrets", 50000, masked, .unit = "s3cretvalue" },
	{ "mask_text: secrets that are cut", 50000, masked, .unit = "s3cretv..." },
	{ "mask_text: percent signs", 100000, masked, .unit = "%25" },
	{ "mask_text: one encoded percent sign", 100000, masked, .head = "%", .unit = "25" },
	{ "mask_text: character references", 50000, masked, .unit = "&amp;" },
	{ "mask_text: one encoded ampersand", 50000, masked, .head = "&", .unit = "amp;" },
	{ "mask_text: blanks", 100000, masked, .head = "correct", .unit = " " },
	{ "mask_text: tags", 50000, masked, .unit = "<secret>PLAIN</secret>" },
	{ "mask_text: surrogates and backslashes", 2000, masked, .unit = "\\ud83d\\" },
	{ "mask_text: base64 digits", 100000, masked, .unit = "c3cz" },
	{ "mask_json: strings with secrets", 10000, masked, .head = "[", .unit = "\"s3cretvalue\",", .tail = "1]" },
	{ "mask_json: numbers", 20000, masked, .head = "[\"s3cretvalue\"", .unit = ",1", .tail = "]" },
	{ "mask_json: a string of backslashes", 2000, masked, .head = "[\"s3cretvalue", .unit = "\\\\", .tail = "\"]" },
	{ "mask_json: JSON in strings of JSON", 4000, masked, .make = make_nested },
	{ "redact: a run of letters", 2000, redacted, .unit = "a", .prepare = configure_patterns },
	{ "redact: matches", 64000, redacted, .unit = "key=a&" },
	{ "redact: beginnings of matches", 64000, redacted, .unit = "a@" },
	{ .prepare = configure_nothing },
};
