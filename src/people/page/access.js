/* Logging in, and the addresses of requests. A node of a fleet is named in each of them, so that a proxy leads them to it. */

const node = new URLSearchParams(location.search).get('node');

export function address(path, query = {}) {
	const parameters = new URLSearchParams(node ? { ...query, node } : query);
	return `/view/${path}${parameters.size ? `?${parameters}` : ''}`;
}

async function post(path, headers = {}) {
	const response = await fetch(address(path), { method: 'POST', headers });
	const answer = await response.json();
	if (!response.ok)
		throw new Error(answer.error);
	return answer;
}

/* A token in the fragment of the address, which no server sees, is used once and removed. */
function tokenOfAddress() {
	const token = new URLSearchParams(location.hash.slice(1)).get('token');
	if (token)
		history.replaceState(null, '', location.pathname + location.search);
	return token;
}

export function logIn(token) {
	return post('login', { Authorization: `Bearer ${token}` });
}

export function logOut() {
	return post('logout');
}

/* What the person may do, {act, session}; null: a token is needed. `session`: the one that will be shown, if it is known. */
export async function whoAmI(session) {
	const token = tokenOfAddress();
	if (token)
		return logIn(token);
	const response = await fetch(address('me', session ? { session } : {}));
	return response.ok ? response.json() : null;
}

export function connect(session) {
	const url = new URL(address('socket', session ? { session } : {}), location.href);
	url.protocol = url.protocol.replace('http', 'ws');
	return new WebSocket(url);
}
