/**
 * Checks an allocation against the model alone: it shares the laws of the gaps with the solver, and no code.
 *
 * What must hold: counts lie within their constraints and Σ x_i = R. Staleness A_i(x_i) is by the model's formulas,
 *   A(x) = x·H(T/x)/T (never crawled, or crawled longer ago than T/x), [(x + 1)·H((T + a)/(x + 1)) − H(a)]/T (crawled a ago),
 *   H(τ) = (τ·E min(X, τ) − ½E min(X, τ)²)/m,
 * or by the best crawl points of a quasi-deterministic page, which dynamic programming finds. Under another objective
 * its C(τ), what a copy has cost by the age τ, takes the place of H. The objective is Σ w_i·A_i. In an optimal answer no
 * crawl gains by moving (gains as differences of A). Ideal times realise the staleness claimed.
 * Cost: three values of A a page; O(Q²·x) for a quasi-deterministic page of Q updates and x crawls. Source: Wolf et al.
 * (2002), section 2.3, corrected as in gains/page-gain.ts.
 */

import type { CrawlAllocation } from '../../src/solvers/crawl-allocation/allocate-crawls.ts';
import { createLaw } from '../../src/solvers/laws/create-law.ts';
import { costDefinition } from './cost-definition.ts';
import { type Expect, faultList } from './faults.ts';
import type { CheckedProblem } from './pages/allocation-request.ts';
import { poisson, quasiDeterministic } from './pages/updates.ts';

type Checked = Pick<
  CrawlAllocation,
  'status' | 'objective' | 'crawls' | 'staleness' | 'cost' | 'meanDelay' | 'idealTimes'
>;

/** Differences of this size, relative to the weight at stake, are rounding. */
const slack = 1e-9;

export function certifyCrawlAllocation(
  problem: CheckedProblem,
  answer: Checked | { readonly status: 'infeasible' },
): string[] {
  if (answer.status === 'infeasible') return certifyConflict(problem);
  const { faults: wrong, expect } = faultList();
  const cost = costByModel(problem);
  checkCounts(problem, answer, expect);
  let value = 0;
  let scale = 0;
  for (let i = 0; i < answer.crawls.length; i++) {
    const claimed = answer.cost[i];
    // the greedy rule places crawls by itself: only the best is known here
    const greedy = problem.quasiDeterministic === 'greedy' && problem.updates.process[i] === quasiDeterministic;
    const own = cost(i, answer.crawls[i]);
    const most = largestCost(problem, cost, i);
    const right = greedy ? claimed >= own - slack && claimed <= 1 + slack : Math.abs(claimed - own) <= slack * most;
    expect(right, `page ${i} costs ${claimed}, by the model ${own}`);
    value += problem.weight[i] * claimed;
    scale += problem.weight[i] * most;
  }
  const { objective } = answer;
  expect(Math.abs(value - objective.value) <= slack * scale, `Σ weight·cost is ${value}, not ${objective.value}`);
  const { bound } = objective;
  expect(bound !== null && bound <= objective.value, `the bound ${bound} is above the value ${objective.value}`);
  if (answer.status === 'optimal' && problem.quasiDeterministic === 'exact') {
    checkMoves(problem, answer, cost, expect);
  }
  checkTimes(problem, answer, expect);
  if (problem.objective !== 'freshness') checkMeasures(problem, answer, expect);
  return wrong;
}

/** To which differences are relative: 1 for shares of time, else what the page costs without a crawl. */
function largestCost({ objective }: CheckedProblem, cost: Cost, i: number): number {
  return objective === 'freshness' ? 1 : cost(i, 0);
}

/** A page's limited host, −1 for none. */
const hostOf = (hosts: CheckedProblem['hosts'], page: number): number => hosts?.of[page] ?? -1;

/** The most that pages and hosts can take. */
function mostOf({ maxCrawls, hosts }: CheckedProblem): number {
  const byHost = new Float64Array(hosts?.maxCrawls.length ?? 0);
  let most = 0;
  maxCrawls.forEach((max, i) => {
    const own = max < 0 ? Number.POSITIVE_INFINITY : max;
    const h = hostOf(hosts, i);
    if (h < 0) most += own;
    else byHost[h] += own;
  });
  return byHost.reduce((sum, own, h) => sum + Math.min(own, hosts?.maxCrawls[h] ?? 0), most);
}

