import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { coin, type FreshnessProblem, probesNeeded, solveFreshness } from '../../../src/solvers/freshness/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { defined } from '../../defined.ts';
import { countedProbes } from './counted-probes.ts';
import { naiveIntervals } from './naive-sequence.ts';
import { type Changes, type Crawl, probed } from './probed-crawl.ts';

const solve = (problem: FreshnessProblem) => solveFreshness(problem, unlimitedBudget());

const kinds: readonly Changes[] = ['poisson', 'bursts', 'site-wide', 'drifting'];
const crawl: Crawl = {
  changes: 'poisson',
  pages: 300,
  days: 20,
  probesADay: 40,
  intervals: { plan: 1, incumbent: 1 },
  forecast: () => 0.8,
};

const intervalsOf = ({ y, truth }: ReturnType<typeof countedProbes>) =>
  naiveIntervals(
    y.map((each) => (each + 2) / 4),
    truth.map((each) => (each + 2) / 4),
    0.05,
  );

/** Five standard errors above 5% of so many runs. */
const mostMisses = (runs: number): number => 0.05 * runs + 5 * Math.sqrt(0.05 * 0.95 * runs);

describe('the difference of two arms', () => {
  it.each(kinds)('has the interval of the theorem, written anew, where changes are %s', (changes) => {
    const found = probed({ ...crawl, changes, intervals: { plan: 1, incumbent: 3 } }, seededRandom(7));
    const { y, truth } = countedProbes(found);
    const last = defined(intervalsOf({ y, truth }).at(-1));
    const { difference, leftOut } = solve(found.problem).solution;
    const { value, interval, probes } = defined(difference);
    expect(probes).toBe(y.length);
    expect(interval[0]).toBeCloseTo(4 * last.low - 2, 12);
    expect(interval[1]).toBeCloseTo(4 * last.high - 2, 12);
    expect(value).toBeCloseTo(y.reduce((sum, each) => sum + each, 0) / y.length, 12);
    expect(defined(leftOut)).toEqual({ repeated: found.problem.time.length - y.length, settling: 0, withoutArm: 0 });
  });

  it.each(kinds)('is covered at every look in 95 of 100 trials, where changes are %s', (changes) => {
    const random = seededRandom(20);
    const runs = 1000;
    let missed = 0;
    for (let run = 0; run < runs; run++) {
      const short = { ...crawl, changes, pages: 60, days: 8, probesADay: 30, intervals: { plan: 1, incumbent: 2 } };
      const all = intervalsOf(countedProbes(probed(short, random)));
      if (all.some(({ low, high, target }) => target < low || target > high)) missed++;
    }
    expect(missed).toBeLessThanOrEqual(mostMisses(runs) / 2);
  });

  it('is covered where hosts are dealt whole, and their pages change together', () => {
    const random = seededRandom(27);
    const runs = 1000;
    let missed = 0;
    for (let run = 0; run < runs; run++) {
      const short = { ...crawl, pages: 60, hosts: 12, days: 8, probesADay: 30, intervals: { plan: 1, incumbent: 2 } };
      const all = intervalsOf(countedProbes(probed({ ...short, changes: 'site-wide' }, random)));
      if (all.some(({ low, high, target }) => target < low || target > high)) missed++;
    }
    expect(missed).toBeLessThanOrEqual(0.05 * runs);
  });

  it.each([
    ['sensible', () => 0.8],
    ['nonsense', (random: () => number) => random()],
    ['always wrong', () => 0],
    ['left out', () => Number.NaN],
  ] as const)(
    'of two arms alike is none in 95 of 100 trials, looked at after every probe; forecasts: %s',
    (_, forecast) => {
      const random = seededRandom(21);
      const runs = 1000;
      let decided = 0;
      for (let run = 0; run < runs; run++) {
        const all = intervalsOf(
          countedProbes(probed({ ...crawl, pages: 60, days: 8, probesADay: 30, forecast }, random)),
        );
        if (all.some(({ low, high }) => low > 0.5 || high < 0.5)) decided++;
      }
      expect(decided).toBeLessThanOrEqual(0.05 * runs);
    },
  );

  it('is found where there is one, with about as many probes as were said', () => {
    const random = seededRandom(22);
    const ratios: number[] = [];
    for (let run = 0; run < 15; run++) {
      const long = { ...crawl, days: 60, probesADay: 100, intervals: { plan: 1, incumbent: 8 } };
      const found = probed(long, random);
      const { solution } = solve(found.problem);
      expect(solution.verdict).toBe('take-over');
      const { y } = countedProbes(found);
      const all = intervalsOf({ y, truth: y });
      const decided = all.findIndex(({ low }) => low > 0.5) + 1;
      const mean = y.reduce((sum, each) => sum + each, 0) / y.length;
      const variance = y.reduce((sum, each) => sum + (each - mean) ** 2, 0) / y.length;
      ratios.push(decided / defined(probesNeeded(mean, variance, 0.05)));
    }
    const median = ratios.sort((a, b) => a - b)[7];
    expect(median).toBeGreaterThan(0.5);
    expect(median).toBeLessThan(2);
  });

  it('takes the mean of the probes before for a forecast that is left out', () => {
    const found = probed(
      { ...crawl, intervals: { plan: 1, incumbent: 3 }, forecast: () => Number.NaN },
      seededRandom(8),
    );
    const { y, truth } = countedProbes(found);
    const last = defined(intervalsOf({ y, truth }).at(-1));
    const { interval } = defined(solve(found.problem).solution.difference);
    expect(interval[0]).toBeCloseTo(4 * last.low - 2, 12);
    expect(interval[1]).toBeCloseTo(4 * last.high - 2, 12);
  });

  it('changes its sign with the arms, and never its width', () => {
    const { problem } = probed({ ...crawl, intervals: { plan: 1, incumbent: 4 } }, seededRandom(23));
    const trial = defined(problem.trial);
    const one = defined(solve(problem).solution.difference);
    const other = defined(
      solve({ ...problem, trial: { ...trial, arm: trial.arm.map((each) => -each) } }).solution.difference,
    );
    expect(defined(one.value)).toBeCloseTo(-defined(other.value), 12);
    expect(one.interval[0]).toBeCloseTo(-other.interval[1], 12);
  });
});

