/*
 * Filling a login: finds the fields for a user name, a password and a one-time code, and writes the values.
 *
 * Everything that decides where the values go is checked and done in one synchronous function, so that no navigation comes between: a document
 * keeps its origin as long as it lives, and one that is left runs no scripts. The fields are in this main document or in a frame of the
 * same origin whose ancestors all are of it; a frame in a page of another origin could be covered by it (clickjacking), and frames of
 * other origins and sandboxed ones cannot be reached from here. All values are written before the first event is dispatched, because
 * with that the page's own code runs.
 */
import { drawAsDots } from './dots.js';
import { exported } from './exported.js';
import { Failure } from './failure.js';
import { Obstacle, Patience, tryUntil } from './patience.js';
import { attributeOf, baseOf, dispatch, hasAttribute, queryIn, rectOf, shadowOf, tagOf, visitIn } from './raw.js';
import { whyDisabled, whyHidden } from './visibility.js';

const ELEMENTS_MAX = 20000; /* of a document and its shadow roots, among which fields are looked for */
const FRAMES_MAX = 50;
const INPUTS_MAX = 500; /* of a document */
const NAME_MAX = 100;
const SIDE_MIN = 8; /* CSS pixels; with less, nobody sees what is in a field */
const TEXT_TYPES = new Set(['text', 'email', 'tel', 'url', 'search', 'number', '']);
const USER_WORDS = /user|login|e-?mail|account|benutzer|identifier|member|kennung/i;
const CODE_WORDS = /otp|totp|2fa|mfa|one.?time|verification|auth.*code|security.?code|^code$|passcode|token/i;
const rawValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
const originOf = view => view.origin === view.location.origin ? view.origin : 'null'; /* a sandboxed document has the address of another origin */

function inputsBelow(root, left, found) {
	visitIn(root, '*', element => {
		left.count--;
		if (tagOf(element) === 'input')
			found.push(element);
		if (shadowOf(element))
			inputsBelow(shadowOf(element), left, found);
	}, left.count);
	return found;
}

const typeOf = input => (attributeOf(input, 'type') ?? '').toLowerCase();
const tokensOf = input => (attributeOf(input, 'autocomplete') ?? '').toLowerCase().split(/\s+/);
const has = (input, ...tokens) => tokensOf(input).some(token => tokens.includes(token));
const namesOf = input => ['name', 'id', 'aria-label', 'placeholder'].map(name => (attributeOf(input, name) ?? '').slice(0, NAME_MAX));
const isNamed = (input, words) => namesOf(input).some(name => words.test(name));
const isText = input => TEXT_TYPES.has(typeOf(input));

/* Whether a user sees the element, at least after scrolling. */
function isShown(element) {
	const { right, bottom, width, height } = rectOf(element), view = element.ownerDocument.defaultView;

	return !whyHidden(element) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width >= SIDE_MIN && height >= SIDE_MIN &&
		right + view.scrollX > 0 && bottom + view.scrollY > 0;
}

/* The documents of this origin: this one, and those of its frames that can be reached and are shown. */
function documentsOf(view, found = []) {
	found.push(view.document);
	for (let i = 0; i < view.length && found.length < FRAMES_MAX; i++) {
		try {
			if (originOf(view[i]) === originOf(window) && isShown(view[i].frameElement))
				documentsOf(view[i], found);
		} catch {
			/* of another origin */
		}
	}
	return found;
}

const isUsable = input => isShown(input) && !whyDisabled(input) && !hasAttribute(input, 'readonly');
const isCode = input => isText(input) && (has(input, 'one-time-code') || (!has(input, 'username', 'email') && isNamed(input, CODE_WORDS)));

/* A field for each character, as long as the code. */
function codeBoxes(inputs, length) {
	const boxes = inputs.filter(input => isText(input) && attributeOf(input, 'maxlength') === '1');
	return boxes.length === length ? boxes : [];
}

function passwordIn(inputs) {
	const passwords = inputs.filter(input => typeOf(input) === 'password' && !has(input, 'one-time-code', 'new-password'));
	const current = passwords.filter(input => has(input, 'current-password'));
	const [password, ...others] = current.length ? current : passwords;
	if (others.length)
		throw new Failure('ELEMENT_NOT_EDITABLE', 'severalPasswords', { count: others.length + 1 });
	return password;
}

/* The field before the password in its form; without a password, the one that says that it is for a user name. */
function userIn(inputs, password) {
	const texts = inputs.filter(input => isText(input) && !isCode(input));
	const marked = texts.filter(input => has(input, 'username', 'email') || typeOf(input) === 'email');
	if (!password)
		return marked[0] ?? texts.find(input => isNamed(input, USER_WORDS));
	const before = texts.filter(input => input.form === password.form && inputs.indexOf(input) < inputs.indexOf(password));
	return before.find(input => marked.includes(input)) ?? before.findLast(input => isNamed(input, USER_WORDS)) ?? before.at(-1);
}