/** The requirements do clash: Σ m > R, Σ of what pages and hosts can take < R, or one host below its minima. */
function certifyConflict(problem: CheckedProblem): string[] {
  const { crawls, minCrawls, hosts } = problem;
  const hostLeast = new Float64Array(hosts?.maxCrawls.length ?? 0);
  minCrawls.forEach((min, i) => {
    if (hostOf(hosts, i) >= 0) hostLeast[hostOf(hosts, i)] += min;
  });
  const least = minCrawls.reduce((sum, min) => sum + min, 0);
  const tooFull = hostLeast.some((min, h) => hosts !== null && min > hosts.maxCrawls[h]);
  return least > crawls || tooFull || mostOf(problem) < crawls ? [] : ['an allocation exists'];
}

function checkCounts({ crawls, minCrawls, maxCrawls, hosts }: CheckedProblem, answer: Checked, expect: Expect): void {
  let sum = 0;
  const onHost = new Float64Array(hosts === null ? 0 : hosts.maxCrawls.length);
  answer.crawls.forEach((x, i) => {
    sum += x;
    if (hostOf(hosts, i) >= 0) onHost[hostOf(hosts, i)] += x;
    expect(x >= minCrawls[i], `page ${i} has ${x} crawls, fewer than its minCrawls of ${minCrawls[i]}`);
    expect(
      maxCrawls[i] < 0 || x <= maxCrawls[i],
      `page ${i} has ${x} crawls, more than its maxCrawls of ${maxCrawls[i]}`,
    );
  });
  expect(sum === crawls, `${sum} crawls are given out instead of ${crawls}`);
  hosts?.maxCrawls.forEach((most, h) => {
    expect(onHost[h] <= most, `host ${hosts.names[h]} has ${onHost[h]} crawls, more than its maxCrawls of ${most}`);
  });
}

/** No crawl gains by moving: to any page from any page, within its host where that is full. */
function checkMoves(problem: CheckedProblem, { crawls }: Checked, cost: Cost, expect: Expect): void {
  const { weight, minCrawls, maxCrawls, hosts } = problem;
  const hostCount = hosts === null ? 0 : hosts.maxCrawls.length;
  const onHost = new Float64Array(hostCount);
  crawls.forEach((x, i) => {
    if (hostOf(hosts, i) >= 0) onHost[hostOf(hosts, i)] += x;
  });
  // [hostCount]: everywhere
  const next = new Float64Array(hostCount + 1).fill(Number.NEGATIVE_INFINITY);
  const last = new Float64Array(hostCount + 1).fill(Number.POSITIVE_INFINITY);
  crawls.forEach((x, i) => {
    const h = hostOf(hosts, i);
    const here = cost(i, x);
    const rounding = 1e-12 * largestCost(problem, cost, i);
    if (maxCrawls[i] < 0 || x < maxCrawls[i]) {
      const gain = weight[i] * (here - cost(i, x + 1) - rounding);
      // what comes to it leaves its host, where that is full, or any page
      const full = h >= 0 && onHost[h] >= (hosts?.maxCrawls[h] ?? 0) ? h : hostCount;
      next[full] = Math.max(next[full], gain);
    }
    if (x > minCrawls[i]) {
      const gain = weight[i] * (cost(i, x - 1) - here + rounding);
      for (const at of h < 0 ? [hostCount] : [h, hostCount]) last[at] = Math.min(last[at], gain);
    }
  });
  for (let h = 0; h <= hostCount; h++) {
    expect(!(next[h] > last[h]), `a crawl moved would save ${next[h]} and cost ${last[h]}`);
  }
}

