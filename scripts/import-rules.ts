/**
 * Holds the architecture: imports go one way, there is no import cycle, and no folder outgrows a screen.
 * Run by `npm run lint`; every finding is a line, and any finding ends it with code 1.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Which parts of src each part may import, besides itself. The entries (src/*.ts) may import everything but the
 * console.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  solvers: [],
  // SQL as text: it needs nothing, and whoever answers or asks a database may write it.
  statements: [],
  // Options of commands, read and refused in one way.
  options: [],
  // Crawl logs → observations: plain computation, for the command line and the console alike.
  logs: ['solvers'],
  // The package's entry for Crawlee: types of its own, and the shape of a plan.
  crawlee: ['logs'],
  schemas: ['solvers', 'statements'],
  operations: ['schemas', 'solvers', 'statements'],
  dispatch: ['operations', 'schemas', 'solvers'],
  http: ['dispatch', 'operations', 'schemas', 'solvers', 'config', 'version', 'examples'],
  routes: ['http', 'dispatch', 'operations', 'schemas', 'solvers', 'config', 'version', 'examples'],
  tables: ['options', 'logs', 'dispatch', 'operations', 'schemas', 'solvers', 'statements', 'version'],
  cli: [
    'options',
    'logs',
    'tables',
    'dispatch',
    'operations',
    'schemas',
    'solvers',
    'config',
    'version',
    'examples',
    'compile-cache',
  ],
  // The console knows the service by its contract. It draws the laws that answers name, so it shares their formulas.
  console: ['solvers/distributions', 'logs'],
};

const maxFiles = 14;
const manyFilesAllowed = new Set(['src/schemas', 'src/console/pictures']);

const imported = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

interface Module {
  readonly file: string;
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

function modules(): Map<string, Module> {
  const found = new Map<string, Module>();
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = join('src', name);
    const specifiers = [...readFileSync(join(root, file), 'utf8').matchAll(imported)].map(([, specifier]) => specifier);
    const local = specifiers.filter((specifier) => specifier.startsWith('.'));
    const imports = [...new Set(local.map((specifier) => normalize(join(dirname(file), specifier))))];
    found.set(file, { file, imports, packages: specifiers.filter((specifier) => !specifier.startsWith('.')) });
  }
  return found;
}

/** The part a file belongs to: its folder below src, or the name of an entry. */
function partOf(file: string): string {
  const [, first, ...rest] = file.split('/');
  return rest.length === 0 ? first.replace(/\.tsx?$/, '') : first;
}

/** A file directly below src: an entry, or a leaf such as the version. */
function isEntry(file: string): boolean {
  return file.split('/').length === 2;
}

function wrongWays(all: ReadonlyMap<string, Module>): string[] {
  const findings: string[] = [];
  for (const { file, imports, packages } of all.values()) {
    const part = partOf(file);
    const mayImport = isEntry(file) ? undefined : allowed[part];
    for (const target of imports.filter((each) => each.startsWith('src/'))) {
      const other = partOf(target);
      if (other === part) continue;
      const fine =
        mayImport === undefined
          ? other !== 'console'
          : mayImport.some((each) => each === other || target.startsWith(`src/${each}/`));
      if (!fine)
        findings.push(`${file} imports ${target}: ${part} may import ${mayImport?.join(', ') || 'nothing else'}`);
    }
    if (part !== 'solvers') continue;
    for (const name of packages) {
      findings.push(`${file} imports ${name}: solvers run in any JavaScript engine and need no package`);
    }
  }
  return findings;
}

/** Import cycles, each named once: the strongly connected components of the import graph (Tarjan 1972). */
function cycles(all: ReadonlyMap<string, Module>): string[] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const found: string[] = [];
  const visit = (file: string): number => {
    const at = index.size;
    let lowest = at;
    index.set(file, at);
    stack.push(file);
    onStack.add(file);
    for (const next of all.get(file)?.imports ?? []) {
      if (!all.has(next)) continue;
      const seen = index.get(next);
      if (seen === undefined) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, seen);
    }
    if (lowest === at) {
      const component = stack.splice(stack.indexOf(file));
      for (const each of component) onStack.delete(each);
      if (component.length > 1) found.push(`import cycle among ${component.sort().join(', ')}`);
    }
    return lowest;
  };
  for (const file of all.keys()) if (!index.has(file)) visit(file);
  return found;
}

function crowdedFolders(): string[] {
  const findings: string[] = [];
  const look = (folder: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    const name = relative(root, folder);
    const files = entries.filter((entry) => entry.isFile()).length;
    if (files > maxFiles && !manyFilesAllowed.has(name)) {
      findings.push(`${name} has ${files} files; at most ${maxFiles} fit one idea, so give it sub-folders`);
    }
    for (const entry of entries) if (entry.isDirectory()) look(join(folder, entry.name));
  };
  look(join(root, 'src'));
  return findings;
}

const all = modules();
const findings = [...wrongWays(all), ...cycles(all), ...crowdedFolders()];
for (const finding of findings) process.stderr.write(`${finding}\n`);
if (findings.length > 0) process.exit(1);
