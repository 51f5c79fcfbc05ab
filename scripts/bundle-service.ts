/**
 * Puts the service and its worker, with the packages that every start loads, into a few files of the given folder.
 * Finding, reading and linking several hundred modules takes a start longer than running them. Packages that only some
 * requests need, that are optional or that read files of their own stay where they are installed. The licences of what
 * was put in are written beside it, and what the service knows of the operations it does not load.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { operations } from '../src/operations/index.ts';
import { factsOf } from '../src/routes/served-operations.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node scripts/bundle-service.ts <folder>');

const root = fileURLToPath(new URL('..', import.meta.url));
const leftOut = [
  /^@opentelemetry\/(?!api$)/,
  /^@fastify\/(otel|swagger|swagger-ui)(\/|$)/,
  // The framework asks for these only where routes have schemas to compile, or a test injects requests.
  /^@fastify\/(ajv-compiler|fast-json-stringify-compiler)$/,
  /^light-my-request$/,
];
/**
 * What starts with the service.
 * A worker's other threads load modules as they are: they start beside a long solve, and would bring these twice.
 */
const entries = [{ names: ['server', 'worker', 'nursery'], external: leftOut }];

const bundled = (names: readonly string[], external: readonly RegExp[]) =>
  build({
    configFile: false,
    root,
    logLevel: 'warn',
    ssr: { noExternal: true, external: ['vite'] },
    build: {
      ssr: true,
      outDir: resolve(folder),
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(root, 'src', `${name}.ts`)])),
        external: (id) => external.some((pattern) => pattern.test(id)),
        // All chunks in one folder: what finds files by its own place finds them from every one.
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'service-[name]-[hash].js',
          // The names of functions stay, so that a stack can be read.
          minify: {
            compress: false,
            mangle: { toplevel: false, keepNames: { function: true, class: true } },
            codegen: { removeWhitespace: true },
          },
        },
      },
    },
  });

const bundles = [];
for (const { names, external } of entries) bundles.push(await bundled(names, external));

/** The packages whose modules were put in, by their folder under node_modules. */
function packagesIn(built: unknown): Set<string> {
  const found = new Set<string>();
  const outputs: unknown[] = Reflect.get(Object([built].flat()[0]), 'output');
  for (const output of outputs) {
    const modules: unknown = Reflect.get(Object(output), 'moduleIds');
    if (!Array.isArray(modules)) continue;
    for (const id of modules) {
      const name = /node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(String(id))?.[1];
      if (name !== undefined) found.add(name);
    }
  }
  return found;
}

/** The text of a package's licence file; its name and the licence that it declares where it has no such file. */
function licenceOf(name: string): string {
  const base = join(root, 'node_modules', name);
  const { version, license }: { version: string; license: string } = JSON.parse(
    readFileSync(join(base, 'package.json'), 'utf8'),
  );
  const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'LICENCE'].find((each) =>
    existsSync(join(base, each)),
  );
  const text = file === undefined ? license : readFileSync(join(base, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}

const names = [...new Set(bundles.flatMap((bundle) => [...packagesIn(bundle)]))].sort();
writeFileSync(
  join(resolve(folder), 'THIRD-PARTY-LICENCES.txt'),
  `The files service-*.js contain the following packages.\n\n${names.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`)}`,
);
writeFileSync(join(resolve(folder), 'operations.json'), JSON.stringify(operations.map(factsOf)));
