/*
 * Replaces the IndexedDB databases of the document's origin by `databases`, which are described as in Playwright's storage state:
 * {name, version, stores: [{name, keyPath or keyPathArray, autoIncrement, indexes: [{name, keyPath or keyPathArray, unique,
 * multiEntry}], records: [{key or keyEncoded, value or valueEncoded}]}]}.
 */
const ARRAYS = { i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array,
	ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array };
const SPECIAL = { 'undefined': undefined, 'null': null, 'NaN': NaN, 'Infinity': Infinity, '-Infinity': -Infinity, '-0': -0 };

function decodeBytes(base64) {
	return Uint8Array.from(atob(base64), character => character.charCodeAt(0)).buffer;
}

function decodeError({ n, m, s }) {
	const error = new Error(m);
	error.name = n;
	error.stack = s;
	return error;
}

/* Values that JSON does not have are objects with one entry that names their kind. `known`: arrays and objects by their ids. */
function decode(value, known) {
	if (typeof value !== 'object' || value === null)
		return value;
	if ('v' in value)
		return SPECIAL[value.v];
	if ('d' in value)
		return new Date(value.d);
	if ('u' in value)
		return new URL(value.u);
	if ('bi' in value)
		return BigInt(value.bi);
	if ('e' in value)
		return decodeError(value.e);
	if ('r' in value)
		return new RegExp(value.r.p, value.r.f);
	if ('ta' in value)
		return new ARRAYS[value.ta.k](decodeBytes(value.ta.b));
	if ('ab' in value)
		return decodeBytes(value.ab.b);
	if ('ref' in value)
		return known.get(value.ref);
	return decodeContainer(value, known);
}

function decodeContainer({ id, a, o }, known) {
	const result = a ? [] : {};
	known.set(id, result);
	for (const item of a ?? [])
		result.push(decode(item, known));
	for (const { k, v } of o ?? [])
		Object.defineProperty(result, k, { value: decode(v, known), configurable: true, enumerable: true, writable: true });
	return result;
}

const settled = request => new Promise((resolve, reject) => {
	request.onsuccess = () => resolve(request.result);
	request.onblocked = () => reject(new Error('a page holds a database open'));
	request.onerror = () => reject(request.error);
});

const pathOf = ({ keyPathArray, keyPath }) => keyPathArray ?? keyPath ?? null;

function addStore(database, description) {
	const { name, autoIncrement, indexes = [] } = description;
	const store = database.createObjectStore(name, { keyPath: pathOf(description), autoIncrement });
	for (const index of indexes)
		store.createIndex(index.name, pathOf(index), { unique: index.unique, multiEntry: index.multiEntry });
}

function addRecords(store, { records = [] }) {
	for (const record of records) {
		const value = 'valueEncoded' in record ? decode(record.valueEncoded, new Map()) : record.value;
		const key = 'keyEncoded' in record ? decode(record.keyEncoded, new Map()) : record.key;
		store.put(value, ...(store.keyPath === null && key !== undefined ? [key] : []));
	}
}

async function addDatabase({ name, version, stores = [] }) {
	const request = indexedDB.open(name, version);
	request.onupgradeneeded = () => stores.forEach(store => addStore(request.result, store));
	const database = await settled(request);
	if (stores.length) {
		const transaction = database.transaction(stores.map(store => store.name), 'readwrite');
		const done = new Promise((resolve, reject) => {
			transaction.oncomplete = resolve;
			transaction.onabort = () => reject(transaction.error);
		});
		for (const store of stores)
			addRecords(transaction.objectStore(store.name), store);
		await done;
	}
	database.close();
}

export default async databases => {
	for (const { name } of await indexedDB.databases())
		await settled(indexedDB.deleteDatabase(name));
	for (const database of databases)
		await addDatabase(database);
};
