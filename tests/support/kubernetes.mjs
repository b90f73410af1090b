// kubernetes.mjs FILE...: checks manifests against Kubernetes's own descriptions of its objects, without a cluster. The packages of npm in
// $MCP_SDK have these in two forms: schemas for values, and types, by which the compiler of TypeScript also finds members that do not exist.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const modules = path.join(process.env.MCP_SDK, 'node_modules');
const require = createRequire(path.join(modules, 'here.js'));
const ts = require('typescript');
const yaml = require('yaml');

const PACKAGES = { 'gateway.networking.k8s.io': '@kubernetes-models/gateway-api', 'monitoring.coreos.com': '@kubernetes-models/prometheus-operator' };
const problems = [];

// Where the class of an object is: "apps/v1" is in a folder of that name.
function home(object) {
	return `${PACKAGES[object.apiVersion.split('/')[0]] ?? 'kubernetes-models'}/${object.apiVersion}`;
}

async function checkValues(file, object) {
	try {
		const kinds = await import(pathToFileURL(path.join(modules, home(object), 'index.js')));
		new kinds[object.kind](object).validate();
	} catch (error) {
		problems.push(`${file}: ${object.kind} ${object.metadata?.name}: ${error.message}`);
	}
}

// Object literals with a type: one for each object, in a file that exists for the compiler only.
function checkMembers(objects) {
	const name = path.join(modules, 'manifests.ts');
	const text = objects.map(({ file, object }, i) =>
		`import type { I${object.kind} as T${i} } from "${home(object)}";\nexport const from_${file.replace(/\W/g, '_')}_${i}: T${i} = ${JSON.stringify(object, null, 1)};\n`).join('');
	const options = { noEmit: true, strict: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler };
	const host = ts.createCompilerHost(options);
	const { getSourceFile, fileExists } = host;
	host.getSourceFile = (wanted, ...more) =>
		wanted === name ? ts.createSourceFile(name, text, ts.ScriptTarget.ESNext) : getSourceFile.call(host, wanted, ...more);
	host.fileExists = (wanted) => wanted === name || fileExists.call(host, wanted);
	for (const found of ts.getPreEmitDiagnostics(ts.createProgram([name], options, host))) {
		const line = found.file ? found.file.text.slice(found.start).split('\n')[0] : '';
		problems.push(`${ts.flattenDiagnosticMessageText(found.messageText, '\n')} (${line})`);
	}
}

const objects = process.argv.slice(2).flatMap((file) =>
	yaml.parseAllDocuments(fs.readFileSync(file, 'utf8')).map((document) => ({ file: path.basename(file), object: document.toJS() })));
for (const { file, object } of objects)
	await checkValues(file, object);
checkMembers(objects);
console.log(problems.join('\n') || objects.map(({ object }) => object.kind).join(' '));
process.exit(problems.length ? 1 : 0);
