import { describe, expect, it } from 'vitest';
import { deadlineBudget, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { burstIntervals } from '../../../src/solvers/estimation/changes/burst-intervals.ts';
import { type Bursts, BurstyRate } from '../../../src/solvers/estimation/changes/bursty-rate.ts';
import { chooseBursts } from '../../../src/solvers/estimation/changes/choose-bursts.ts';
import { DriftingRate } from '../../../src/solvers/estimation/changes/drifting-rate.ts';
import { CheckLog, changed, unchanged } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';

const bursts = { busyShare: 0.2, ratio: 20, length: 3 };
const still = { variance: 0, redraw: 0 };
/** A grid whose point 8 is rate 0.1. */
const slow = (drift = still): DriftingRate => new DriftingRate(0.1 / 16, 1.6, 0.1, drift);

const logit = (share: number): number => Math.log(share / (1 - share));

/** Changes of a page that is quiet and busy by turns, up to an end. */
function changesOf(random: () => number, end: number): number[] {
  const { busyShare, ratio, length } = bursts;
  const quiet = 0.1 / (1 - busyShare + busyShare * ratio);
  const times: number[] = [];
  let busy = random() < busyShare;
  let from = 0;
  while (from < end) {
    const stay = standardExponential(random) * (busy ? length : (length * (1 - busyShare)) / busyShare);
    const rate = busy ? ratio * quiet : quiet;
    for (let t = from + standardExponential(random) / rate; t < from + stay; t += standardExponential(random) / rate) {
      times.push(t);
    }
    from += stay;
    busy = !busy;
  }
  return times;
}

/** Of forty pages, checked every other day for two hundred days; a day is so many time units. */
function watched(seed: number, day: number, bursty = true) {
  const random = seededRandom(seed);
  const log = new CheckLog(new Float64Array(40));
  for (let i = 0; i < 40; i++) {
    const changes = bursty ? changesOf(random, 200) : [];
    if (!bursty) for (let t = 0; t < 200; t += 10 * standardExponential(random)) changes.push(t);
    let last = 0;
    for (let t = 2; t < 200; t += 1 + 2 * random()) {
      log.record(
        i,
        day * t,
        changes.some((at) => at > last && at <= t),
      );
      last = t;
    }
  }
  const plain = (): DriftingRate => new DriftingRate(0.1 / 16 / day, 1.6 / day, 0.1 / day, still);
  return { history: log.history(), plain, bursty: (each: Bursts) => new BurstyRate(plain(), each) };
}

function choose(bursty: boolean, budget = unlimitedBudget()) {
  const { history, ...models } = watched(5, 1, bursty);
  return chooseBursts(history, 0.1, models, budget);
}

describe('a rate that bursts', () => {
  it('foretells checks as pages that are quiet and busy by turns show them', () => {
    const model = new BurstyRate(slow(), bursts);
    const at = model.rates.findIndex((rate) => Math.abs(rate / 0.1 - 1) < 1e-9);
    const foretold = (gaps: readonly number[], outcomes: readonly number[]): number => {
      const belief = new Float64Array(model.size);
      belief[at] = 0.8;
      belief[at + model.size / 2] = 0.2;
      return gaps.reduce((chance, gap, k) => chance * model.observe(belief, 0, gap, outcomes[k]), 1);
    };
    const random = seededRandom(2);
    const seen = new Map<string, number>();
    const runs = 40_000;
    const gaps = [2, 1, 5];
    for (let run = 0; run < runs; run++) {
      const changes = changesOf(random, 8);
      const key = [
        [0, 2],
        [2, 3],
        [3, 8],
      ].map(([from, to]) => (changes.some((t) => t > from && t <= to) ? changed : unchanged));
      seen.set(key.join(''), (seen.get(key.join('')) ?? 0) + 1);
    }
    let total = 0;
    for (const [key, count] of seen) {
      const chance = foretold(gaps, [...key].map(Number));
      total += chance;
      expect(Math.abs(count / runs - chance)).toBeLessThan(4.5 * Math.sqrt((chance * (1 - chance)) / runs));
    }
    expect(total).toBeCloseTo(1, 9);
  });

  it('is the plain drifting rate where busy pages change no faster', () => {
    const drift = { variance: 0.01, redraw: 0.002 };
    const plain = slow(drift);
    const same = new BurstyRate(slow(drift), { ...bursts, ratio: 1 });
    const one = plain.population.slice();
    const two = same.population.slice();
    for (const [gap, outcome] of [
      [3, changed],
      [20, unchanged],
      [1e-9, unchanged],
      [7, changed],
    ]) {
      expect(same.observe(two, 0, gap, outcome)).toBeCloseTo(plain.observe(one, 0, gap, outcome), 12);
    }
    for (let g = 0; g < plain.size; g++) expect(two[g] + two[g + plain.size]).toBeCloseTo(one[g], 12);
    const old = new Float64Array(plain.size);
    const older = new Float64Array(same.size);
    for (let step = 0; step < 5; step++) {
      plain.growOlder(0.4, old);
      same.growOlder(0.4, older);
    }
    for (let g = 0; g < plain.size; g++) expect(older[g + plain.size]).toBeCloseTo(old[g], 12);
  });

  it('is chosen for pages that burst, and not for pages that do not', () => {
    const found = choose(true);
    expect(found.taken).toBe(true);
    expect(found.bursts.ratio).toBeGreaterThan(5);
    expect(found.bursts.length).toBeGreaterThan(0.5);
    // One draw in twenty lies outside an interval of 95%, one in a thousand further than 3.3 of its deviations; how
    // often intervals hold is counted by scripts/coverage.ts.
    const { intervals } = found;
    // Pages that hardly change between bursts bound the ratio from below alone, and checks nearly as far apart as
    // bursts are long leave their length open by a factor of seven, where the likelihood is climbed to its top.
    const widest = { busyShare: 5, ratio: Number.POSITIVE_INFINITY, length: 8 };
    const unbounded = { busyShare: logit, ratio: (x: number) => Math.log(x - 1), length: Math.log };
    for (const name of ['busyShare', 'ratio', 'length'] as const) {
      const [low, high] = (intervals?.[name] ?? [Number.NaN, Number.NaN]).map(unbounded[name]);
      const deviation = (high - low) / (2 * 1.96);
      expect(Math.abs(unbounded[name](bursts[name]) - (low + high) / 2)).toBeLessThan(3.3 * deviation);
      expect(deviation).toBeLessThan(Math.log(widest[name]) / (2 * 1.96));
    }
    const none = choose(false);
    expect([none.taken, none.intervals]).toEqual([false, null]);
  });

  it('has intervals that do not depend on the unit of time', () => {
    const { history, bursty } = watched(7, 1);
    const day = watched(7, 86_400);
    const start = { busyShare: 0.1, ratio: 10, length: 1 };
    const one = burstIntervals(history, { start, mean: 0.1 }, bursty, unlimitedBudget());
    const other = burstIntervals(
      day.history,
      { start: { ...start, length: 86_400 }, mean: 0.1 / 86_400 },
      day.bursty,
      unlimitedBudget(),
    );
    for (const end of [0, 1] as const) {
      expect(other?.busyShare[end]).toBeCloseTo(one?.busyShare[end] ?? Number.NaN, 6);
      expect(other?.ratio[end]).toBeCloseTo(one?.ratio[end] ?? Number.NaN, 4);
      expect((other?.length[end] ?? Number.NaN) / 86_400).toBeCloseTo(one?.length[end] ?? Number.NaN, 5);
    }
  });

  it('is chosen without intervals where half the time left is too little for them', () => {
    // A clock that goes on whenever it is looked at: the choice reads the log thirteen times, the intervals at least
    // thirty-one.
    let looks = 0;
    const counting = (deadline: number) => deadlineBudget({ clock: () => looks++, deadline, seed: 0 });
    choose(false, counting(Number.POSITIVE_INFINITY));
    const forTheChoice = looks;
    looks = 0;
    const { taken, intervals } = choose(true, counting(1.5 * forTheChoice));
    expect([taken, intervals]).toEqual([true, null]);
    expect(looks).toBeLessThan(1.4 * forTheChoice);
  });
});
