/**
 * Requests on which two revisions are compared: recorded examples, instances of the older one's document, and crawl
 * logs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../src/schemas/table/table-reading.ts';
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import { Instances } from '../torment/requests/schema-instances.ts';

/** Requests of one operation, one JSON text each; where they come from, to be told by. */
export interface Requests {
  readonly operation: string;
  readonly source: 'examples' | 'generated' | 'crawl logs';
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

const day = 86_400;
const now = 1_760_000_000;

/**
 * Requests for crawl-plan without any option that came later than the first edition: pages of lognormal rates, checked
 * at uneven gaps, with every kind of limit now and then.
 */
export function planRequests(count: number, seed: number): Requests {
  const random = seededRandom(seed);
  return { operation: 'crawl-plan', source: 'crawl logs', bodies: Array.from({ length: count }, () => plan(random)) };
}

function plan(random: Random): string {
  const sometimes = <T>(chance: number, value: T): T | undefined => (random() < chance ? value : undefined);
  const pages = Array.from({ length: 2 + Math.floor(200 * random() ** 3) }, (_, i) => ({
    id: `page-${i}`,
    host: `host-${Math.floor(random() * 8)}`,
    weight: sometimes(0.3, standardExponential(random)),
    minInterval: sometimes(0.05, day * random()),
    maxInterval: sometimes(0.05, day * (20 + 40 * random())),
    ...evidence(random),
  }));
  return JSON.stringify({
    now,
    interval: day * (0.5 + 20 * random() ** 2),
    crawls: 1 + Math.floor(pages.length * 4 ** (2 * random() - 1)),
    floor: sometimes(0.2, 0.2 * random()),
    estimator: sometimes(0.5, random() < 0.6 ? 'maximum-likelihood' : 'drifting-rate'),
    minInterval: sometimes(0.1, 600),
    maxInterval: sometimes(0.1, day * 365),
    hosts: sometimes(0.3, [
      { host: 'host-0', minDelay: 60 * random() },
      { host: 'host-1', minDelay: 3600 * random() },
    ]),
    pages,
  });
}

function evidence(random: Random): object {
  const rate = Math.exp(1.5 * standardNormal(random)) / (5 * day);
  const kind = random();
  if (kind < 0.1) return { changeRate: rate };
  const checks: [number, number][] = [];
  for (let k = Math.floor(40 * random()); k > 0; k--) {
    const gap = Math.round(day * 2 * random() + 60);
    checks.push([gap, random() < -Math.expm1(-rate * gap) ? 1 : 0]);
  }
  if (checks.length === 0) return kind < 0.3 ? { checks } : { checks, lastCrawl: now - Math.round(day * random()) };
  let lastCrawl = now - Math.round(3 * day * random());
  if (kind < 0.8) return { checks, lastCrawl };
  const observations: object[] = [];
  for (const [gap, changed] of checks.toReversed()) {
    observations.unshift({ time: lastCrawl, changed: changed === 1 });
    lastCrawl -= gap;
  }
  return { observations };
}
