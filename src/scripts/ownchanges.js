/* Marks changes that the page scripts themselves make for an action (a value or the focus), so that they do not count as its effects. */
export let isOwnChange = false;
const afterwards = [];

/* `run` is called after each such change. */
export function afterOwnChange(run) {
	afterwards.push(run);
}

/* Runs `act` with its synchronous events marked as its own; only what the page does in response counts as an effect. */
export function asOwnChange(act) {
	isOwnChange = true;
	try {
		return act();
	} finally {
		isOwnChange = false;
		for (const run of afterwards)
			run();
	}
}
