/**
 * How often the intervals of simulations/pages hold the truth, page by page: `node scripts/coverage/page-simulation.ts
 * [first run-last run] [laws…]`.
 *
 * Pages that change by a law, some of which hardly ever in a run, are fetched at one rate, evenly and at random. The
 * truth is by quadrature of the law's survival S alone. A copy of age t lacks a change with the chance
 * F(t) = rate·∫₀ᵗ S. Where updates come in bursts, it lacks none where none begins and no running one goes on. Of
 * fetches g apart a page is fresh for (1/g)∫₀ᵍ(1 − F) and old for (1/g)∫₀ᵍ(g − t)F, and a change waits g/2. At random,
 * rate r, they are ∫re^(−rt)(1 − F), ∫e^(−rt)F and 1/r.
 * Prints every page's share of runs whose interval held it, of those that had one: a page that never changed has no
 * delay. Ends with 1 where a share of 1,000 intervals or more is below 93%. So it does where an interval lies beyond
 * what is possible or has no width. A share of 4,000 runs is itself uncertain by .7%.
 */
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { createLaw, type Distribution } from '../../src/solvers/laws/index.ts';
import { type SimulatedUpdates, solvePageSimulation } from '../../src/solvers/page-simulation/index.ts';

const [first, last] = (process.argv[2] ?? '1-4000').split('-').map(Number);
const fetchRate = 0.5;
const duration = 30;
const replications = 20;
const changeRates = [1e-4, 3e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.015, 0.03, 0.06, 0.12, 0.3, 0.8, 2, 6];
const least = 0.93;
const judged = 1000;

type Measure = 'freshness' | 'age' | 'delay';
type Truths = Readonly<Record<Measure, number>>;

/** Changes of this rate, and how fast the chance that a copy lacks one grows with its age t. */
interface Changes {
  readonly updates: (rate: number) => SimulatedUpdates;
  readonly lacking: (rate: number) => (t: number) => number;
}

/** Gaps by a law of mean 1/rate, and the chance that one is longer than t. */
function renewal(law: (rate: number) => Distribution, survival: (rate: number) => (t: number) => number): Changes {
  return {
    updates: (rate) => ({ type: 'renewal', law: createLaw(law(rate)) }),
    lacking: (rate) => {
      const longer = survival(rate);
      return (t) => rate * longer(t);
    },
  };
}

/** Bursts of a mean length, in which updates come so fast. */
const [burstLength, burstRate] = [1, 3];

const gammaOfShape3 = (x: number): number => Math.exp(-x) * (1 + x + (x * x) / 2);
/** Γ(1 + 1/.6) and Γ(1 + 1/1.8). */
const [meanOf6, meanOf18] = [1.5045754882515558, 0.8892867851211468];
const laws: Readonly<Record<string, Changes>> = {
  exponential: renewal(
    (rate) => ({ type: 'exponential', rate }),
    (rate) => (t) => Math.exp(-rate * t),
  ),
  deterministic: renewal(
    (rate) => ({ type: 'deterministic', value: 1 / rate }),
    (rate) => (t) => (t < 1 / rate ? 1 : 0),
  ),
  erlang: renewal(
    (rate) => ({ type: 'erlang', shape: 3, rate: 3 * rate }),
    (rate) => (t) => gammaOfShape3(3 * rate * t),
  ),
  hyperexponential: renewal(
    (rate) => ({ type: 'hyperexponential', probabilities: [0.8, 0.2], rates: [4 * rate, rate / 4] }),
    (rate) => (t) => 0.8 * Math.exp(-4 * rate * t) + 0.2 * Math.exp((-rate / 4) * t),
  ),
  weibull: renewal(
    (rate) => ({ type: 'weibull', shape: 0.6, scale: 1 / rate / meanOf6 }),
    (rate) => (t) => Math.exp(-((rate * t * meanOf6) ** 0.6)),
  ),
  'weibull 1.8': renewal(
    (rate) => ({ type: 'weibull', shape: 1.8, scale: 1 / rate / meanOf18 }),
    (rate) => (t) => Math.exp(-((rate * t * meanOf18) ** 1.8)),
  ),
  lomax: renewal(
    (rate) => ({ type: 'lomax', shape: 2.5, scale: 1.5 / rate }),
    (rate) => (t) => (1 + (rate * t) / 1.5) ** -2.5,
  ),
  marked: {
    updates: (rate) => ({ type: 'renewal', law: createLaw({ type: 'exponential', rate: 4 * rate }), matters: 0.25 }),
    lacking: (rate) => (t) => rate * Math.exp(-rate * t),
  },
  periodic: {
    updates: (rate) => ({ type: 'periodic', period: 1 / rate, phase: undefined, jitter: 0 }),
    lacking: (rate) => (t) => (t < 1 / rate ? rate : 0),
  },
  bursty: {
    updates: (rate) => ({ type: 'bursty', rate: rate / (1 + burstLength * burstRate), burstRate, burstLength }),
    lacking: (rate) => (t) => {
      const bursts = rate / (1 + burstLength * burstRate);
      const ends = burstRate + 1 / burstLength;
      const running = bursts * burstLength * burstRate;
      return (
        (bursts + running * Math.exp(-ends * t)) * Math.exp(-bursts * t + (running * Math.expm1(-ends * t)) / ends)
      );
    },
  },
};

