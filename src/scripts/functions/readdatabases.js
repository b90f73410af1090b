/*
 * The IndexedDB databases of the document's origin as JSON, {databases, missing}: described as functions/filldatabases.js takes them, so
 * as Playwright's storage state has them. `missing` has the names of databases whose values JSON cannot hold, such as files and keys,
 * and of those for which there is no room: all together have `room` characters.
 */
const TYPED = [[Int8Array, 'i8'], [Uint8Array, 'ui8'], [Uint8ClampedArray, 'ui8c'], [Int16Array, 'i16'], [Uint16Array, 'ui16'],
	[Int32Array, 'i32'], [Uint32Array, 'ui32'], [Float32Array, 'f32'], [Float64Array, 'f64'], [BigInt64Array, 'bi64'],
	[BigUint64Array, 'bui64']];
const PIECE = 8192;

class Unfit extends Error {}

const isObject = value => Object.getPrototypeOf(value) === Object.prototype;
const isDense = array => Object.keys(array).length === array.length;

/* Whether JSON has the value as it is. Each object is looked at once: those that occur twice need names. */
function isPlain(value, seen) {
	if (typeof value === 'number')
		return Number.isFinite(value) && !Object.is(value, -0);
	if (value === null || typeof value !== 'object')
		return value === null || typeof value === 'string' || typeof value === 'boolean';
	if (seen.has(value) || !(Array.isArray(value) ? isDense(value) : isObject(value) && !Object.hasOwn(value, '__proto__')))
		return false;
	seen.add(value);
	return Object.values(value).every(item => isPlain(item, seen));
}

function encodeBytes(buffer, from = 0, length = buffer.byteLength) {
	let text = '';
	for (let at = from; at < from + length; at += PIECE)
		text += String.fromCharCode(...new Uint8Array(buffer, at, Math.min(PIECE, from + length - at)));
	return btoa(text);
}

function encodeContainer(value, ids) {
	const id = ids.size + 1;
	ids.set(value, id);
	if (Array.isArray(value) && isDense(value))
		return { a: value.map(item => encode(item, ids)), id };
	if (Array.isArray(value) || !isObject(value))
		throw new Unfit();
	return { o: Object.entries(value).map(([k, v]) => ({ k, v: encode(v, ids) })), id };
}

function encodeObject(value, ids) {
	if (ids.has(value))
		return { ref: ids.get(value) };
	if (value instanceof Date && !isNaN(value))
		return { d: value.toJSON() };
	if (value instanceof RegExp)
		return { r: { p: value.source, f: value.flags } };
	if (value instanceof Error)
		return { e: { n: value.name, m: value.message, s: value.stack ?? '' } };
	if (value instanceof ArrayBuffer)
		return { ab: { b: encodeBytes(value) } };
	const typed = TYPED.find(([type]) => value instanceof type);
	if (typed)
		return { ta: { b: encodeBytes(value.buffer, value.byteOffset, value.byteLength), k: typed[1] } };
	return encodeContainer(value, ids);
}

/* `ids`: arrays and objects with their numbers, by which later places refer to them. */
function encode(value, ids) {
	if (value === undefined || value === null || (typeof value === 'number' && !isPlain(value)))
		return { v: Object.is(value, -0) ? '-0' : String(value) };
	if (typeof value === 'bigint')
		return { bi: String(value) };
	return typeof value === 'object' ? encodeObject(value, ids) : value;
}

const describe = (name, value) => isPlain(value, new Set()) ? { [name]: value } : { [name + 'Encoded']: encode(value, new Map()) };

const answered = request => new Promise((resolve, reject) => {
	request.onsuccess = () => resolve(request.result);
	request.onerror = () => reject(request.error);
});

/* Calls `take` with each record of the store. */
const eachRecord = (store, take) => new Promise((resolve, reject) => {
	const request = store.openCursor();
	request.onerror = () => reject(request.error);
	request.onsuccess = () => {
		try {
			if (!request.result)
				return resolve();
			take(request.result);
			request.result.continue();
		} catch (error) {
			reject(error);
		}
	};
});

const pathOfSource = ({ keyPath }) => keyPath === null ? {} : { [Array.isArray(keyPath) ? 'keyPathArray' : 'keyPath']: keyPath };

const describeIndex = index =>
	({ name: index.name, ...pathOfSource(index), multiEntry: index.multiEntry, unique: index.unique });

async function readStore(store, spend) {
	const records = [];
	await eachRecord(store, ({ primaryKey, value }) => {
		records.push({ ...(store.keyPath === null ? describe('key', primaryKey) : {}), ...describe('value', value) });
		spend(records.at(-1));
	});
	return { name: store.name, ...pathOfSource(store), autoIncrement: store.autoIncrement,
		indexes: Array.from(store.indexNames, name => describeIndex(store.index(name))), records };
}

async function readDatabase(name, spend) {
	const database = await answered(indexedDB.open(name)), stores = [];
	try {
		if (database.objectStoreNames.length) {
			const transaction = database.transaction(database.objectStoreNames, 'readonly');
			stores.push(...await Promise.all(Array.from(database.objectStoreNames, store => readStore(transaction.objectStore(store), spend))));
		}
		const description = { name, version: database.version, stores };
		spend({ name, stores: stores.map(store => ({ ...store, records: [] })) });
		return description;
	} finally {
		database.close();
	}
}

export default async room => {
	const databases = [], missing = [];
	for (const { name } of await indexedDB.databases()) {
		let left = room;
		try {
			databases.push(await readDatabase(name, part => {
				left -= JSON.stringify(part).length + 1;
				if (left < 0)
					throw new Unfit();
			}));
			room = left;
		} catch (error) {
			missing.push(name.slice(0, 200));
		}
	}
	return JSON.stringify({ databases, missing: missing.slice(0, 20) });
};
