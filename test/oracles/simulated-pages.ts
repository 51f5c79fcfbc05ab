/**
 * A simulation of pages that change and are fetched: an oracle for plans, schedules and rates.
 *
 * Each page changes by its own process, which is in steady state at the last fetch before time 0; a fetch makes the
 * copy current. Measured between 0 and the duration, weighted over pages: `freshness`, the share of time with a current
 * copy; `embarrassment`, Σ weight × stale share; `delay`, the mean time that a change waits for its fetch (the integral
 * of the number of changes not yet fetched, over the number of changes). Means over independent replications with
 * intervals by Student's t.
 *
 * Shares with the solvers only the samplers of laws and the random numbers.
 */
import type { Law } from '../../src/solvers/laws/index.ts';
import { type Random, seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../src/solvers/numerics/random/random-variates.ts';
import { studentQuantile } from '../../src/solvers/numerics/special/student-t.ts';

export type SimulatedUpdates =
  | { readonly type: 'poisson'; readonly rate: number }
  | { readonly type: 'renewal'; readonly law: Law }
  /** Possible updates, increasing, each with its probability. */
  | { readonly type: 'listed'; readonly times: readonly number[]; readonly probabilities: readonly number[] };

/** Fetches with their pages, in the order of time. */
interface Fetches {
  readonly times: ArrayLike<number>;
  readonly pages: ArrayLike<number>;
}

export type FetchPolicy =
  /** Evenly spaced fetches of each page at a rate, in their steady state. */
  | { readonly type: 'rates'; readonly rates: ArrayLike<number> }
  | ({ readonly type: 'schedule' } & Fetches)
  /** A plan every `every` time units, made from the checks up to then. */
  | { readonly type: 'planned'; readonly every: number; plan(log: SimulatedLog, now: number): Fetches };

/** The checks of each page, and the time of its last fetch, NaN for a page never fetched. */
export interface SimulatedLog {
  readonly checks: readonly (readonly (readonly [elapsed: number, changed: number])[])[];
  readonly lastFetch: Float64Array;
}

export interface PageSimulation {
  readonly updates: readonly SimulatedUpdates[];
  readonly policy: FetchPolicy;
  readonly duration: number;
  readonly replications: number;
  readonly seed: number;
  /** By page; left out: weights of 1. */
  readonly weight?: ArrayLike<number>;
  /** By page: age of the copy at time 0, NaN for a page never fetched; left out: never. Not used with `rates`. */
  readonly lastCrawlAge?: ArrayLike<number>;
}

export interface Estimate {
  readonly mean: number;
  /** Half the width of the 95% interval. */
  readonly half: number;
}

const confidence = 0.95;

type Stream = () => number;

function updateStream(updates: SimulatedUpdates, start: number, random: Random): Stream {
  let time = start;
  if (updates.type === 'poisson') return () => (time += standardExponential(random) / updates.rate);
  if (updates.type === 'renewal') {
    let gap = remainingGap(updates.law, random);
    return () => {
      time += gap;
      gap = updates.law.sample(random);
      return time;
    };
  }
  let position = -1;
  return () => {
    do position++;
    while (position < updates.times.length && random() >= updates.probabilities[position]);
    return updates.times[position] ?? Number.POSITIVE_INFINITY;
  };
}

/** Time to the next update in steady state: has the distribution function E min(X, t)/E X, inverted by bisection. */
function remainingGap(law: Law, random: Random): number {
  const share = random() * law.mean;
  let [low, high] = [0, law.mean];
  while (law.truncatedMean(high) < share && high < Number.MAX_VALUE) [low, high] = [high, 2 * high];
  for (let i = 0; i < 60; i++) {
    const middle = low + (high - low) / 2;
    if (law.truncatedMean(middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/** One page and its copy, followed from fetch to fetch. */
class SimulatedPage {
  fresh = 0;
  waiting = 0;
  changes = 0;
  fetches = 0;
  readonly #updates: Stream;
  #countedTo = 0;
  #nextUpdate: number;
  /** Time of the first update that the copy lacks; Infinity while the copy is current. */
  #firstMissed: number;

  /** @param lastFetch not after 0; NaN for a page never fetched, whose copy is stale */
  constructor(updates: SimulatedUpdates, lastFetch: number, random: Random) {
    this.#updates = updateStream(updates, Number.isNaN(lastFetch) ? 0 : lastFetch, random);
    this.#nextUpdate = this.#updates();
    this.#firstMissed = Number.isNaN(lastFetch) ? 0 : Number.POSITIVE_INFINITY;
  }

  /** @returns whether the page has changed since its last fetch */
  fetch(time: number): boolean {
    this.countTo(time);
    const changed = this.#firstMissed <= time;
    this.fetches++;
    this.#firstMissed = Number.POSITIVE_INFINITY;
    return changed;
  }

  countTo(time: number): void {
    const from = this.#countedTo;
    for (; this.#nextUpdate <= time; this.#nextUpdate = this.#updates()) {
      this.#firstMissed = Math.min(this.#firstMissed, this.#nextUpdate);
      if (this.#nextUpdate >= 0) this.changes++;
      this.waiting += time - Math.max(this.#nextUpdate, from);
    }
    this.fresh += Math.min(Math.max(this.#firstMissed, from), time) - from;
    this.#countedTo = time;
  }
}

function fetchAtRate(page: (lastFetch: number) => SimulatedPage, rate: number, end: number, random: Random) {
  if (rate === 0) return page(Number.NaN);
  const first = random() / rate;
  const simulated = page(first - 1 / rate);
  for (let time = first; time <= end; time += 1 / rate) simulated.fetch(time);
  return simulated;
}

function fetchByPlans(
  pages: readonly SimulatedPage[],
  { every, plan }: Extract<FetchPolicy, { type: 'planned' }>,
  duration: number,
): void {
  const checks: [number, number][][] = pages.map(() => []);
  const lastFetch = new Float64Array(pages.length).fill(Number.NaN);
  for (let now = 0; now < duration; now += every) {
    const fetches = plan({ checks, lastFetch }, now);
    for (let k = 0; k < fetches.times.length; k++) {
      const [time, i] = [fetches.times[k], fetches.pages[k]];
      if (time > duration) continue;
      const changed = pages[i].fetch(time);
      if (!Number.isNaN(lastFetch[i])) checks[i].push([time - lastFetch[i], changed ? 1 : 0]);
      lastFetch[i] = time;
    }
  }
}

function replicate({ updates, policy, duration, lastCrawlAge }: PageSimulation, seed: number): SimulatedPage[] {
  const random = seededRandom(seed);
  const page = (i: number, lastFetch: number): SimulatedPage =>
    new SimulatedPage(updates[i], lastFetch, seededRandom(random()));
  let pages: SimulatedPage[];
  if (policy.type === 'rates') {
    const { rates } = policy;
    pages = updates.map((_, i) => fetchAtRate((last) => page(i, last), rates[i], duration, seededRandom(random())));
  } else {
    pages = updates.map((_, i) => page(i, -(lastCrawlAge?.[i] ?? Number.NaN)));
    if (policy.type === 'planned') fetchByPlans(pages, policy, duration);
    else for (let k = 0; k < policy.times.length; k++) pages[policy.pages[k]].fetch(policy.times[k]);
  }
  for (const each of pages) each.countTo(duration);
  return pages;
}

function estimate(values: readonly number[]): Estimate {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, half: studentQuantile(confidence, n - 1) * Math.sqrt(squares / (n - 1) / n) };
}

export function simulatePages(problem: PageSimulation) {
  const { updates, duration, replications, seed } = problem;
  const weight = updates.map((_, i) => problem.weight?.[i] ?? 1);
  const random = seededRandom(seed);
  const runs = Array.from({ length: replications }, () => replicate(problem, random()));
  const weighted = (pages: readonly SimulatedPage[], of: (page: SimulatedPage) => number): number =>
    pages.reduce((sum, page, i) => sum + weight[i] * of(page), 0);
  const measure = (of: (pages: readonly SimulatedPage[]) => number): Estimate => estimate(runs.map(of));
  const total = weight.reduce((sum, each) => sum + each, 0);
  return {
    freshness: measure((pages) => weighted(pages, ({ fresh }) => fresh) / total / duration),
    embarrassment: measure((pages) => total - weighted(pages, ({ fresh }) => fresh) / duration),
    delay: measure((pages) => weighted(pages, ({ waiting }) => waiting) / weighted(pages, ({ changes }) => changes)),
    /** By page. */
    pages: updates.map((_, i) => ({
      freshness: estimate(runs.map((pages) => pages[i].fresh / duration)),
      fetches: estimate(runs.map((pages) => pages[i].fetches)),
    })),
  };
}
