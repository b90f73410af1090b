/*
 * The methods of the API's objects, for code that calls one which does not exist. A member that an object lacks is undefined,
 * as for any object; the last reads of such members are remembered, and the error of a call that follows lists the methods.
 */
const labels = new Map(); /* by prototype: the name of its objects in messages */
const lacking = new Map(); /* by the name of a member that was read and does not exist: the object */

/* The end of the prototype chains of the API's objects. */
const absentMembers = new Proxy(Object.create(Object.prototype), {
	get(target, name, object) {
		if (typeof name === 'string' && !(name in target))
			lacking.set(name, object);
		return Reflect.get(target, name, object);
	},
});

function prototypesOf(object) {
	const chain = [];
	for (let at = object; at && at !== absentMembers && at !== Object.prototype; at = Object.getPrototypeOf(at))
		chain.push(at);
	return chain;
}

/* `label` names the objects of the class in messages. */
export function describeMembers(Class, label) {
	labels.set(Class.prototype, label);
	Object.setPrototypeOf(prototypesOf(Class.prototype).at(-1), absentMembers);
}

const HIDDEN_MEMBERS = new Set(['constructor', 'target', 'toJSON', 'toString', 'timeoutOf', 'resume', 'isHandled']);

function membersOf(object) {
	const names = new Set(prototypesOf(object).flatMap(Object.getOwnPropertyNames));
	return [...names].filter(name => !HIDDEN_MEMBERS.has(name)).sort();
}

/* The text of what a caller's code has thrown. */
export function textOfThrown(thrown) {
	const [, name] = thrown instanceof TypeError && /(?:^|\.)([\w$]+) is not a function$/.exec(thrown.message) || [];
	const object = lacking.get(name);
	if (!object)
		return String(thrown);
	const label = labels.get(prototypesOf(object).find(prototype => labels.has(prototype)));
	return `${thrown}\nMembers of ${label}: ${membersOf(object).join(', ')}`;
}
