/*
 * Values on their way between a caller's code and a page, as JSON: null, texts, booleans and finite numbers are
 * themselves, all else is an object of one entry that says what it is:
 *   { u } undefined   { n: 'NaN' } other numbers   { i: '10' } BigInt   { d: ms } Date   { x: [source, flags] } RegExp
 *   { l: href } URL   { e: [name, message, stack] } Error   { a: [...] } array   { o: [[name, value]...] } object
 *   { r: n } the nth array or object of the value once more   { h: n } the nth element that travels beside it
 * `special(value)` packs what only one of the two sides knows; undefined: it is nothing special.
 */
export function packValue(value, special, seen = []) {
	if (value === null || typeof value === 'string' || typeof value === 'boolean')
		return value;
	if (typeof value === 'number')
		return Number.isFinite(value) && !Object.is(value, -0) ? value : { n: Object.is(value, -0) ? '-0' : String(value) };
	if (typeof value === 'bigint')
		return { i: String(value) };
	if (typeof value !== 'object')
		return { u: 0 };
	return special(value) ?? packObject(value, special, seen);
}

function packObject(value, special, seen) {
	const kind = Object.prototype.toString.call(value);
	if (kind === '[object Date]')
		return { d: Number.isNaN(value.getTime()) ? null : value.getTime() };
	if (kind === '[object RegExp]')
		return { x: [value.source, value.flags] };
	if (kind === '[object URL]')
		return { l: value.href };
	if (kind === '[object Error]')
		return { e: [value.name, value.message, value.stack] };
	const known = seen.indexOf(value);
	if (known >= 0)
		return { r: known };
	if (typeof value.toJSON === 'function')
		return packValue(value.toJSON(), special, seen);
	seen.push(value);
	if (Array.isArray(value))
		return { a: Array.from(value, item => packValue(item, special, seen)) };
	return { o: Object.keys(value).map(name => [name, packValue(value[name], special, seen)]) };
}

export function unpackValue(packed, elements, seen = []) {
	if (packed === null || typeof packed !== 'object')
		return packed;
	const [[kind, inner]] = Object.entries(packed);
	switch (kind) {
	case 'n': return Number(inner);
	case 'i': return BigInt(inner);
	case 'd': return new Date(inner ?? NaN);
	case 'x': return new RegExp(inner[0], inner[1]);
	case 'l': return new URL(inner);
	case 'e': return Object.assign(new Error(inner[1]), { name: inner[0], stack: inner[2] });
	case 'r': return seen[inner];
	case 'h': return elements[inner];
	case 'a': return unpackItems(inner, elements, seen);
	case 'o': return unpackEntries(inner, elements, seen);
	default: return undefined;
	}
}

function unpackItems(items, elements, seen) {
	const list = [];
	seen.push(list);
	for (const item of items)
		list.push(unpackValue(item, elements, seen));
	return list;
}

function unpackEntries(entries, elements, seen) {
	const object = {};
	seen.push(object);
	for (const [name, value] of entries)
		Object.defineProperty(object, name, { value: unpackValue(value, elements, seen), writable: true, enumerable: true, configurable: true });
	return object;
}