/** Times within the interval, increasing, one a crawl; with a known age they realise the cost claimed. */
function checkTimes(problem: CheckedProblem, answer: Checked, expect: Expect): void {
  if (answer.idealTimes === null) return;
  const { offsets, times } = answer.idealTimes;
  const { interval, updates } = problem;
  for (let i = 0; i < answer.crawls.length; i++) {
    const own = times.subarray(offsets[i], offsets[i + 1]);
    expect(own.length === answer.crawls[i], `page ${i} has ${own.length} times for ${answer.crawls[i]} crawls`);
    expect(
      own.every((t, j) => t >= 0 && t <= interval && (j === 0 || t >= own[j - 1])),
      `times of page ${i} do not increase within the interval`,
    );
    const age = ageAtStart(problem, i);
    if (updates.process[i] === quasiDeterministic || Number.isNaN(age)) continue;
    const costBy = costByAge(problem, i);
    let before = -age;
    let sum = -costBy(age);
    for (const t of [...own, interval]) {
      sum += costBy(t - before);
      before = t;
    }
    // the part of the first gap that lies before the interval counts for its own cost only
    expect(
      Math.abs(sum / interval - answer.cost[i]) <= slack * Math.max(1, costBy(age + interval) / interval),
      `the times of page ${i} realise ${sum / interval}`,
    );
  }
}

/** Under another objective than freshness: the staleness of the same even gaps, and the objective's own measure. */
function checkMeasures(problem: CheckedProblem, answer: Checked, expect: Expect): void {
  const { interval, updates, lastCrawlAge } = problem;
  const fresh = costByModel({ ...problem, objective: 'freshness' });
  answer.crawls.forEach((x, i) => {
    const gap = interval / (x + 1);
    const never = lastCrawlAge === null || Number.isNaN(lastCrawlAge[i]);
    const own = never ? (gap + x * costByAge({ ...problem, objective: 'freshness' }, i)(gap)) / interval : fresh(i, x);
    expect(Math.abs(answer.staleness[i] - own) <= slack, `page ${i} is stale ${answer.staleness[i]}, not ${own}`);
    const { cost, meanDelay } = answer;
    const measure = meanDelay?.[i] ?? cost[i];
    const right = meanDelay === null ? cost[i] : cost[i] * updates.meanGap[i];
    expect(Math.abs(measure - right) <= slack * right, `page ${i} has ${measure} in the mean, not ${right}`);
  });
}

/** A_i(x): what page i costs with x crawls. */
type Cost = (i: number, x: number) => number;

/** H of page i. */
function staleTime({ updates }: CheckedProblem, i: number): (tau: number) => number {
  const mean = updates.meanGap[i];
  const unit =
    updates.process[i] === poisson ? createLaw({ type: 'exponential', rate: 1 }) : updates.laws[updates.entry[i]].law;
  const scale = mean / unit.mean;
  return (tau) => {
    const t = tau / scale;
    return t > 0 ? (scale * (t * unit.truncatedMean(t) - unit.truncatedSecondMoment(t) / 2)) / unit.mean : 0;
  };
}

/** NaN for a page never crawled, which under another objective than freshness begins to cost at the start. */
function ageAtStart({ objective, lastCrawlAge }: CheckedProblem, i: number): number {
  const age = lastCrawlAge === null ? Number.NaN : lastCrawlAge[i];
  return Number.isNaN(age) && objective !== 'freshness' ? 0 : age;
}

/** C of page i: what a copy has cost by the age τ. */
function costByAge(problem: CheckedProblem, i: number): (tau: number) => number {
  if (problem.objective === 'freshness') return staleTime(problem, i);
  const { over } = costDefinition(problem.objective);
  const rate = 1 / problem.updates.meanGap[i];
  return (tau) => over(rate, tau);
}

/** A_i(x). */
function costByModel(problem: CheckedProblem): Cost {
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
  const { quasi, entry } = updates;
  const [from, to] = [quasi.offsets[entry[i]], quasi.offsets[entry[i] + 1]];
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
  const { quasi, entry } = updates;
  const given = quasi.staleAtStart[entry[i]];
  if (!Number.isNaN(given)) return given;
  const age = lastCrawlAge === null ? Number.NaN : lastCrawlAge[i];
  if (Number.isNaN(age)) return 1;
  let logFresh = 0;
  for (let at = quasi.offsets[entry[i]]; at < quasi.offsets[entry[i] + 1]; at++) {
    // the update at u happened k times since: k·T − u < age
    const happened = Math.ceil((age + quasi.times[at]) / interval) - 1;
    if (happened > 0 && quasi.probabilities[at] > 0) logFresh += happened * Math.log1p(-quasi.probabilities[at]);
  }
  return -Math.expm1(logFresh);
}
