/* The form for the token, which the server exchanges for a cookie. */
import { element, setText } from './dom.js';

const REFUSALS = {
	401: 'This token is not valid.',
	403: 'The server does not accept logins from this address.',
	429: 'Too many attempts. Wait a moment, then try again.',
};

async function exchange(token) {
	try {
		const answer = await fetch('/view/login', {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ token }),
			cache: 'no-store',
		});
		return answer.ok ? null : REFUSALS[answer.status] ?? `The server answered ${answer.status}.`;
	} catch {
		return 'The server cannot be reached.';
	}
}

/* `why`: what has ended, or nothing. `done` is called when the login was accepted. */
export function showLogin(root, why, done) {
	const problem = element('p', { class: 'problem', role: 'alert', id: 'login-problem' });
	const token = element('input', {
		type: 'password', id: 'token', name: 'token', autocomplete: 'current-password', required: true, spellcheck: 'false',
		autocapitalize: 'off', 'aria-describedby': 'login-problem',
	});
	const submit = element('button', { type: 'submit', class: 'primary', text: 'Log in' });
	const form = element('form', { class: 'login' },
		element('h1', { text: 'Log in' }),
		element('p', { text: why || 'The sessions of this server are shown to those who have one of its tokens.' }),
		element('label', { for: 'token', text: 'Token' }), token, problem, submit);
	form.addEventListener('submit', async event => {
		event.preventDefault();
		submit.disabled = true;
		const refusal = await exchange(token.value);
		submit.disabled = false;
		token.value = '';
		setText(problem, refusal ?? '');
		if (refusal)
			token.focus();
		else
			done();
	});
	root.replaceChildren(form);
	token.focus();
}

export async function logOut() {
	try {
		await fetch('/view/logout', { method: 'POST', cache: 'no-store' });
	} catch {
		/* the cookie stays, and so does the login: the page says that the server is gone */
	}
}
