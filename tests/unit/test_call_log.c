#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "reply/call_log.h"

/* The log of a click that met one obstacle, without the control sequences. */
static char *log_of(const char *obstacle)
{
	_cleanup_(str_done) struct str text = {}, log = {}, plain = {};
	_cleanup_(json_freep) struct json *tried = NULL;

	str_appendf(&text, "[{\"at\":0,%s]", obstacle + 1);
	assert_int_equal(json_parse(text.data, text.len, 32, JSON_REFUSE_UNREPRESENTABLE, &tried), 0);
	call_log_attempts(&log, "click", tried, 10);
	for (const char *p = log.data; *p; p++)
		if (*p == '\x1b')
			p = strchr(p, 'm');
		else
			str_append_char(&plain, *p);
	return str_take(&plain);
}

static const struct {
	const char *obstacle, *words;
	bool passed_checks;
} log_table[] = {
	{ "{\"reason\":\"hidden\",\"style\":\"display: none\"}", "element is not visible", false },
	{ "{\"reason\":\"noBox\"}", "element is not visible", false },
	{ "{\"reason\":\"disabled\",\"attribute\":\"aria-disabled\"}", "element is not enabled", false },
	{ "{\"reason\":\"moving\",\"cause\":\"animation\"}", "element is not stable", false },
	{ "{\"reason\":\"moving\",\"onArrival\":true}", "element is not stable", false },
	{ "{\"reason\":\"readOnly\"}", "element is not editable", false },
	{ "{\"reason\":\"notFocusable\"}", "element is not focusable", false },
	{ "{\"reason\":\"focusElsewhere\",\"focused\":\"nothing\"}", "the page moves the focus to nothing", false },
	{ "{\"reason\":\"noSuchOption\"}", "did not find some options", false },
	{ "{\"reason\":\"covered\",\"by\":\"x\",\"hit\":\"<i></i>\"}", "<i></i> intercepts pointer events", true },
	{ "{\"reason\":\"inert\",\"hit\":\"<i></i>\",\"subtree\":\"<b></b>\"}",
	  "<i></i> from <b></b> subtree intercepts pointer events", true },
	{ "{\"reason\":\"outsideViewport\"}", "element is outside of the viewport", true },
};

static void obstacles_have_the_words_of_the_reference(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(log_table); i++) {
		_cleanup_(str_done) struct str line = {};
		char *log = log_of(log_table[i].obstacle);

		str_appendf(&line, "- %s\n", log_table[i].words);
		assert_non_null(strstr(log, line.data));
		assert_int_equal(strstr(log, "done scrolling") != NULL, log_table[i].passed_checks);
		free(log);
	}
}

static void an_element_that_is_gone_ends_the_log(void **state)
{
	char *log = log_of("{\"reason\":\"noMatchAnyMore\",\"locator\":\"x\"}");

	assert_non_null(strstr(log, "element was detached from the DOM, retrying"));
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(obstacles_have_the_words_of_the_reference),
		cmocka_unit_test(an_element_that_is_gone_ends_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
