/* Text in the snapshot's YAML: plain where YAML reads it back as the same string, quoted where it would not. */
const YAML_WORDS = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
const YAML_UNSAFE = /^\s|\s$|[\x00-\x08\x0a-\x1f\x7f-\x9f]|^-|:(?:\s|$)|\s#|^[&*\],?!>|@"'#%[]|[{}`]/;
const YAML_ESCAPES = { __proto__: null, '\\': '\\\\', '"': '\\"', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const isYamlNumber = text => !Number.isNaN(Number(text));
const needsQuotes = text => text === '' || YAML_UNSAFE.test(text) || isYamlNumber(text) || YAML_WORDS.test(text);

function yamlValue(text) {
	if (!needsQuotes(text))
		return text;
	return '"' + text.replace(/[\\"\x00-\x1f\x7f-\x9f]/g, character =>
		YAML_ESCAPES[character] ?? '\\x' + character.charCodeAt(0).toString(16).padStart(2, '0')) + '"';
}

function yamlKey(text) {
	return needsQuotes(text) ? `'${text.replaceAll("'", "''")}'` : text;
}