describe('freshness by probes', () => {
  it('is covered at every look, by weights of any spread', () => {
    const random = seededRandom(24);
    let missed = 0;
    const runs = 300;
    for (let run = 0; run < runs; run++) {
      const count = 400;
      const heavy = Float64Array.from({ length: count }, () => Math.exp(3 * random()));
      // Heavy pages are staler, so that the weighted mean is not the plain one.
      const chance = heavy.map((weight) => 0.95 - 0.02 * weight);
      const moments = heavy.reduce((sum, weight) => sum + weight, 0);
      const truth = heavy.reduce((sum, weight, i) => sum + weight * chance[i], 0) / moments;
      const current = Uint8Array.from(chance, (each) => (random() < each ? 1 : 0));
      const problem = plain(current, heavy);
      const { interval, value } = solve(problem).solution.freshness;
      expect(defined(value)).toBeGreaterThanOrEqual(interval[0]);
      expect(defined(value)).toBeLessThanOrEqual(interval[1]);
      if (truth < interval[0] || truth > interval[1]) missed++;
    }
    expect(missed).toBeLessThanOrEqual(mostMisses(runs));
  });

  it('is as with equal weights where all weights are the same, and in [0, 1] with one probe', () => {
    const current = Uint8Array.from({ length: 500 }, (_, i) => (i % 7 === 0 ? 0 : 1));
    const one = solve(plain(current, new Float64Array(500).fill(1))).solution.freshness;
    const thousand = solve(plain(current, new Float64Array(500).fill(1000))).solution.freshness;
    expect(thousand).toEqual(one);
    expect(solve(plain(Uint8Array.of(1), Float64Array.of(1))).solution.freshness).toMatchObject({ interval: [0, 1] });
  });

  it('does not hang on the order of the request', () => {
    const { problem } = probed(crawl, seededRandom(25));
    const count = problem.time.length;
    const order = Int32Array.from({ length: count }, (_, i) => (i * 7919) % count);
    const moved = <Column extends Float64Array | Int32Array | Uint8Array | Int8Array>(column: Column): Column => {
      const copy = column.slice() as Column;
      for (const [to, from] of order.entries()) copy[to] = column[from];
      return copy;
    };
    const trial = defined(problem.trial);
    const shuffled = {
      ...problem,
      time: moved(problem.time),
      current: moved(problem.current),
      forecast: moved(problem.forecast),
      trial: { ...trial, unit: moved(trial.unit), arm: moved(trial.arm) },
    };
    expect(solve(shuffled)).toEqual(solve(problem));
  });
});

