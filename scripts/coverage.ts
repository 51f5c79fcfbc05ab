/**
 * How often stated intervals hold the truth, by simulation:
 * `node scripts/coverage.ts [runs, or first-last] [change-rates | siblings | shape | rhythm | bursts | signals]`.
 *
 * Each run draws pages of known laws, checks them at uneven gaps, and asks whether the 95% interval held the value
 * drawn from, or which share of several intervals did. A share of 1,000 runs is itself uncertain by 1.4% (95%). Seeds
 * are the runs' numbers.
 */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { solveChangeSignals } from '../src/solvers/change-signals/index.ts';
import { createLaw } from '../src/solvers/distributions/index.ts';
import { burstIntervals } from '../src/solvers/estimation/changes/burst-intervals.ts';
import { type Bursts, BurstyRate } from '../src/solvers/estimation/changes/bursty-rate.ts';
import { driftModel } from '../src/solvers/estimation/changes/drift-grid.ts';
import { CheckLog, solveChangeRates } from '../src/solvers/estimation/index.ts';
import { fitFamilies } from '../src/solvers/estimation/renewal/fit-families.ts';
import { type FamilyName, lawFamilies } from '../src/solvers/estimation/renewal/law-families.ts';
import { chooseRhythm, utc } from '../src/solvers/estimation/rhythm/index.ts';
import { groupStrengths, SiblingLog } from '../src/solvers/estimation/siblings/index.ts';
import { type Random, seededRandom } from '../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../src/solvers/numerics/random/random-variates.ts';

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
  );
  return low[0] <= 1 && 1 <= high[0];
}

