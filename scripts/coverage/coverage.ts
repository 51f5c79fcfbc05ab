/**
 * How often stated intervals hold the truth, by simulation:
 * `node scripts/coverage/coverage.ts [runs, or first-last] [change-rates | shape | signals]`.
 *
 * Each run draws pages of known laws and checks them at uneven gaps. It asks whether the 95% interval held the value
 * drawn from, or which share of several intervals did. A share of 1,000 runs is itself uncertain by 1.4% (95%). Seeds
 * are the runs' numbers.
 */
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { type Estimate, solveChangeSignals } from '../../src/solvers/change-signals/index.ts';
import { CheckLog, solveChangeRates } from '../../src/solvers/estimation/index.ts';
import { fitFamilies } from '../../src/solvers/estimation/renewal/fit-families.ts';
import { type FamilyName, lawFamilies } from '../../src/solvers/estimation/renewal/law-families.ts';
import { createLaw } from '../../src/solvers/laws/index.ts';
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';

/** Moments of a Poisson process up to an end. */
function moments(rate: number, end: number, random: Random): number[] {
  const times: number[] = [];
  for (let t = standardExponential(random) / rate; t < end; t += standardExponential(random) / rate) times.push(t);
  return times;
}

interface Watched {
  readonly log: CheckLog;
  readonly page: number;
  /** After `start`. */
  readonly changes: number[];
  readonly gap: number;
  readonly end: number;
  readonly start?: number;
}

/** Records checks of a page at gaps of 0.5 to 1.5 times `gap`. */
function check({ log, page, changes, gap, end, start = 0 }: Watched, random: Random): void {
  const sorted = changes.sort((a, b) => a - b);
  let at = 0;
  for (let t = gap * (0.5 + random()); t < end; t += gap * (0.5 + random())) {
    const before = at;
    while (at < sorted.length && sorted[at] <= t) at++;
    log.record(page, start + t, at > before);
  }
}

/** A page of rate 1, checked 24 times. */
function changeRate(run: number): boolean {
  const random = seededRandom(run);
  const log = new CheckLog(new Float64Array(1));
  check({ log, page: 0, changes: moments(1, 12, random), gap: 0.5, end: 12 }, random);
  const { low, high } = solveChangeRates(
    { history: log.history(), method: 'maximum-likelihood', prior: 'none', confidence: 0.95 },
    unlimitedBudget(),
  ).solution.pages.interval;
  return low[0] <= 1 && 1 <= high[0];
}

/** Means after the first update from which pages are watched: the longest gaps of Lomax laws need so many. */
const longAfter = 1000;

/** Twelve pages of one law of gaps, of means of a half to two, with 25 checks each; NaN where there is no interval. */
function shape(name: FamilyName, truth: number): (run: number) => number {
  const family = lawFamilies.find((each) => each.name === name);
  if (family === undefined) throw new Error(`no law ${name}`);
  // shape(x) is eˣ, but of Lomax laws 1 + eˣ
  const x = Math.log(truth - family.shape(Number.NEGATIVE_INFINITY));
  return (run) => {
    const random = seededRandom(run);
    const log = new CheckLog(new Float64Array(12));
    for (let i = 0; i < 12; i++) {
      const mean = 0.5 * 4 ** random();
      const law = createLaw(family.distribution(x, mean));
      const start = (longAfter + random()) * mean;
      const changes: number[] = [];
      for (let t = 0; t < start + 13 * mean; t += law.sample(random)) if (t > start) changes.push(t - start);
      check({ log, page: i, changes, gap: 0.5 * mean, end: 12.5 * mean }, random);
    }
    const pages = Uint32Array.from({ length: 12 }, (_, i) => i);
    const [{ interval }] = fitFamilies(log.history(), pages, unlimitedBudget(), [family]).fits;
    return interval === null ? Number.NaN : Number(interval[0] <= truth && truth <= interval[1]);
  };
}

/** Pages whose changes are told of by signals: precision and recall in turn. */
function signals({ pages, checks, rate }: { pages: number; checks: number; rate: number }): (run: number) => number[] {
  return (run) => {
    const random = seededRandom(run);
    const precision = 0.2 + 0.7 * random();
    const recall = 0.3 + 0.6 * random();
    const spread = 1.2 * random();
    const offsets = Uint32Array.from({ length: pages + 1 }, (_, i) => i * checks);
    const elapsed = new Float64Array(pages * checks);
    const changed = new Uint8Array(pages * checks);
    const told = new Float64Array(pages * checks);
    for (let i = 0; i < pages; i++) {
      const own = rate * Math.exp(spread * standardNormal(random));
      for (let k = i * checks; k < (i + 1) * checks; k++) {
        elapsed[k] = 0.3 + 1.4 * random();
        const right = moments(own * recall, elapsed[k], random).length;
        const silent = moments(own * (1 - recall), elapsed[k], random).length;
        const wrong = moments((own * recall * (1 - precision)) / precision, elapsed[k], random).length;
        changed[k] = right + silent > 0 ? 1 : 0;
        told[k] = right + wrong;
      }
    }
    const host = new Int32Array(pages);
    const problem = { offsets, elapsed, changed, signals: told, host, names: [null], confidence: 0.95 };
    const { overall } = solveChangeSignals(problem, unlimitedBudget()).solution;
    return [Number(holds(overall.precision, precision)), Number(holds(overall.recall, recall))];
  };
}

const holds = ({ interval: [low, high] }: Estimate, value: number): boolean => low <= value && value <= high;

const [asked = '1000', ...names] = process.argv.slice(2);
const [first, last] = asked.includes('-') ? asked.split('-').map(Number) : [1, Number(asked)];
const runs = last - first + 1;
const trials: Readonly<Record<string, (run: number) => boolean | number | readonly (boolean | number)[]>> = {
  'change-rates': changeRate,
  'shape-gamma': shape('gamma', 3),
  'shape-weibull': shape('weibull', 0.61),
  'shape-lognormal': shape('lognormal', 0.8),
  'shape-lomax': shape('lomax', 2.5),
  'shape-periodic': shape('periodic', 0.5),
  'signals-few': signals({ pages: 25, checks: 10, rate: 1 }),
  'signals-many': signals({ pages: 6, checks: 150, rate: 4 }),
};
for (const [name, trial] of Object.entries(trials)) {
  if (names.length > 0 && !names.some((each) => name.startsWith(each))) continue;
  const held: number[] = [];
  const given: number[] = [];
  for (let run = first; run <= last; run++) {
    for (const [k, share] of [trial(run)].flat().entries()) {
      const told = !Number.isNaN(Number(share));
      held[k] = (held[k] ?? 0) + (told ? Number(share) : 0);
      given[k] = (given[k] ?? 0) + Number(told);
    }
  }
  const shares = held.map((count, k) => `${((100 * count) / given[k]).toFixed(1)}%`).join(', ');
  const without = Math.min(...given) < runs ? `, ${Math.min(...given)} with an interval` : '';
  console.log(`${name.padEnd(20)} ${shares} of ${runs} runs${without}, ${first} to ${last}`);
}
