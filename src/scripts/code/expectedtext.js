/* Texts and accessibility snapshots that expect() compares. */
const collapsed = text => text.replace(/[\u200b\u00ad]/g, '').trim().replace(/\s+/g, ' ');

/*
 * A test of one text. White space of texts is collapsed unless `isRaw`; a string is the whole text, or a part of it with `isPart`.
 */
export function textMatcher(expected, { isPart = false, isRaw = false, ignoreCase }) {
	if (typeof expected !== 'string' && !(expected instanceof RegExp))
		throw new Error(`expect: the expected value has to be a text or a RegExp, not ${expected === null ? 'null' : typeof expected}`);
	const plain = text => isRaw ? text : collapsed(text);
	if (expected instanceof RegExp) {
		const flags = expected.flags.replace(/[gy]/g, '');
		const expression = new RegExp(expected.source, ignoreCase && !flags.includes('i') ? flags + 'i' : flags);
		return text => expression.test(plain(text));
	}
	const fold = text => ignoreCase ? text.toLowerCase() : text;
	const wanted = fold(plain(expected));
	return text => isPart ? fold(plain(text)).includes(wanted) : fold(plain(text)) === wanted;
}

/* Whether the texts match in this order: each one, or with `isPart` some of them. */
export function allMatched(texts, matchers, isPart = false) {
	if (!isPart)
		return texts.length === matchers.length && texts.every((text, i) => matchers[i](text));
	let at = 0;
	for (const text of texts) {
		if (at < matchers.length && matchers[at](text))
			at++;
	}
	return at === matchers.length;
}

const ARIA_LINE = /^( *)- (?:(\/children): (\w+(?:-\w+)*)|\/(\w+): (.*)|([\w-]+)((?: +(?:"(?:[^"\\]|\\.)*"|\/(?:[^/\\]|\\.)+\/))?)((?: *\[[^\]]*\])*)(?::(.*))?)$/;

const unquoted = text => /^".*"$/.test(text) ? JSON.parse(text) : /^'.*'$/.test(text) ? text.slice(1, -1).replace(/''/g, "'") : text;

/* A key that YAML needs quotes for: - 'button "a: b"': text */
const withPlainKey = line => line.replace(/^( *- )(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")(?=:|$)/,
	(all, dash, single, double) => dash + (single !== undefined ? single.replace(/''/g, "'") : JSON.parse(`"${double}"`)));

/* The tree of a snapshot or template: {role, name, attributes, children, exact}; a text is {role: 'text', name}. */
function ariaTree(text) {
	const root = { role: 'root', children: [], attributes: [], properties: {} };
	const open = [{ level: -1, node: root }];
	for (const line of text.split('\n').filter(line => line.trim())) {
		const match = ARIA_LINE.exec(withPlainKey(line));
		if (!match)
			throw new Error(`expect.toMatchAriaSnapshot: cannot read the line ${JSON.stringify(line)}`);
		const [, indent, isChildren, how, property, value, role, name, attributes, rest] = match;
		while (open.at(-1).level >= indent.length)
			open.pop();
		const parent = open.at(-1).node;
		if (isChildren)
			parent.exact = how !== 'contain';
		else if (property)
			parent.properties[property] = unquoted(value.trim());
		else {
			const node = ariaNode(role, name.trim(), attributes, rest?.trim() ?? '');
			parent.children.push(node);
			open.push({ level: indent.length, node });
		}
	}
	return root;
}

function ariaNode(role, name, attributes, rest) {
	const text = unquoted(rest);
	if (role === 'text')
		return { role, name: text, attributes: [], properties: {}, children: [] };
	return {
		role, name: name.startsWith('/') ? name : name && JSON.parse(name), attributes: [...attributes.matchAll(/\[([^\]]*)\]/g)].map(([, inside]) => inside),
		properties: {}, children: text ? [{ role: 'text', name: text, attributes: [], properties: {}, children: [] }] : [],
	};
}

function ariaTextMatches(wanted, text) {
	const expression = /^\/(.+)\/$/.exec(wanted);
	return expression ? new RegExp(expression[1]).test(text) : collapsed(wanted) === collapsed(text);
}

function ariaNodeMatches(wanted, node) {
	return wanted.role === node.role && (!wanted.name || ariaTextMatches(wanted.name, node.name)) &&
		wanted.attributes.every(attribute => node.attributes.includes(attribute)) &&
		Object.entries(wanted.properties).every(([name, value]) => ariaTextMatches(value, node.properties[name] ?? '')) &&
		ariaChildrenMatch(wanted, node);
}

/* The wanted children in this order, others between them, unless the template asks for these alone. */
function ariaChildrenMatch(wanted, node) {
	if (wanted.exact)
		return wanted.children.length === node.children.length && wanted.children.every((child, i) => ariaNodeMatches(child, node.children[i]));
	let at = 0;
	for (const child of node.children) {
		if (at < wanted.children.length && ariaNodeMatches(wanted.children[at], child))
			at++;
	}
	return at === wanted.children.length;
}

const somewhere = (node, test) => test(node) || node.children.some(child => somewhere(child, test));

/* Whether the snapshot contains what the template describes, at any depth. */
export function matchesAria(template, snapshot) {
	const lines = template.split('\n').filter(line => line.trim());
	const margin = Math.min(...lines.map(line => line.search(/\S/)));
	const wanted = ariaTree(lines.map(line => line.slice(margin)).join('\n'));
	return somewhere(ariaTree(snapshot), node => ariaChildrenMatch(wanted, node));
}
