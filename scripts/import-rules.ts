/**
 * Checks the architecture: imports go one way, without cycles of files or of sibling folders. Run by `npm run lint`; it
 * prints one line for each violation and then exits with code 1.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Which parts of src each part may import, besides itself. The entries (src/*.ts) may import everything but the
 * console.
 */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  solvers: [],
  // SQL as text, for the operations and for the tables command.
  statements: [],
  // Crawl logs → observations: plain computation, for the command line and the console alike.
  logs: ['solvers', 'schemas/words'],
  // The package's entry for Crawlee: types of its own, the shape of a plan, and when pages are due at a price.
  crawlee: ['logs', 'solvers'],
  schemas: ['solvers', 'statements'],
  operations: ['schemas', 'solvers', 'statements'],
  // Code that checks answers and shares none with the code that finds them: see certificateSolverFolders.
  certificates: ['schemas', 'solvers'],
  workers: ['logs', 'operations', 'schemas', 'solvers', 'package'],
  plugins: ['workers', 'operations', 'schemas', 'solvers', 'config', 'package'],
  routes: ['plugins', 'logs', 'workers', 'operations', 'schemas', 'solvers', 'config', 'package'],
  // The tables command parses its options as the other commands do.
  tables: ['cli', 'logs', 'workers', 'operations', 'schemas', 'solvers', 'statements', 'package'],
  cli: ['logs', 'workers', 'operations', 'schemas', 'solvers', 'certificates', 'config', 'package', 'compile-cache'],
  // The console knows the service by its contract. It draws the laws that answers name, so it shares their formulas.
  console: ['solvers/laws', 'logs', 'schemas/words'],
};

/** Folders of solver code that certificates may run; types may come from anywhere. */
const certificateSolverFolders = ['src/solvers/numerics/', 'src/solvers/laws/'];

/** Packages that solvers may use: they run in any JavaScript engine. */
const packagesOfSolvers = new Set(['ml-matrix']);

const importSpecifier = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

interface Module {
  readonly file: string;
  readonly imports: readonly string[];
  readonly packages: readonly string[];
  /** The `imports` of values, not only of types. */
  readonly run: readonly string[];
}

/** Matches an import or export of names; its second group is the text between the braces. */
const namedImport = /\b(?:import|export)\s+(type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/g;

/** The specifiers from which a file imports values, not only types. */
function runtimeImports(text: string, specifiers: readonly string[]): string[] {
  const typesOnly = new Set<string>();
  const values = new Set<string>();
  for (const [, typeOnly, names, specifier] of text.matchAll(namedImport)) {
    const allTypes = names.split(',').every((name) => /^\s*(type\s|$)/.test(name));
    (typeOnly !== undefined || allTypes ? typesOnly : values).add(specifier);
  }
  return specifiers.filter((specifier) => values.has(specifier) || !typesOnly.has(specifier));
}

function modules(): Map<string, Module> {
  const moduleByFile = new Map<string, Module>();
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = join('src', name);
    const text = readFileSync(join(root, file), 'utf8');
    const specifiers = [...text.matchAll(importSpecifier)].map(([, specifier]) => specifier);
    const local = specifiers.filter((specifier) => specifier.startsWith('.'));
    const resolveAll = (each: readonly string[]): string[] => [
      ...new Set(each.map((specifier) => normalize(join(dirname(file), specifier)))),
    ];
    moduleByFile.set(file, {
      file,
      imports: resolveAll(local),
      packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
      run: resolveAll(runtimeImports(text, local)),
    });
  }
  return moduleByFile;
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

function forbiddenImports(moduleByFile: ReadonlyMap<string, Module>): string[] {
  const findings: string[] = [];
  for (const { file, imports, packages } of moduleByFile.values()) {
    const part = partOf(file);
    const mayImport = isEntry(file) ? undefined : allowedImports[part];
    for (const target of imports.filter((each) => each.startsWith('src/'))) {
      const targetPart = partOf(target);
      if (targetPart === part) continue;
      const isAllowed =
        mayImport === undefined
          ? targetPart !== 'console'
          : mayImport.some((each) => each === targetPart || target.startsWith(`src/${each}/`));
      if (!isAllowed)
        findings.push(`${file} imports ${target}: ${part} may import ${mayImport?.join(', ') || 'nothing else'}`);
    }
    if (part !== 'solvers') continue;
    for (const name of packages.filter((each) => !packagesOfSolvers.has(each))) {
      findings.push(`${file} imports ${name}: solvers take ${[...packagesOfSolvers].join(' and ')} alone`);
    }
  }
  return findings;
}

/** Certificates that run code of a solver. */
function solverImportsOfCertificates(moduleByFile: ReadonlyMap<string, Module>): string[] {
  const isSolverCode = (target: string): boolean =>
    target.startsWith('src/solvers/') && !certificateSolverFolders.some((folder) => target.startsWith(folder));
  return [...moduleByFile.values()]
    .filter(({ file }) => file.startsWith('src/certificates/'))
    .flatMap(({ file, run }) =>
      run.filter(isSolverCode).map((target) => `${file} runs ${target}: a certificate shares no code with a finder`),
    );
}

/** Import cycles among files, each named once. */
function cycles(moduleByFile: ReadonlyMap<string, Module>): string[] {
  const graph = new Map(
    [...moduleByFile].map(([file, { imports }]) => [file, imports.filter((each) => moduleByFile.has(each))]),
  );
  return cyclesOf(graph).map((files) => `import cycle among ${files.join(', ')}`);
}

/** Cycles of sibling folders: an import between two files counts for the two siblings that contain them. */
function folderCycles(moduleByFile: ReadonlyMap<string, Module>): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { file, imports } of moduleByFile.values()) {
    for (const target of imports) {
      const [from, to] = [file.split('/'), target.split('/')];
      const divergence = from.findIndex((step, i) => step !== to[i]);
      if (divergence >= from.length - 1 || divergence >= to.length - 1) continue;
      const folder = from.slice(0, divergence + 1).join('/');
      graph.set(folder, (graph.get(folder) ?? new Set()).add(to.slice(0, divergence + 1).join('/')));
    }
  }
  return cyclesOf(graph).map((folders) => `circle of folders ${folders.join(', ')}`);
}

/** The cycles of a graph: its strongly connected components of more than one node (Tarjan 1972). */
function cyclesOf(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const components: string[][] = [];
  const visit = (node: string): number => {
    const at = index.size;
    let lowest = at;
    index.set(node, at);
    stack.push(node);
    onStack.add(node);
    for (const next of graph.get(node) ?? []) {
      const nextIndex = index.get(next);
      if (nextIndex === undefined) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, nextIndex);
    }
    if (lowest === at) {
      const component = stack.splice(stack.indexOf(node));
      for (const each of component) onStack.delete(each);
      if (component.length > 1) components.push(component.sort());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return components;
}

const sources = modules();
const findings = [
  ...forbiddenImports(sources),
  ...solverImportsOfCertificates(sources),
  ...cycles(sources),
  ...folderCycles(sources),
];
for (const finding of findings) process.stderr.write(`${finding}\n`);
if (findings.length > 0) process.exit(1);
