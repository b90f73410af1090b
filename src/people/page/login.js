/* The form for the token, which the server exchanges for a cookie. */
import { element, setText } from './dom.js';
import { logIn } from './access.js';

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
		element('p', { text: why || 'The sessions of this server are shown to those who have a token of it. A server that was started without one has written an address for you to its log.' }),
		element('label', { for: 'token', text: 'Token' }), token, problem, submit);
	form.addEventListener('submit', async event => {
		event.preventDefault();
		submit.disabled = true;
		setText(problem, '');
		try {
			await logIn(token.value);
			done();
		} catch (error) {
			setText(problem, error instanceof TypeError ? 'The server cannot be reached.' : error.message);
			token.focus();
		}
		token.value = '';
		submit.disabled = false;
	});
	root.replaceChildren(form);
	token.focus();
}
