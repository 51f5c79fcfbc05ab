import { createLaw } from '../../../src/solvers/laws/index.ts';
import type { Page, Problem } from './allocation-request.ts';

/** Expected stale time within τ after a crawl: H(τ) = (τE[min(X, τ)] − ½E[min(X, τ)²])/m. */
function staleTime(updates: Page['updates'], tau: number): number {
  if (updates.type === 'poisson') {
    const { rate } = updates;
    // the closed form cancels for small rates; two terms of its series are exact to 1e−10 there
    if (rate * tau < 1e-5) return ((rate * tau * tau) / 2) * (1 - (rate * tau) / 3);
    return tau + Math.expm1(-rate * tau) / rate;
  }
  if (updates.type === 'quasi-deterministic') throw new Error('no gaps');
  const law = createLaw(updates.distribution);
  return (tau * law.truncatedMean(tau) - law.truncatedSecondMoment(tau) / 2) / law.mean;
}

/** A(x) of a page by the model's formulas. */
export function naiveStaleness({ interval }: Problem, page: Page, x: number): number {
  const { updates, lastCrawlAge: age } = page;
  if (updates.type === 'quasi-deterministic') return naiveQuasiStaleness(interval, page, x);
  const h = (tau: number): number => (tau === 0 ? 0 : staleTime(updates, tau));
  if (age === undefined) return x === 0 ? 1 : (x * h(interval / x)) / interval;
  if (x * age <= interval) return ((x + 1) * h((interval + age) / (x + 1)) - h(age)) / interval;
  return (x * h(interval / x)) / interval;
}

/** Staleness of a quasi-deterministic page when exactly the points in `crawled` (0: the start) are crawled. */
export function naiveQuasiCost(
  interval: number,
  times: readonly number[],
  probabilities: readonly number[],
  staleAtStart: number,
  crawled: ReadonlySet<number>,
): number {
  let sum = 0;
  let fresh = 1;
  for (let j = 0; j <= times.length; j++) {
    const from = j === 0 ? 0 : times[j - 1];
    const to = j === times.length ? interval : times[j];
    fresh = crawled.has(j) ? 1 : fresh * (1 - (j === 0 ? staleAtStart : probabilities[j - 1]));
    sum += (to - from) * (1 - fresh);
  }
  return sum / interval;
}

function naiveQuasiStaleness(interval: number, page: Page, x: number): number {
  const { updates, lastCrawlAge: age } = page;
  if (updates.type !== 'quasi-deterministic') throw new Error('not quasi-deterministic');
  const { times, probabilities } = updates;
  let stale = updates.staleAtStart;
  if (stale === undefined && age !== undefined) {
    let fresh = 1;
    for (let cycle = 1; cycle <= Math.ceil(age / interval); cycle++) {
      times.forEach((time, j) => {
        if (cycle * interval - time < age) fresh *= 1 - probabilities[j];
      });
    }
    stale = 1 - fresh;
  }
  let best = Number.POSITIVE_INFINITY;
  for (let set = 0; set < 2 ** (times.length + 1); set++) {
    const crawled = new Set<number>();
    for (let j = 0; j <= times.length; j++) if ((set >> j) & 1) crawled.add(j);
    if (crawled.size <= x) best = Math.min(best, naiveQuasiCost(interval, times, probabilities, stale ?? 1, crawled));
  }
  return best;
}

/** The optimum by dynamic programming over pages and crawls, O(N·R²); Infinity when infeasible. No host limits. */
function dynamicProgramme(problem: Problem, pages: readonly Page[], costOf: typeof naiveStaleness): number[] {
  const { crawls } = problem;
  let best: number[] = Array.from({ length: crawls + 1 }, (_, r) => (r === 0 ? 0 : Number.POSITIVE_INFINITY));
  for (const page of pages) {
    const cost = Array.from({ length: crawls + 1 }, (_, x) => {
      if (x < (page.minCrawls ?? 0) || x > (page.maxCrawls ?? crawls)) return Number.POSITIVE_INFINITY;
      return (page.weight ?? 1) * costOf(problem, page, x);
    });
    best = best.map((_, r) => {
      let least = Number.POSITIVE_INFINITY;
      for (let x = 0; x <= r; x++) least = Math.min(least, best[r - x] + cost[x]);
      return least;
    });
  }
  return best;
}

/** The optimum under host limits: each host's cost for every count, then hosts against each other. */
export function hostProgramme(problem: Problem, costOf = naiveStaleness): number {
  const { crawls, pages, hosts = [] } = problem;
  const limited = new Set(hosts.map(({ host }) => host));
  const groups: number[][] = hosts.map(({ host, maxCrawls }) =>
    dynamicProgramme(
      problem,
      pages.filter((page) => page.host === host),
      costOf,
    ).map((cost, r) => (r > maxCrawls ? Number.POSITIVE_INFINITY : cost)),
  );
  groups.push(
    dynamicProgramme(
      problem,
      pages.filter((page) => page.host === undefined || !limited.has(page.host)),
      costOf,
    ),
  );
  let best = Array.from({ length: crawls + 1 }, (_, r) => (r === 0 ? 0 : Number.POSITIVE_INFINITY));
  for (const group of groups) {
    best = best.map((_, r) => {
      let least = Number.POSITIVE_INFINITY;
      for (let x = 0; x <= r; x++) least = Math.min(least, best[r - x] + group[x]);
      return least;
    });
  }
  return best[crawls];
}