/* What of `login` the document takes: a list of {input, kind, value}. */
function fieldsOf(page, login) {
	const all = inputsBelow(page, { count: ELEMENTS_MAX }, []), inputs = all.slice(0, INPUTS_MAX).filter(isUsable);
	const password = login.password && passwordIn(inputs), fields = [];
	const user = login.user && userIn(inputs, password);
	const boxes = login.code ? codeBoxes(inputs, login.code.length) : [];
	const code = login.code && !boxes.length && inputs.find(isCode);
	if (user)
		fields.push({ input: user, kind: 'user', value: login.user });
	if (password)
		fields.push({ input: password, kind: 'password', value: login.password });
	if (code)
		fields.push({ input: code, kind: 'code', value: login.code });
	boxes.forEach((input, i) => fields.push({ input, kind: 'code', value: login.code[i] }));
	return fields;
}

function refuseOrigin(login) {
	const origin = originOf(window), { origins } = login;
	if (window !== window.top || !origins.includes(origin))
		throw new Failure('SECURITY_BLOCKED', 'loginOrigin', { origin: origin === 'null' ? 'a document without an origin' : origin, origins });
}

const submitterOf = form => queryIn(form, 'button, input').find(button => !whyDisabled(button) && isShown(button) &&
	(tagOf(button) === 'button' ? !['button', 'reset'].includes(typeOf(button)) : ['submit', 'image'].includes(typeOf(button))));

/* A form may send what is in its fields anywhere. */
function refuseAction(element, name, { origins }) {
	const action = attributeOf(element, name);
	let url;
	if (!action)
		return;
	try {
		url = new URL(action, baseOf(element));
	} catch {
		return; /* such a form is not sent */
	}
	if (url.protocol !== 'javascript:' && !origins.includes(url.origin))
		throw new Failure('SECURITY_BLOCKED', 'loginSentElsewhere', { origin: url.origin, origins });
}

function refuseForm({ input: { form } }, login) {
	if (!form)
		return;
	refuseAction(form, 'action', login);
	for (const button of queryIn(form, '[formaction]', 100))
		refuseAction(button, 'formaction', login);
}

function attemptFind(login) {
	refuseOrigin(login);
	for (const page of documentsOf(window)) {
		const fields = fieldsOf(page, login);
		if (fields.length) {
			fields.forEach(field => refuseForm(field, login));
			return fields;
		}
	}
	return new Obstacle({ reason: 'noLoginFields' });
}

function find(login) {
	const fields = attemptFind(login);
	if (fields instanceof Obstacle)
		throw new Failure('ELEMENT_NOT_FOUND', 'noLoginFields');
	return fields;
}

const filled = new Map(); /* the fields, with their values */

/* A field that somebody edits is emptied: what is left of a value would not be masked. */
function onEdited({ isTrusted, currentTarget: input }) {
	const value = rawValue.get.call(input);

	if (!isTrusted || !filled.has(input) || value === filled.get(input))
		return;
	filled.delete(input);
	rawValue.set.call(input, '');
}

/* No part of it is copied or dragged elsewhere, for the same reason. */
function onTaken(event) {
	if (filled.has(event.currentTarget))
		event.preventDefault();
}

/* What is in the field is drawn as dots, in pictures and videos as well, and when the page turns a password into text. */
function write({ input, value }) {
	drawAsDots(input);
	rawValue.set.call(input, value);
	filled.set(input, value);
	input.addEventListener('input', onEdited);
	for (const type of ['copy', 'cut', 'dragstart'])
		input.addEventListener(type, onTaken);
}

function announce({ input }) {
	dispatch(input, new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertReplacementText' }));
	dispatch(input, new Event('change', { bubbles: true }));
}

/* False: the form wants more, or the fields are in none, and what sends them is not known. */
function submitForm([{ input: { form } }], login) {
	if (!form || !hasAttribute(form, 'novalidate') && !HTMLFormElement.prototype.checkValidity.call(form))
		return false;
	refuseForm({ input: { form } }, login);
	HTMLFormElement.prototype.requestSubmit.call(form, submitterOf(form));
	return true;
}

const kindsOf = fields => [...new Set(fields.map(({ kind }) => kind))];

/*
 * {origins, user, password, code, timeout} -> ['user', 'password', 'code']: waits until there are fields for some of them, and fills none.
 * The three are true or false, but for `code`, which is a text of the code's length.
 */
exported.findLogin = login => {
	const attempt = () => {
		const fields = attemptFind(login);
		return fields instanceof Obstacle ? fields : kindsOf(fields);
	};
	return tryUntil(new Patience(login.timeout), attempt, () => new Failure('ELEMENT_NOT_FOUND', 'noLoginFields'));
};

/* {origins, user, password, code, submit} -> {filled, submitted}: fills the fields that there are. The three are the values, or "" for none. */
exported.fillLogin = login => {
	const fields = find(login);
	fields.forEach(write);
	fields.forEach(announce);
	const changed = fields.filter(({ input, value }) => rawValue.get.call(input) !== value);
	if (changed.length)
		throw new Failure('ELEMENT_NOT_EDITABLE', 'loginNotKept', { fields: kindsOf(changed) });
	return { filled: kindsOf(fields), submitted: login.submit && submitForm(fields, login) };
};

/* Whether a field has a value that was filled. */
exported.loginHeld = () => [...filled.keys()].some(input => rawValue.get.call(input) !== '' && input.isConnected);
