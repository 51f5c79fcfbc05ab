/**
 * Requests on which two revisions are compared: recorded examples and instances of the older one's document.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../src/schemas/contract/strict-object.ts';
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { Instances } from '../stress/schema-instances.ts';

/** Requests of one operation, one JSON text each; where they come from, to be told by. */
export interface Requests {
  readonly operation: string;
  readonly source: 'examples' | 'varied examples' | 'paper tables' | 'generated' | 'crawl logs' | 'plans with options';
  readonly bodies: readonly string[];
}

/** The value under a chain of names; undefined where one is missing. */
function under(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((at: unknown, name) => (isRecord(at) ? at[name] : undefined), value);
}

/**
 * Examples with a recorded answer, and `perOperation` instances of every operation's schema, of the revision in `root`.
 */
export function documentedRequests(root: string, perOperation: number): Requests[] {
  const document: unknown = JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8'));
  const paths = under(document, 'paths');
  if (!isRecord(document) || !isRecord(paths)) throw new Error(`${root}/openapi/openapi.json has no paths`);
  const operations = Object.keys(paths).flatMap((path) =>
    under(paths, path, 'post', 'requestBody') === undefined || !path.startsWith('/v1/')
      ? []
      : [path.slice('/v1/'.length)],
  );
  return operations.flatMap((operation): Requests[] => {
    const schema = under(paths, `/v1/${operation}`, 'post', 'requestBody', 'content', 'application/json', 'schema');
    const instances = new Instances(document, seededRandom(1), 0);
    const generated = Array.from({ length: perOperation }, () => JSON.stringify(instances.generate(schema)));
    return [
      { operation, source: 'examples', bodies: examples(root, operation, operations) },
      { operation, source: 'generated', bodies: generated },
    ];
  });
}

/** Examples with one to three of their numbers up to half as large or twice as large, `perExample` of each. */
export function variedRequests(examplesOf: readonly Requests[], perExample: number, seed: number): Requests[] {
  const random = seededRandom(seed);
  return examplesOf
    .filter(({ source }) => source === 'examples')
    .map(({ operation, bodies }) => ({
      operation,
      source: 'varied examples',
      bodies: bodies.flatMap((body) => Array.from({ length: perExample }, () => varied(body, random))),
    }));
}

function varied(body: string, random: Random): string {
  const count = [...body.matchAll(numberInJson)].length;
  const chosen = new Set(Array.from({ length: 1 + Math.floor(3 * random()) }, () => Math.floor(count * random())));
  let k = 0;
  return body.replaceAll(numberInJson, (text) => {
    if (!chosen.has(k++)) return text;
    const value = Number(text) * 2 ** (2 * random() - 1);
    return String(/[.e]/.test(text) ? value : Math.round(value));
  });
}

/** A number that stands for a value, after a colon, a comma or a bracket. */
const numberInJson = /(?<=[:,[])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?=[,\]}])/gi;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The instances of the papers' tables and figures, from the older revision's fixtures and in its words. */
export function paperRequests(root: string): Requests[] {
  const fixture = (name: string): unknown => JSON.parse(readFileSync(join(root, `test/fixtures/${name}.json`), 'utf8'));
  const exponential = { type: 'exponential', rate: 1 };
  const counts = listOf(under(fixture('crawler-count'), 'table_1_1')).flatMap((cell) => {
    const [capacity, starvationWeight] = [under(cell, 'K'), under(cell, 'gamma')];
    return typeof capacity === 'number'
      ? [{ crawlerRate: 0.01, indexing: exponential, capacity, starvationWeight }]
      : [];
  });
  const activation = fixture('activation-policy');
  const figures = [...listOf(under(activation, 'figures')), ...listOf(under(activation, 'table1.2'))].map((cell) => ({
    crawlerRate: under(cell, 'crawlerRate'),
    indexingRate: under(cell, 'indexingRate') ?? 1,
    capacity: under(cell, 'capacity'),
    starvationWeight: under(cell, 'starvationWeight'),
    crawlers: under(cell, 'crawlers'),
  }));
  const thresholds = fixture('threshold-policy');
  const { modes, service, obsolescence, capacity, costs }: Record<string, unknown> = Object(
    under(thresholds, 'example'),
  );
  const arrivals = {
    model: 'per-mode',
    modes: listOf(modes).map((matrices, k) => ({ crawlers: k + 1, matrices })),
  };
  const phases = (law: unknown): object => ({ type: 'phase-type', ...Object(law) });
  const queue = { arrivals, service: phases(service), obsolescence: phases(obsolescence), costs };
  const clw = under(fixture('coffman-liu-weber'), 'clw');
  const pages = { changeRate: under(clw, 'mu'), weight: under(clw, 'c') };
  const access = { pages, accessTime: { type: 'deterministic', value: under(clw, 'value') } };
  const source = 'paper tables';
  const bodies = (requests: readonly object[]): string[] => requests.map((request) => JSON.stringify(request));
  return [
    { operation: 'crawler-count', source, bodies: bodies(counts) },
    { operation: 'activation-policy', source, bodies: bodies(figures) },
    {
      operation: 'threshold-policy',
      source,
      bodies: bodies(
        [2, 3, Number(capacity), 8].flatMap((size) => [
          { ...queue, capacity: size },
          { ...queue, capacity: size, admission: 'complete-rejection' },
          { ...queue, capacity: size, obsolescence: null },
        ]),
      ),
    },
    {
      operation: 'access-frequencies',
      source,
      bodies: bodies([
        { ...access, policy: 'deterministic' },
        { ...access, policy: 'randomized' },
      ]),
    },
    {
      operation: 'access-sequence',
      source,
      bodies: bodies([access, { ...access, method: 'golden-ratio', fibonacciIndex: 8 }]),
    },
  ];
}

/** Examples belong to the operation whose last name theirs begins with; of two such, to the longer one. */
function examples(root: string, operation: string, operations: readonly string[]): string[] {
  const prefix = (name: string): string => name.replace('estimates/', '').replace('/', '-');
  const owner = (file: string): string | undefined =>
    operations.filter((name) => file.startsWith(prefix(name))).sort((a, b) => prefix(b).length - prefix(a).length)[0];
  const folder = join(root, 'examples');
  return readdirSync(folder)
    .filter((file) => existsSync(join(folder, file.replace(/\.json$/, '.answer.json'))) && owner(file) === operation)
    .map((file) => JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
}
