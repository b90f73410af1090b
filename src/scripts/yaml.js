/* Text in the snapshot's YAML: plain where YAML reads it back as the same string, quoted where it would not. */
const YAML_WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const YAML_UNSAFE = /^\s|\s$|[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|^-|:(?:\s|$)|\s#|^[&*\],?!>|@"'#%[]|[{}`]/;
const YAML_ESCAPES = { __proto__: null, '\\': '\\\\', '"': '\\"', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const isYamlNumber = text => !Number.isNaN(Number(text));
/* Nearly all text is of these characters alone, and one look at them is cheaper than all the others. */
const YAML_PLAIN = /^[A-Za-z(/][\w ,.;()/+=?&%!'-]*[\w,.;()/+=?&%!'-]$/;

function needsQuotes(text) {
	if (YAML_PLAIN.test(text))
		return YAML_WORDS.test(text) || text === 'Infinity';
	return text === '' || YAML_UNSAFE.test(text) || isYamlNumber(text) || YAML_WORDS.test(text);
}

/* The character as \u and four digits. */
const unicodeEscape = character => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0');

/* The same in quotes, where characters below 0x100 are \x and two digits. */
const yamlEscape = character => unicodeEscape(character).replace(/^\\u00/, '\\x');

export function yamlValue(text) {
	if (!needsQuotes(text))
		return text;
	return '"' + text.replace(/[\\"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, character => YAML_ESCAPES[character] ?? yamlEscape(character)) + '"';
}

/*
 * `text` begins with a role and has no blank at its end: what is left to look for comes from a name. JSON leaves some line
 * breaks in it as they are, which would begin a row of their own.
 */
const YAML_UNSAFE_KEY = /:\s|\s#|[{}`\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;

export function yamlKey(text) {
	if (!YAML_UNSAFE_KEY.test(text))
		return text;
	return `'${text.replaceAll("'", "''").replace(/[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, unicodeEscape)}'`;
}
