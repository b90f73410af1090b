/*
 * Which schemas of a page's tools are listed. Clients check the list of tools as a whole, and so do the services that they pass
 * it to: one schema that is refused there takes all tools away from the agent. So a schema is accepted if
 *
 * - it is what the validation of the official MCP clients accepts: type "object", properties that are objects, required names,
 * - its keywords have the values that JSON Schema (2020-12, Validation and Core) requires; others are annotations of any value,
 * - it refers to nothing but its own definitions, which are not recursive (clients put them in the place of the reference), and gives
 *   itself no identity, which could be that of another tool's schema,
 * - names of arguments have the characters and the length that models' services accept,
 * - it is bounded in depth and size, and its texts have no characters that terminals would act on.
 */
#include <ctype.h>
#include <string.h>

#include "base/limits.h"
#include "base/names.h"
#include "page/internal.h"

#define ARGUMENT_NAME_MAX 64
#define KEYWORDS_MAX 4096 /* those of definitions count for each reference */

struct check {
	const struct json *root;
	unsigned depth;
	unsigned keywords;
	size_t left; /* bytes that values may still have */
};

typedef bool (*check_fn)(struct check *c, const struct json *v);

static bool is_schema(struct check *c, const struct json *v);

/* ---- any value ---- */

static bool takes_text(struct check *c, const char *text)
{
	size_t len = strlen(text) + 1;

	if (len > c->left || !is_printable(text))
		return false;
	c->left -= len;
	return true;
}

static bool is_bounded(struct check *c, const struct json *v);

static bool is_bounded_member(struct check *c, const struct json *v)
{
	return (!json_name(v) || takes_text(c, json_name(v))) && is_bounded(c, v);
}

/* Members with the same name mean different things to different parsers. */
static bool has_unique_names(const struct json *v)
{
	_cleanup_(names_done) struct names names = { .compare = strcmp };

	json_foreach(member, json_type(v) == JSON_OBJECT ? v : NULL)
		names_add(&names, json_name(member));
	names_sort(&names);
	return !names_repeat(&names);
}

static bool has_bounded_members(struct check *c, const struct json *v)
{
	if (json_count(v) > LIMIT_WEBMCP_MEMBERS_COUNT || c->depth >= LIMIT_WEBMCP_DEPTH || !has_unique_names(v))
		return false;
	c->depth++;
	json_foreach(member, v)
		if (!is_bounded_member(c, member))
			return false;
	c->depth--;
	return true;
}

static bool is_bounded(struct check *c, const struct json *v)
{
	return json_type(v) == JSON_STRING ? takes_text(c, json_str(v, NULL)) : takes_text(c, "") && has_bounded_members(c, v);
}

/* ---- values of keywords ---- */

static bool is_text(struct check *c, const struct json *v)
{
	return json_type(v) == JSON_STRING;
}

static bool is_bool(struct check *c, const struct json *v)
{
	return json_type(v) == JSON_BOOL;
}

static bool is_number(struct check *c, const struct json *v)
{
	return json_type(v) == JSON_NUMBER;
}

static bool is_positive(struct check *c, const struct json *v)
{
	return is_number(c, v) && json_num(v, NULL, 0) > 0;
}

static bool is_size(struct check *c, const struct json *v)
{
	return is_number(c, v) && json_int(v, NULL, -1) >= 0;
}

static bool is_array(struct check *c, const struct json *v)
{
	return json_type(v) == JSON_ARRAY;
}

/* `type`: JSON_ARRAY or JSON_OBJECT. */
static bool has_only(struct check *c, const struct json *v, enum json_type type, check_fn is_item)
{
	if (json_type(v) != type)
		return false;
	json_foreach(item, v)
		if (!is_item(c, item))
			return false;
	return true;
}

static bool is_list_of(struct check *c, const struct json *v, check_fn is_item)
{
	return has_only(c, v, JSON_ARRAY, is_item);
}

static bool is_map_of(struct check *c, const struct json *v, check_fn is_member)
{
	return has_only(c, v, JSON_OBJECT, is_member);
}

static bool is_names(struct check *c, const struct json *v)
{
	return is_list_of(c, v, is_text);
}

static bool is_type_name(struct check *c, const struct json *v)
{
	static const char *const type_table[] = { "array", "boolean", "integer", "null", "number", "object", "string" };

	for (size_t i = 0; i < ARRAY_SIZE(type_table); i++)
		if (strcmp(json_text(v, NULL), type_table[i]) == 0)
			return true;
	return false;
}

static bool is_type(struct check *c, const struct json *v)
{
	return is_type_name(c, v) || (json_count(v) > 0 && is_list_of(c, v, is_type_name));
}

static bool is_values(struct check *c, const struct json *v)
{
	return is_array(c, v) && json_count(v) > 0;
}

