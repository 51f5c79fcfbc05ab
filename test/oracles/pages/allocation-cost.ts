/**
 * What an allocation costs by the model alone: A_i(x) of crawl-allocation.ts. It uses the laws of the gaps, and dynamic
 * programming for a page of possible updates.
 */
import { createLaw } from '../../../src/solvers/laws/create-law.ts';
import { costDefinition } from '../cost-definition.ts';
import type { CheckedProblem } from './allocation-request.ts';
import { poisson, quasiDeterministic } from './updates.ts';

/** A_i(x): what page i costs with x crawls. */
export type Cost = (i: number, x: number) => number;

/** H of page i. */
function staleTime({ updates }: CheckedProblem, i: number): (tau: number) => number {
  const mean = updates.meanGap[i];
  const unit =
    updates.process[i] === poisson ? createLaw({ type: 'exponential', rate: 1 }) : updates.laws[updates.slot[i]].law;
  const scale = mean / unit.mean;
  return (tau) => {
    const t = tau / scale;
    return t > 0 ? (scale * (t * unit.truncatedMean(t) - unit.truncatedSecondMoment(t) / 2)) / unit.mean : 0;
  };
}

/** NaN for a page never crawled, which under another objective than freshness begins to cost at the start. */
export function ageAtStart({ objective, lastCrawlAge }: CheckedProblem, i: number): number {
  const age = lastCrawlAge === null ? Number.NaN : lastCrawlAge[i];
  return Number.isNaN(age) && objective !== 'freshness' ? 0 : age;
}

/** C of page i: what a copy has cost by the age τ. */
export function costByAge(problem: CheckedProblem, i: number): (tau: number) => number {
  if (problem.objective === 'freshness') return staleTime(problem, i);
  const { over } = costDefinition(problem.objective);
  const rate = 1 / problem.updates.meanGap[i];
  return (tau) => over(rate, tau);
}

/** A_i(x). */
export function costByModel(problem: CheckedProblem): Cost {
  const { interval, updates } = problem;
  return (i, x) => {
    const age = ageAtStart(problem, i);
    if (updates.process[i] === quasiDeterministic) return leastStaleness(problem, i, x);
    const costBy = costByAge(problem, i);
    if (x * age <= interval) return ((x + 1) * costBy((interval + age) / (x + 1)) - costBy(age)) / interval;
    return x === 0 ? 1 : (x * costBy(interval / x)) / interval;
  };
}

/** The best x crawls of a quasi-deterministic page at its possible updates or at the start, by dynamic programming. */
function leastStaleness(problem: CheckedProblem, i: number, x: number): number {
  const { interval, updates } = problem;
  const { quasi, slot } = updates;
  const [from, to] = [quasi.offsets[slot[i]], quasi.offsets[slot[i] + 1]];
  const times = [0, ...quasi.times.subarray(from, to), interval];
  const chance = [staleAtStart(problem, i), ...quasi.probabilities.subarray(from, to)];
  const points = chance.length;
  // cost[c]: from a crawl at point c on (c = points: never crawled, from the start), with the crawls left
  const segments = (c: number): number[] => {
    let fresh = c < points ? 1 : 1 - chance[0];
    let sum = 0;
    return Array.from({ length: points + 1 }, (_, e) => {
      if (e === 0 || (c < points && e <= c)) return 0;
      if (e - 1 > (c < points ? c : 0)) fresh *= 1 - chance[e - 1];
      sum += (times[e] - times[e - 1]) * (1 - fresh);
      return sum;
    });
  };
  const segment = Array.from({ length: points + 1 }, (_, c) => segments(c));
  let rest = segment.map((cost) => cost[points]);
  for (let left = 1; left <= Math.min(x, points); left++) {
    rest = segment.map((cost, c) => {
      let best = cost[points];
      for (let e = c < points ? c + 1 : 0; e < points; e++) best = Math.min(best, cost[e] + rest[e]);
      return best;
    });
  }
  return rest[points] / interval;
}

/** P(stale at 0): as given; else 1 for a page never crawled; else from the possible updates since its last crawl. */
function staleAtStart({ updates, interval, lastCrawlAge }: CheckedProblem, i: number): number {
  const { quasi, slot } = updates;
  const given = quasi.staleAtStart[slot[i]];
  if (!Number.isNaN(given)) return given;
  const age = lastCrawlAge === null ? Number.NaN : lastCrawlAge[i];
  if (Number.isNaN(age)) return 1;
  let logFresh = 0;
  for (let at = quasi.offsets[slot[i]]; at < quasi.offsets[slot[i] + 1]; at++) {
    // the update at u happened k times since: k·T − u < age
    const happened = Math.ceil((age + quasi.times[at]) / interval) - 1;
    if (happened > 0 && quasi.probabilities[at] > 0) logFresh += happened * Math.log1p(-quasi.probabilities[at]);
  }
  return -Math.expm1(logFresh);
}
