/**
 * Validates the objects of a built kustomization: `node scripts/kubernetes-check.ts <folder> <name>`, where the folder
 * holds built.yaml and the packages that judge it. Called by kubernetes-check.sh.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

interface Model {
  validate(): void;
}

const [folder, name] = process.argv.slice(2);
const packages = join(resolve(folder), 'node_modules');
const load = createRequire(join(packages, 'index.js'));
const { parseAllDocuments }: { parseAllDocuments(text: string): readonly { toJSON(): Manifest }[] } = load('yaml');

for (const document of parseAllDocuments(readFileSync(join(folder, 'built.yaml'), 'utf8'))) {
  const manifest = document.toJSON();
  const { apiVersion, kind } = manifest;
  const file = pathToFileURL(join(packages, 'kubernetes-models', apiVersion, `${kind}.js`));
  const models: Readonly<Record<string, new (manifest: Manifest) => Model>> = await import(file.href);
  try {
    new models[kind](manifest).validate();
  } catch (error) {
    process.stderr.write(`${name}: ${kind}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    continue;
  }
  process.stdout.write(`${name}: ${kind} is valid\n`);
}
