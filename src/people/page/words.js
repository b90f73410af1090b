/* Words for states, times and failures. */

export const STATES = {
	working: 'Working',
	idle: 'Idle',
	resting: 'Resting',
	sleeping: 'Sleeping',
	person: 'In your hands',
	other: 'A person has control',
	asking: 'Asks for you',
};

export const OUTCOMES = { ok: 'done', failed: 'failed', cancelled: 'cancelled' };
export const SIGNS = { ok: '✓', failed: '✕', cancelled: '–' };

/* "ELEMENT_NOT_FOUND" as words. */
export const failureWords = error => error ? error.toLowerCase().replaceAll('_', ' ') : 'failed';

export function duration(ms) {
	if (ms < 1000)
		return `${Math.max(0, Math.round(ms))} ms`;
	if (ms < 60000)
		return `${(ms / 1000).toFixed(1)} s`;
	return `${Math.floor(ms / 60000)} min ${Math.floor(ms % 60000 / 1000)} s`;
}

export const seconds = ms => ms < 60000 ? `${Math.max(0, Math.floor(ms / 1000))} s` : `${Math.floor(ms / 60000)} min ${Math.floor(ms % 60000 / 1000)} s`;

export const timeOfDay = unixMilliseconds => new Date(unixMilliseconds).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

export const counted = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/* The clock of the server, which calls are timed by, may be another than that of this machine. */
let ahead = 0;
export function setServerClock(now) {
	ahead = now - Date.now();
}
export const serverNow = () => Date.now() + ahead;
