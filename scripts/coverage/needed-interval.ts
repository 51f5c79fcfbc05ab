/**
 * How often the interval of the crawls that a target needs holds what the true rates need.
 *
 * Pages change at rates of a law. Each is checked a few times at gaps of its own, and the target is asked of the
 * checks, then of the rates. Who is asked is crawl-plan, or `tables rates` and `tables price` on files. Of crawl-plan it is
 * also a mean delay or age, or freshness with a slow host or with more for a class. Beside the shares stands the median
 * of high / low.
 *
 *     node scripts/coverage/needed-interval.ts 1-200 [lognormal|pareto|two|never] [spread of ln rates] \
 *         [plan|delay|age|hosts|classes|tables]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawlPlan, type RequestOf } from '../../src/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import { runTables } from '../../src/tables/index.ts';

type Request = RequestOf<typeof crawlPlan>;
const [day, now] = [86_400, 1_795_478_400];
const [first, last] = (process.argv[2] ?? '1-100').split('-').map(Number);
const law = process.argv[3] ?? 'lognormal';
/** Of the logarithms of lognormal rates. */
const spread = Number(process.argv[4] ?? 1);
const kind = process.argv[5] ?? 'plan';
const byTables = kind === 'tables';
const lognormal = (random: () => number): number => Math.exp(spread * standardNormal(random));
/** Changes a day; of `two` half of the pages change thirty times as often, of `never` four in ten hardly change. */
const laws: Readonly<Record<string, (random: () => number) => number>> = {
  lognormal,
  pareto: (random) => 0.3 * (1 - random()) ** (-1 / 1.1),
  two: (random) => (random() < 0.5 ? 0.1 : 3),
  never: (random) => (random() < 0.4 ? 1e-6 : lognormal(random)),
};

interface Held {
  /** 0 where the interval holds the need, −1 where less is needed, 1 where more is. */
  readonly side: -1 | 0 | 1;
  readonly width: number;
}

/** Whether the interval holds the need; null where a target is out of reach. */
async function held(seed: number, pages: number, checks: number): Promise<Held | null> {
  const random = seededRandom(seed);
  const freshness = 0.5 + 0.3 * random();
  const drawn = Array.from({ length: pages }, () => {
    const rate = laws[law](random);
    const seen = Array.from({ length: checks }, (): [number, 0 | 1] => {
      const gap = 0.3 + standardExponential(random);
      return [gap * day, random() < -Math.expm1(-rate * gap) ? 1 : 0];
    });
    return { rate, seen, weight: 0.5 + random() };
  });
  if (byTables) return heldByTables(drawn, freshness);
  // some hundred crawls whatever the pages: the numbers are whole
  const common = { now, interval: (150 / pages) * day, ...askedOf(pages, freshness) };
  const page = ({ weight }: Drawn, i: number) => ({
    weight,
    lastCrawl: now,
    ...(kind === 'hosts' && i % slow === 0 && { host: 'slow' }),
    ...(kind === 'classes' && i % slow === 0 && { class: 'top' }),
  });
  const guessed: Request = { ...common, pages: drawn.map((each, i) => ({ ...page(each, i), checks: [...each.seen] })) };
  const known: Request = {
    ...common,
    pages: drawn.map((each, i) => ({ ...page(each, i), changeRate: each.rate / day })),
  };
  const [asked, needed] = [await crawlPlan(guessed), await crawlPlan(known)];
  const need = needed.objective?.value ?? Number.NaN;
  const [low, high] = asked.solution?.crawlsInterval ?? [Number.NaN, Number.NaN];
  if (Number.isNaN(need) || Number.isNaN(low)) return null;
  return sideOf(need, low, high ?? Number.POSITIVE_INFINITY);
}

/** Of so many pages one is at the slow host, or of the class. */
const slow = 4;

/** The target and the limits. */
function askedOf(pages: number, freshness: number): Pick<Request, 'target' | 'targets' | 'hosts' | 'objective'> {
  const time = 2 * (1 - freshness) * day;
  if (kind === 'delay') return { objective: 'delay', target: { meanDelay: time } };
  if (kind === 'age') return { objective: 'age', target: { meanAge: time } };
  const target = { freshness };
  if (kind === 'classes') return { target, targets: [{ class: 'top', freshness: freshness + 0.15 }] };
  return kind === 'hosts'
    ? { target, hosts: [{ host: 'slow', minDelay: (2 * day) / Math.ceil(pages / slow) }] }
    : { target };
}

function sideOf(need: number, low: number, high: number): Held {
  return { side: need < low ? -1 : need > high ? 1 : 0, width: high / low };
}

interface Drawn {
  readonly rate: number;
  readonly weight: number;
  readonly seen: readonly (readonly [number, 0 | 1])[];
}

const folder = mkdtempSync(join(tmpdir(), 'needed-'));

async function heldByTables(drawn: readonly Drawn[], freshness: number): Promise<Held> {
  const [log, rates, truth] = ['log.csv', 'rates.csv', 'truth.csv'].map((name) => join(folder, name));
  const fetches = drawn.flatMap(({ seen }, i) => {
    const times = seen.map((_, k) => seen.slice(0, k + 1).reduce((time, [gap]) => time + gap, now));
    return [`${i},${now},0`, ...seen.map(([, changed], k) => `${i},${times[k]},${changed}`)];
  });
  writeFileSync(log, `id,at,changed\n${fetches.join('\n')}\n`);
  writeFileSync(truth, `id,rate,weight\n${drawn.map(({ rate, weight }, i) => `${i},${rate},${weight}`).join('\n')}\n`);
  const said = async (...words: string[]) => {
    let [out, err] = ['', ''];
    const code = await runTables(words, { write: (text) => (out += text) }, { write: (text) => (err += text) });
    if (code !== 0) throw new Error(err);
    return JSON.parse(out);
  };
  const of = ['--id', 'id', '--rate-unit', 'day'];
  await said(
    'rates',
    log,
    ...of,
    '--time',
    'at',
    '--time-format',
    'epoch-seconds',
    '--changed',
    'changed',
    '--out',
    rates,
  );
  const [head, ...rows] = readFileSync(rates, 'utf8').trim().split('\n');
  const weighed = rows.map((row) => `${row},${drawn[Number(row.split(',', 1)[0])].weight}`);
  writeFileSync(rates, [`${head},weight`, ...weighed].join('\n'));
  const asked = [...of, '--rate', 'rate', '--weight', 'weight', '--per', 'day', '--freshness', String(freshness)];
  const [guessed, known] = [await said('price', rates, ...asked), await said('price', truth, ...asked)];
  const [low, high] = guessed.crawlsInterval;
  return sideOf(known.crawls, low, high);
}

for (const pages of byTables ? [20, 200, 2000] : [5, 20, 200]) {
  for (const checks of [4, 20]) {
    const found: Held[] = [];
    for (let seed = first; seed <= last; seed++) {
      const each = await held(seed, pages, checks);
      if (each !== null) found.push(each);
    }
    const share = (side: number): string =>
      `${((100 * found.filter((each) => each.side === side).length) / found.length).toFixed(1)}%`;
    const widths = found.map(({ width }) => width).sort((a, b) => a - b);
    console.log(
      `${pages} pages, ${checks} checks each: ${share(0)} of ${found.length} held, ${share(-1)} need less, ${share(1)} need more; width ${widths[widths.length >> 1].toFixed(2)}`,
    );
  }
}
rmSync(folder, { recursive: true });