function truthsOf(lacking: (t: number) => number, spacing: 'even' | 'random'): Truths {
  const gap = 1 / fetchRate;
  const end = spacing === 'even' ? gap : 50 * gap;
  const steps = 40_000;
  const step = end / steps;
  let [lacks, fresh, age] = [0, 0, 0];
  for (let k = 0; k < steps; k++) {
    const t = (k + 0.5) * step;
    const before = lacks;
    lacks += lacking(t) * step;
    const chance = (before + lacks) / 2;
    const alive = spacing === 'even' ? 1 / gap : fetchRate * Math.exp(-fetchRate * t);
    fresh += (1 - chance) * alive * step;
    age += chance * (spacing === 'even' ? (gap - t) / gap : alive / fetchRate) * step;
  }
  return { freshness: fresh, age, delay: spacing === 'even' ? gap / 2 : gap };
}

let faults = 0;
const asked = process.argv.slice(3);
const named = Object.entries(laws).filter(([name]) => asked.length === 0 || asked.includes(name));
for (const [name, spacing] of named.flatMap(([name]) => [[name, 'even'] as const, [name, 'random'] as const])) {
  const { updates, lacking } = laws[name];
  const truths = changeRates.map((rate) => truthsOf(lacking(rate), spacing));
  const held = { freshness: changeRates.map(() => 0), age: changeRates.map(() => 0), delay: changeRates.map(() => 0) };
  const told = changeRates.map(() => 0);
  for (let run = first; run <= last; run++) {
    const {
      solution: { pages },
    } = solvePageSimulation(
      {
        updates: changeRates.map(updates),
        weight: new Float64Array(changeRates.length).fill(1),
        lastCrawlAge: new Float64Array(changeRates.length),
        host: new Int32Array(changeRates.length).fill(-1),
        commonChanges: 0,
        policy: { type: 'rates', rates: new Float64Array(changeRates.length).fill(fetchRate), spacing },
        duration,
        replications,
        perPage: true,
      },
      unlimitedBudget(run),
    );
    if (pages === undefined) throw new Error('no pages');
    const intervals = { freshness: pages.freshnessInterval, age: pages.ageInterval, delay: pages.delayInterval };
    const most = { freshness: 1, age: duration, delay: Number.POSITIVE_INFINITY };
    for (const measure of ['freshness', 'age', 'delay'] as const) {
      for (const [i, interval] of intervals[measure].entries()) {
        if (interval === null) continue;
        if (measure === 'delay') told[i]++;
        const [low, high] = interval;
        if (low <= truths[i][measure] && truths[i][measure] <= high) held[measure][i]++;
        if (low >= 0 && low < high && high <= most[measure]) continue;
        console.log(
          `${name}, ${spacing}, rate ${changeRates[i]}, run ${run}: the ${measure} lies in [${low}, ${high}]`,
        );
        faults++;
      }
    }
  }
  for (const measure of ['freshness', 'age', 'delay'] as const) {
    const of = (i: number): number => (measure === 'delay' ? told[i] : last - first + 1);
    const shares = held[measure].map((count, i) => count / of(i));
    const low = shares.filter((share, i) => of(i) >= judged && share < least).length;
    faults += low;
    console.log(
      `${name.padEnd(16)} ${spacing.padEnd(6)} ${measure.padEnd(9)} ${shares.map((share) => (100 * share).toFixed(1)).join(' ')}${low > 0 ? `  ${low} below ${100 * least}%` : ''}`,
    );
  }
}
process.exitCode = faults > 0 ? 1 : 0;
