/* Steps in the languages that people write locators in. */
import { exported } from './exported.js';

const DIALECTS = {
	__proto__: null,
	typescript: {
		method: name => name,
		quote: text => "'" + escapeText(text, "'") + "'",
		regex: ({ regex, flags }) => `/${regex}/${flags}`,
		options: (entries, parts) => `{ ${entries.map(([name, value]) => `${name}: ${parts(value)}`).join(', ')} }`,
		nth: index => index === 0 ? 'first()' : index === -1 ? 'last()' : `nth(${index})`,
		role: (role, dialect) => dialect.quote(role),
		frame: 'contentFrame()',
		visible: 'visible()',
	},
	python: {
		method: name => name === 'and' || name === 'or' ? name + '_' : name.replace(/[A-Z]/g, letter => '_' + letter.toLowerCase()),
		quote: text => '"' + escapeText(text, '"') + '"',
		regex: ({ regex, flags }) => `re.compile(r"${regex.replace(/"/g, '\\"')}"${flags.includes('i') ? ', re.IGNORECASE' : ''})`,
		options: (entries, parts) => entries.map(([name, value]) =>
			`${DIALECTS.python.method(name)}=${typeof value === 'boolean' ? (value ? 'True' : 'False') : parts(value)}`).join(', '),
		nth: index => index === 0 ? 'first' : index === -1 ? 'last' : `nth(${index})`,
		role: (role, dialect) => dialect.quote(role),
		frame: 'content_frame',
		visible: 'visible',
	},
	java: {
		method: name => name,
		quote: text => '"' + escapeText(text, '"') + '"',
		regex: ({ regex, flags }) => `Pattern.compile(${DIALECTS.java.quote(regex)}${flags.includes('i') ? ', Pattern.CASE_INSENSITIVE' : ''})`,
		options: (entries, parts, method, owner) => `new ${owner}.${method[0].toUpperCase()}${method.slice(1)}Options()` +
			entries.map(([name, value]) => `.set${name[0].toUpperCase()}${name.slice(1)}(${parts(value)})`).join(''),
		nth: index => index === 0 ? 'first()' : index === -1 ? 'last()' : `nth(${index})`,
		role: role => `AriaRole.${role.toUpperCase()}`,
		frame: 'contentFrame()',
		visible: 'visible()',
	},
	csharp: {
		method: name => name[0].toUpperCase() + name.slice(1),
		quote: text => '"' + escapeText(text, '"') + '"',
		regex: ({ regex, flags }) => `new Regex(${DIALECTS.csharp.quote(regex)}${flags.includes('i') ? ', RegexOptions.IgnoreCase' : ''})`,
		options: (entries, parts) => `new() { ${entries.map(([name, value]) =>
			`${name[0].toUpperCase()}${name.slice(1)}${value?.regex !== undefined ? 'Regex' : ''} = ${parts(value)}`).join(', ')} }`,
		nth: index => index === 0 ? 'First' : index === -1 ? 'Last' : `Nth(${index})`,
		role: role => `AriaRole.${role[0].toUpperCase()}${role.slice(1)}`,
		frame: 'ContentFrame',
		visible: 'Visible',
	},
};
const GET_BY = { __proto__: null, alt: 'getByAltText', label: 'getByLabel', placeholder: 'getByPlaceholder',
	testid: 'getByTestId', text: 'getByText', title: 'getByTitle' };

function escapeText(text, quote) {
	return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, '\\' + quote);
}

export function printSteps(steps, language = 'typescript') {
	const printer = new LocatorPrinter(DIALECTS[language] ?? DIALECTS.typescript);
	return printer.chain(steps);
}

class LocatorPrinter {
	constructor(dialect) {
		this.dialect = dialect;
	}

	/* Java says from what a method is called: the page, a locator or a frame. */
	chain(steps) {
		let owner = 'Page';
		const parts = [];
		for (const step of steps) {
			parts.push(this.step(step, owner));
			owner = step.type === 'frame' ? 'FrameLocator' : 'Locator';
		}
		return parts.join('.');
	}

	value(value) {
		if (typeof value === 'string')
			return this.dialect.quote(value);
		if (value?.regex !== undefined)
			return this.dialect.regex(value);
		return Array.isArray(value) ? this.chain(value) : String(value);
	}

	call(method, first, options, owner) {
		const entries = Object.entries(options).filter(([, value]) => value !== undefined);
		const args = first === null ? [] : [first];
		if (entries.length)
			args.push(this.dialect.options(entries, value => this.value(value), method, owner));
		return `${this.dialect.method(method)}(${args.join(', ')})`;
	}

	step(step, owner) {
		const { dialect } = this;
		switch (step.type) {
		case 'nth':
			return dialect.nth(step.index);
		case 'frame':
			return dialect.frame;
		case 'role':
			return step.body !== undefined ? this.call('locator', dialect.quote('role=' + step.body), {}, owner) : this.role(step, owner);
		case 'getBy':
			return this.call(GET_BY[step.by], this.value(step.value), { exact: step.exact }, owner);
		case 'filter':
			return this.filter(step, owner);
		case 'and': case 'or':
			return this.call(step.type, this.chain(step.steps), {}, owner);
		case 'chain':
			return this.call('locator', this.chain(step.steps), {}, owner);
		default:
			return this.call('locator', dialect.quote(selectorText(step)), {}, owner);
		}
	}

	role({ type, role, ...options }, owner) {
		const { name, description, exact, ...states } = options;
		return this.call('getByRole', this.dialect.role(role, this.dialect), { name, description, exact, ...states }, owner);
	}

	filter({ type, ...condition }, owner) {
		return condition.visible ? this.dialect.visible : this.call('filter', null, condition, owner);
	}
}

/* The selector that a step came from. */
function selectorText(step) {
	switch (step.type) {
	case 'attribute':
		return `${step.name}=${step.value}`;
	case 'text':
		return 'text=' + step.body;
	case 'xpath':
		return /^(\/|\.\.)/.test(step.value) ? step.value : 'xpath=' + step.value;
	default:
		return step.value;
	}
}

/* {steps, language} -> the locator's text, without "page." in front */
exported.printLocator = ({ steps, language }) => printSteps(steps, language);
