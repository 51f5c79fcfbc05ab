/**
 * Writes openapi/openapi.json and the client types made from it. With --check, it fails when either differs from what
 * is committed. The package openapi-typescript needs TypeScript's JavaScript API, which TypeScript 7 does not have, so
 * it runs in an install of its own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { jsonText } from './json-text.ts';

const documentFile = fileURLToPath(new URL('../openapi/openapi.json', import.meta.url));
const typesFile = fileURLToPath(new URL('../test/contract/client-types.ts', import.meta.url));

async function generateDocument(): Promise<string> {
  const { server } = await buildApp(readConfig({ LOG_LEVEL: 'silent', WORKERS: '1' }));
  await server.ready();
  const document = jsonText(server.swagger());
  await server.close();
  return `${document}\n`;
}

/** The operations that the test of a typed client asks: the types of the others are made in the same way. */
const typedPaths = ['/v1/crawl-plan', '/v1/crawler-count'];

/** The document with these paths alone, and the components they refer to. */
function reduced(document: string): string {
  const whole: { paths: Record<string, unknown>; components: { schemas: Record<string, unknown> } } =
    JSON.parse(document);
  const paths = Object.fromEntries(typedPaths.map((path) => [path, whole.paths[path]]));
  const used = new Set<string>();
  const look = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      look(whole.components.schemas[name]);
    }
  };
  look([paths, { ...whole.components, schemas: {} }]);
  const schemas = Object.fromEntries(Object.entries(whole.components.schemas).filter(([name]) => used.has(name)));
  return JSON.stringify({ ...whole, paths, components: { ...whole.components, schemas } });
}

function generateTypes(document: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const source = join(folder, 'openapi.json');
    const target = join(folder, 'types.ts');
    writeFileSync(source, reduced(document));
    const packages = ['--package=openapi-typescript@7.13.0', '--package=typescript@5.9'];
    execFileSync(
      'npm',
      ['exec', '--yes', ...packages, '--', 'openapi-typescript', source, '--default-non-nullable=false', '-o', target],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return readFileSync(target, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const check = process.argv.includes('--check');
const generated = await generateDocument();
if (check) {
  if (readFileSync(documentFile, 'utf8') !== generated) {
    process.stderr.write(
      'openapi/openapi.json differs from the schemas: run `npm run openapi` and commit the result\n',
    );
    process.exit(1);
  }
  if (readFileSync(typesFile, 'utf8') !== generateTypes(generated)) {
    process.stderr.write(
      'test/contract/client-types.ts differs from the schemas: run `npm run openapi` and commit the result\n',
    );
    process.exit(1);
  }
  process.stdout.write('openapi/openapi.json and the client types are up to date\n');
} else {
  writeFileSync(documentFile, generated);
  writeFileSync(typesFile, generateTypes(generated));
}
