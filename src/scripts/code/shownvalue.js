/* Values as the failures of expect() show them. */
const LONGEST_SHOWN = 2000;

function asText(value, seen) {
	if (typeof value === 'string')
		return JSON.stringify(value);
	if (typeof value === 'bigint')
		return `${value}n`;
	if (typeof value === 'function')
		return `[Function ${value.name || 'anonymous'}]`;
	if (value === null || typeof value !== 'object' || value instanceof RegExp || value instanceof Error)
		return String(value);
	if (value instanceof Date)
		return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
	if (seen.includes(value))
		return '[Circular]';
	const inner = [...seen, value];
	if (Array.isArray(value) || ArrayBuffer.isView(value))
		return `[${Array.from(value, item => asText(item, inner)).join(', ')}]`;
	if (value instanceof Set)
		return `Set {${[...value].map(item => asText(item, inner)).join(', ')}}`;
	if (value instanceof Map)
		return `Map {${[...value].map(([key, item]) => `${asText(key, inner)} => ${asText(item, inner)}`).join(', ')}}`;
	return `{${Object.keys(value).map(key => `${JSON.stringify(key)}: ${asText(value[key], inner)}`).join(', ')}}`;
}

export function shownValue(value) {
	const text = asText(value, []);
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
