/* Text in the snapshot's YAML: plain where YAML reads it back as the same string, quoted where it would not. */
const YAML_WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const YAML_UNSAFE = /^\s|\s$|[\x00-\x08\x0a-\x1f\x7f-\x9f]|^-|:(?:\s|$)|\s#|^[&*\],?!>|@"'#%[]|[{}`]/;
const YAML_ESCAPES = { __proto__: null, '\\': '\\\\', '"': '\\"', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const isYamlNumber = text => !Number.isNaN(Number(text));
/* Nearly all text is of these characters alone, and one look at them is cheaper than all the others. */
const YAML_PLAIN = /^[A-Za-z(/][\w ,.;()/+=?&%!'-]*[\w,.;()/+=?&%!'-]$/;

function needsQuotes(text) {
	if (YAML_PLAIN.test(text))
		return YAML_WORDS.test(text) || text === 'Infinity';
	return text === '' || YAML_UNSAFE.test(text) || isYamlNumber(text) || YAML_WORDS.test(text);
}

function yamlValue(text) {
	if (!needsQuotes(text))
		return text;
	return '"' + text.replace(/[\\"\x00-\x1f\x7f-\x9f]/g, character =>
		YAML_ESCAPES[character] ?? '\\x' + character.charCodeAt(0).toString(16).padStart(2, '0')) + '"';
}

/* `text` begins with a role and has no blank at its end: what is left to look for comes from a name. */
const YAML_UNSAFE_KEY = /:\s|\s#|[{}`\x7f-\x9f]/;

function yamlKey(text) {
	return YAML_UNSAFE_KEY.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