static bool is_dialect(struct check *c, const struct json *v)
{
	const char *text = json_text(v, NULL);

	return starts_with(text, "https://json-schema.org/") || starts_with(text, "http://json-schema.org/");
}

/* The definition of the same schema that "#/$defs/NAME" or "#/definitions/NAME" refers to; NULL: none. */
static const struct json *referred(const struct check *c, const char *reference)
{
	static const char *const place_table[][2] = { { "#/$defs/", "$defs" }, { "#/definitions/", "definitions" } };

	for (size_t i = 0; i < ARRAY_SIZE(place_table); i++)
		if (starts_with(reference, place_table[i][0]))
			return json_member(json_member(c->root, place_table[i][1]), reference + strlen(place_table[i][0]));
	return NULL;
}

static bool is_reference(struct check *c, const struct json *v)
{
	const struct json *definition = referred(c, json_text(v, NULL));
	bool accepted;

	if (!definition || c->depth >= LIMIT_WEBMCP_DEPTH)
		return false;
	c->depth++;
	accepted = is_schema(c, definition);
	c->depth--;
	return accepted;
}

static bool is_schemas(struct check *c, const struct json *v)
{
	return json_count(v) > 0 && is_list_of(c, v, is_schema);
}

static bool is_schema_map(struct check *c, const struct json *v)
{
	return is_map_of(c, v, is_schema);
}

static bool is_name_map(struct check *c, const struct json *v)
{
	return is_map_of(c, v, is_names);
}

/* ---- schemas ---- */

static const struct {
	const char *name;
	check_fn takes;
} keyword_table[] = {
	{ "$schema", is_dialect },
	{ "$ref", is_reference },
	{ "$defs", is_schema_map },
	{ "$comment", is_text },
	{ "additionalProperties", is_schema },
	{ "allOf", is_schemas },
	{ "anyOf", is_schemas },
	{ "contains", is_schema },
	{ "contentEncoding", is_text },
	{ "contentMediaType", is_text },
	{ "contentSchema", is_schema },
	{ "definitions", is_schema_map },
	{ "dependentRequired", is_name_map },
	{ "dependentSchemas", is_schema_map },
	{ "deprecated", is_bool },
	{ "description", is_text },
	{ "else", is_schema },
	{ "enum", is_values },
	{ "examples", is_array },
	{ "exclusiveMaximum", is_number },
	{ "exclusiveMinimum", is_number },
	{ "format", is_text },
	{ "if", is_schema },
	{ "items", is_schema },
	{ "maxContains", is_size },
	{ "maxItems", is_size },
	{ "maxLength", is_size },
	{ "maxProperties", is_size },
	{ "maximum", is_number },
	{ "minContains", is_size },
	{ "minItems", is_size },
	{ "minLength", is_size },
	{ "minProperties", is_size },
	{ "minimum", is_number },
	{ "multipleOf", is_positive },
	{ "not", is_schema },
	{ "oneOf", is_schemas },
	{ "pattern", is_text },
	{ "patternProperties", is_schema_map },
	{ "prefixItems", is_schemas },
	{ "properties", is_schema_map },
	{ "propertyNames", is_schema },
	{ "readOnly", is_bool },
	{ "required", is_names },
	{ "then", is_schema },
	{ "title", is_text },
	{ "type", is_type },
	{ "unevaluatedItems", is_schema },
	{ "unevaluatedProperties", is_schema },
	{ "uniqueItems", is_bool },
	{ "writeOnly", is_bool },
};

static bool is_keyword(struct check *c, const struct json *v)
{
	const char *name = json_name(v);

	if (c->keywords++ >= KEYWORDS_MAX)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(keyword_table); i++)
		if (strcmp(keyword_table[i].name, name) == 0)
			return keyword_table[i].takes(c, v);
	return *name != '$' && strcmp(name, "id") != 0;
}

static bool is_schema(struct check *c, const struct json *v)
{
	if (json_type(v) != JSON_OBJECT)
		return is_bool(c, v);
	json_foreach(keyword, v)
		if (!is_keyword(c, keyword))
			return false;
	return true;
}

static bool is_argument(const struct json *property)
{
	const char *name = json_name(property);
	size_t len = strlen(name);

	if (json_type(property) != JSON_OBJECT || len == 0 || len > ARGUMENT_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("_.-", name[i]))
			return false;
	return true;
}

bool webmcp_schema_is_accepted(const struct json *schema)
{
	struct check c = { .root = schema, .left = LIMIT_WEBMCP_TEXT };

	if (json_type(schema) != JSON_OBJECT || strcmp(json_text(json_member(schema, "type"), NULL), "object") != 0 ||
	    !is_bounded(&c, schema))
		return false;
	json_foreach(property, json_member(schema, "properties"))
		if (!is_argument(property))
			return false;
	return is_schema(&c, schema);
}
