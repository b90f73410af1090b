"""A JSON Schema checker for the subset that tools use. An unknown keyword is an error: no check is skipped silently."""

ANNOTATIONS = {"title", "description", "default", "examples", "$schema", "format", "contentEncoding"}

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: not isinstance(v, bool) and (isinstance(v, int) or isinstance(v, float) and v.is_integer()),
}


class SchemaError(AssertionError):
    """The value does not fit the schema, or the schema uses a word that this checker does not know."""


def check(value, schema, path="$"):
    """Raises SchemaError when `value` does not fit `schema`."""
    if schema is True:
        return
    if schema is False:
        raise SchemaError(f"{path}: nothing is allowed here, got {value!r}")
    for word, rule in schema.items():
        if word in ANNOTATIONS:
            continue
        if word not in RULES:
            raise SchemaError(f"{path}: the checker does not know the keyword {word!r}")
        RULES[word](value, rule, schema, path)


def _require(fits, path, message):
    if not fits:
        raise SchemaError(f"{path}: {message}")


def _type(value, rule, _schema, path):
    names = rule if isinstance(rule, list) else [rule]
    _require(any(TYPES[name](value) for name in names), path, f"{value!r:.200} is no {' or '.join(names)}")


def _properties(value, rule, _schema, path):
    if isinstance(value, dict):
        for name in rule.keys() & value.keys():
            check(value[name], rule[name], f"{path}.{name}")


def _required(value, rule, _schema, path):
    if isinstance(value, dict):
        _require(not set(rule) - value.keys(), path, f"lacks {sorted(set(rule) - value.keys())}")


def _additional(value, rule, schema, path):
    if isinstance(value, dict):
        for name in value.keys() - schema.get("properties", {}).keys():
            check(value[name], rule, f"{path}.{name}")


def _items(value, rule, _schema, path):
    if isinstance(value, list):
        for index, item in enumerate(value):
            check(item, rule, f"{path}[{index}]")


def _compared(kind, fits, words):
    def rule_of(value, rule, _schema, path):
        if TYPES[kind](value):
            _require(fits(value, rule), path, f"{value!r:.200} is {words} {rule}")
    return rule_of


def _matching(value, schemas):
    return sum(fits(value, schema) for schema in schemas)


def fits(value, schema):
    """True when `value` fits `schema`."""
    try:
        check(value, schema)
    except SchemaError:
        return False
    return True


RULES = {
    "type": _type,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
    "enum": lambda v, rule, _s, path: _require(v in rule, path, f"{v!r} is not one of {rule}"),
    "const": lambda v, rule, _s, path: _require(v == rule, path, f"{v!r} is not {rule!r}"),
    "minimum": _compared("number", lambda v, rule: v >= rule, "below"),
    "maximum": _compared("number", lambda v, rule: v <= rule, "above"),
    "exclusiveMinimum": _compared("number", lambda v, rule: v > rule, "not above"),
    "minLength": _compared("string", lambda v, rule: len(v) >= rule, "shorter than"),
    "maxLength": _compared("string", lambda v, rule: len(v) <= rule, "longer than"),
    "minItems": _compared("array", lambda v, rule: len(v) >= rule, "shorter than"),
    "maxItems": _compared("array", lambda v, rule: len(v) <= rule, "longer than"),
    "allOf": lambda v, rule, _s, path: [check(v, schema, path) for schema in rule],
    "anyOf": lambda v, rule, _s, path: _require(_matching(v, rule) > 0, path, "fits no branch of anyOf"),
    "oneOf": lambda v, rule, _s, path: _require(_matching(v, rule) == 1, path, "does not fit exactly one branch"),
}
