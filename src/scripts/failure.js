/*
 * Page scripts fail by throwing a Failure: a public error code, a reason and the facts of its words, which stand in
 * base/reasons.h. Any other exception is a defect of the scripts and reaches the server as an exception.
 */
export class Failure {
	constructor(code, reason, facts) {
		this.code = code;
		this.reason = reason;
		this.facts = facts;
	}
}

function asFailureValue(thrown) {
	if (!(thrown instanceof Failure))
		throw thrown;
	return { failure: { ...thrown } };
}

/* Wraps functions so that they return a Failure as a value, because CDP transfers values completely but only the text of exceptions. `before` gets each argument first. */
export function returningFailures(functions, before) {
	const result = Object.create(null);
	for (const name of Object.keys(functions)) {
		result[name] = argument => {
			before(argument);
			try {
				const value = functions[name](argument);
				return value instanceof Promise ? value.catch(asFailureValue) : value;
			} catch (thrown) {
				return asFailureValue(thrown);
			}
		};
	}
	return result;
}