describe('a trial by a seed', () => {
  const units = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const days = 30;
  const base = plain(new Uint8Array(units.length * days).fill(1), new Float64Array(units.length * days).fill(1));
  const unit = Int32Array.from(base.time, (_, i) => i % units.length);
  /** Each page once a day, early in the day. */
  const time = Float64Array.from(base.time, (_, i) => Math.floor(i / units.length) + 0.1);
  const trial = { period: 1, settling: 0.25, unit, units, seed: 'a seed', arm: new Int8Array(time.length) };

  it('deals each page by its coin', () => {
    const { solution, warnings } = solve({ ...base, time, trial: { ...trial, settling: 0 } });
    const plan = time.filter((at, i) => coin('a seed', units[unit[i]], Math.floor(at)) === 'plan').length;
    expect(solution.leftOut).toEqual({ repeated: 0, settling: 0, withoutArm: 0 });
    expect(defined(solution.byArm).plan.probes).toBe(plan);
    expect(defined(solution.difference).probes).toBe(time.length);
    expect(warnings).toEqual([]);
  });

  it('leaves out early probes whatever the coin says, so that no arm is told by the one before', () => {
    const late = time.map((at, i) => (i % 3 === 0 ? at : at + 0.5)).sort();
    for (const seed of ['a seed', 'another', 'a third']) {
      const { solution, warnings } = solve({ ...base, time: late, trial: { ...trial, seed } });
      const settling = late.filter((at) => at - Math.floor(at) < 0.25).length;
      expect(solution.leftOut).toEqual({ repeated: 0, settling, withoutArm: 0 });
      expect(defined(solution.difference).probes).toBe(late.length - settling);
      expect(warnings.map(({ code }) => code)).toEqual(['settling-probes']);
    }
  });

  it('says how many probes name another arm than the coin', () => {
    const arm = new Int8Array(time.length).fill(1);
    const { warnings } = solve({ ...base, time, trial: { ...trial, settling: 0, arm } });
    const wrong = time.reduce(
      (sum, at, i) => sum + (coin('a seed', units[unit[i]], Math.floor(at)) === 'incumbent' ? 1 : 0),
      0,
    );
    expect(warnings).toEqual([expect.objectContaining({ code: 'arm-disagrees' })]);
    expect(warnings[0].detail).toMatch(new RegExp(`^${wrong} of the probes`));
  });
});

describe('the history of a trial', () => {
  it('has what was answered at each of its moments, and ends with what is answered now', () => {
    const { problem } = probed({ ...crawl, intervals: { plan: 1, incumbent: 4 } }, seededRandom(26));
    const trial = defined(problem.trial);
    const { solution } = solve({ ...problem, history: 7 });
    expect(solution.history).toHaveLength(7);
    for (const { time, freshness, byArm, difference } of solution.history) {
      const count = problem.time.filter((each) => each <= time).length;
      const until = solve({
        ...problem,
        time: problem.time.slice(0, count),
        host: problem.host.slice(0, count),
        trial: { ...trial, unit: trial.unit.slice(0, count), arm: trial.arm.slice(0, count) },
      }).solution;
      expect({ freshness, byArm, difference }).toEqual({
        freshness: until.freshness,
        byArm: until.byArm,
        difference: until.difference,
      });
    }
    expect(solution.history.at(-1)).toMatchObject({ freshness: solution.freshness, difference: solution.difference });
    expect(solve(problem).solution.history).toEqual([]);
  });

  it('has one moment a probe at most', () => {
    const few = plain(Uint8Array.of(1, 0, 1), new Float64Array(3).fill(1));
    expect(solve({ ...few, history: 100 }).solution.history.map(({ time }) => time)).toEqual([0, 1, 2]);
  });
});

describe('the probes that a verdict will take', () => {
  it('are fewer for larger differences and smaller variances, and none can be told for no difference', () => {
    const at = (difference: number, variance: number) => probesNeeded(difference, variance, 0.05);
    expect(defined(at(0.05, 0.36))).toBeLessThan(defined(at(0.03, 0.36)));
    expect(defined(at(0.03, 0.2))).toBeLessThan(defined(at(0.03, 0.36)));
    expect(at(0, 0.36)).toBeNull();
    expect(at(1e-9, 4)).toBeNull();
  });
});

/** Probes at times 0, 1, 2, … without a trial. */
function plain(current: Uint8Array, weight: Float64Array): FreshnessProblem {
  const count = current.length;
  return {
    time: Float64Array.from({ length: count }, (_, i) => i),
    host: new Int32Array(count).fill(-1),
    hosts: [],
    current,
    weight,
    forecast: new Float64Array(count).fill(0.5),
    trial: null,
    confidence: 0.95,
    history: 0,
  };
}