/** Thirty groups of so many pages of rate 1, half of whose changes are common to their group; rates as estimated. */
function siblings(size: number): (run: number) => boolean {
  const share = 0.5;
  return (run) => {
    const random = seededRandom(run);
    const pages = 30 * size;
    const end = 20;
    const log = new CheckLog(new Float64Array(pages));
    for (let g = 0; g < 30; g++) {
      const common = moments(share, end, random);
      for (let k = 0; k < size; k++) {
        const changes = [...common, ...moments(1 - share, end, random)];
        check({ log, page: g * size + k, changes, gap: 0.5, end }, random);
      }
    }
    const history = log.history();
    const { rate } = solveChangeRates(
      { history, method: 'maximum-likelihood', prior: 'empirical-bayes', confidence: 0.95 },
      unlimitedBudget(),
    );
    const group = Int32Array.from({ length: pages }, (_, i) => Math.floor(i / size));
    const known = new SiblingLog({ history, lastFetch: log.lastFetch, group, groups: 30, rate });
    const [low, high] = groupStrengths(known, unlimitedBudget()).common.interval;
    return low <= share && share <= high;
  };
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

const day = 86_400;

/** A course of change rates over the week, by hour from Monday 00:00, with a mean of 1. */
type Course = (random: Random) => Float64Array;

const ofMeanOne = (course: Float64Array): Float64Array => {
  const mean = course.reduce((sum, rate) => sum + rate / 168, 0);
  return course.map((rate) => rate / mean);
};

/** Four waves of the day and three of the week, of normal sizes, the h-th an h-th of the first. */
const wavy: Course = (random) => {
  const course = new Float64Array(168);
  for (const [period, waves, size] of [
    [24, 4, 0.6],
    [168, 3, 0.3],
  ]) {
    for (let h = 1; h <= waves; h++) {
      const [cosine, sine] = [(size / h) * standardNormal(random), (size / h) * standardNormal(random)];
      for (let k = 0; k < 168; k++) {
        const angle = (2 * Math.PI * h * (k + 0.5)) / period;
        course[k] += cosine * Math.cos(angle) + sine * Math.sin(angle);
      }
    }
  }
  return ofMeanOne(course.map(Math.exp));
};

/** Five times as often from 9 to 17 o'clock on weekdays as at other times: no wave has such edges. */
const officeHours: Course = () =>
  ofMeanOne(Float64Array.from({ length: 168 }, (_, h) => (h < 120 && h % 24 >= 9 && h % 24 < 17 ? 5 : 1)));

/**
 * Sixty pages of one change in two to eight days that keep a course, checked for 60 days at gaps of a day, in the mean.
 */
function rhythm(course: Course, means: 'hours' | 'days', gap = day): (run: number) => number {
  const parts = means === 'hours' ? 24 : 7;
  const part = (h: number): number => (means === 'hours' ? h % 24 : Math.floor(h / 24));
  const days = 60;
  // a Monday, 00:00 UTC
  const monday = 1_699_833_600;
  return (run) => {
    const random = seededRandom(run);
    const rates = course(random);
    const most = Math.max(...rates);
    const log = new CheckLog(new Float64Array(60).fill(monday));
    for (let i = 0; i < 60; i++) {
      const rate = 4 ** random() / (8 * day);
      // of the moments of the fastest hour as many are left as the hour's rate is of that
      const changes = moments(rate * most, days * day, random).filter(
        (t) => random() * most < rates[Math.floor(t / 3600) % 168],
      );
      check({ log, page: i, changes, gap, end: days * day, start: monday }, random);
    }
    const choice = chooseRhythm({ history: log.history(), lastSeen: log.lastFetch, wall: utc }, unlimitedBudget());
    const { low, high } = choice[means];
    const truth = new Float64Array(parts);
    for (const [h, rate] of rates.entries()) truth[part(h)] += (rate * parts) / 168;
    return truth.filter((rate, k) => low[k] <= rate && rate <= high[k]).length / parts;
  };
}

/** Of a page that is quiet and busy by turns. */
function inBursts(bursts: Bursts, rate: number, end: number, random: Random): number[] {
  const { busyShare, ratio, length } = bursts;
  const quiet = rate / (1 - busyShare + busyShare * ratio);
  const times: number[] = [];
  let busy = random() < busyShare;
  for (let from = 0; from < end; busy = !busy) {
    const stay = standardExponential(random) * (busy ? length : (length * (1 - busyShare)) / busyShare);
    const own = moments(busy ? ratio * quiet : quiet, Math.min(stay, end - from), random);
    times.push(...own.map((time) => from + time));
    from += stay;
  }
  return times;
}

interface BurstyPages {
  readonly truth: Bursts;
  readonly pages: number;
  /** Of a page's rate, the logarithm is even between this and its negative. */
  readonly spread: number;
}

/** Forty pages of rates of a half to two, busy 15% of the time in bursts of a mean of 1.5. */
const fortyPages = (): BurstyPages => ({
  truth: { busyShare: 0.15, ratio: 15, length: 1.5 },
  pages: 40,
  spread: Math.LN2,
});

/** 25 to 80 pages of rates all alike to five times apart, with bursts drawn at random. */
const drawnPages = (random: Random): BurstyPages => ({
  truth: {
    busyShare: 0.08 + 0.22 * random(),
    ratio: 6 * (40 / 6) ** random(),
    length: 0.6 * (4 / 0.6) ** random(),
  },
  pages: [25, 40, 80][Math.floor(3 * random())],
  spread: 1.6 * random(),
});

/** Pages that change in bursts, checked 60 times: each unknown, or NaN. */
function bursts(drawn: (random: Random) => BurstyPages): (run: number) => number[] {
  return (run) => {
    const random = seededRandom(run);
    const { truth, pages, spread } = drawn(random);
    const log = new CheckLog(new Float64Array(pages));
    for (let i = 0; i < pages; i++) {
      const rate = Math.exp(spread * (2 * random() - 1));
      check({ log, page: i, changes: inBursts(truth, rate, 30, random), gap: 0.5, end: 30 }, random);
    }
    const history = log.history();
    const still = { variance: 0, redraw: 0 };
    const bursty = (kind: Bursts): BurstyRate => new BurstyRate(driftModel(history, 1, still), kind);
    const start: Bursts = { busyShare: 0.1, ratio: 10, length: 0.4 };
    const intervals = burstIntervals(history, { start, mean: 1 }, bursty, unlimitedBudget());
    return (['busyShare', 'ratio', 'length'] as const).map((name) => {
      if (intervals === null) return Number.NaN;
      const [low, high] = intervals[name];
      return Number(low <= truth[name] && truth[name] <= high);
    });
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
    const problem = { offsets, elapsed, changed, signals: told, host, hosts: 1, confidence: 0.95 };
    const { overall } = solveChangeSignals(problem, unlimitedBudget());
    return [
      Number(overall.precision.low <= precision && precision <= overall.precision.high),
      Number(overall.recall.low <= recall && recall <= overall.recall.high),
    ];
  };
}

const [asked = '1000', ...names] = process.argv.slice(2);
const [first, last] = asked.includes('-') ? asked.split('-').map(Number) : [1, Number(asked)];
const runs = last - first + 1;
const trials: Readonly<Record<string, (run: number) => boolean | number | number[]>> = {
  'change-rates': changeRate,
  'siblings-2': siblings(2),
  'siblings-5': siblings(5),
  'shape-gamma': shape('gamma', 3),
  'shape-weibull': shape('weibull', 0.61),
  'shape-lognormal': shape('lognormal', 0.8),
  'shape-lomax': shape('lomax', 2.5),
  'shape-periodic': shape('periodic', 0.5),
  'rhythm-hours': rhythm(wavy, 'hours'),
  'rhythm-half-days': rhythm(wavy, 'hours', day / 2),
  'rhythm-days': rhythm(wavy, 'days'),
  bursts: bursts(fortyPages),
  'bursts-drawn': bursts(drawnPages),
  'signals-few': signals({ pages: 25, checks: 10, rate: 1 }),
  'signals-many': signals({ pages: 6, checks: 150, rate: 4 }),
  'rhythm-office-hours': rhythm(officeHours, 'hours'),
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
