/**
 * Checks what several crawlers are given: every crawler's part by the checks of one crawler, hosts undivided, and sums.
 * The bound may not exceed what one crawler M times as fast could cost at these very shares.
 */

import type { TeamFrequenciesProblem } from '../solvers/access-teams/team-frequencies.ts';
import type { Distribution } from '../solvers/laws/create-law.ts';
import { createLaw } from '../solvers/laws/create-law.ts';
import { certifyAccessFrequencies } from './access-frequencies.ts';
import { faultsOfCycle } from './access-sequence.ts';
import { accessRequest } from './pages/access-request.ts';
import { listIn, numbersIn, objectAt, objectiveOf, textIn, type WireObject, WireTable } from './wire.ts';

const slack = 1e-8;

/** The problem of the crawler that has these pages: each may ask for no more than an equal share of its accesses. */
function ownProblem<
  Problem extends Pick<TeamFrequenciesProblem, 'changeRate' | 'weight' | 'minFrequency' | 'crawlers'>,
>(problem: Problem, pages: Uint32Array) {
  const { changeRate, weight, minFrequency, crawlers } = problem;
  return {
    ...problem,
    changeRate: Float64Array.from(pages, (i) => changeRate[i]),
    weight: Float64Array.from(pages, (i) => weight[i]),
    minFrequency: Math.min(minFrequency * crawlers, 1 / pages.length),
  };
}

/** Positions of the pages of each of so many crawlers. */
function handsOf(crawler: Float64Array, crawlers: number): Uint32Array[] {
  return Array.from({ length: crawlers }, (_, m) =>
    Uint32Array.from(Array.from(crawler.keys()).filter((i) => crawler[i] === m)),
  );
}

const unknown = Number.NEGATIVE_INFINITY;

/** Frequencies of several crawlers in a request and an answer of the contract. */
export function verifyTeamFrequencies(request: WireObject, answer: WireObject): string[] {
  const policy = textIn(request, 'policy') === 'randomized' ? 'randomized' : 'deterministic';
  const problem = { ...accessRequest(request), policy } as const;
  const { crawlers, weight, minFrequency, host } = problem;
  if (answer.status === 'infeasible') return minFrequency * weight.length > 1 ? [] : ['the least frequency can be met'];
  const pages = new WireTable(objectAt(answer, 'solution').pages, 'pages', weight.length);
  const [frequency, staleness, crawler] = ['frequency', 'staleness', 'crawler'].map((name) => pages.numbers(name));
  const wrong = handsOf(crawler, crawlers).flatMap((hand) => {
    if (hand.length === 0) return [];
    const own = Float64Array.from(hand, (i) => crawlers * frequency[i]);
    const stale = Float64Array.from(hand, (i) => staleness[i]);
    const starved = own.filter((f) => f === 0).length;
    return certifyAccessFrequencies(ownProblem(problem, hand), {
      status: 'feasible',
      objective: { value: hand.reduce((sum, i) => sum + weight[i] * staleness[i], 0), bound: unknown, gap: null },
      frequency: own,
      staleness: stale,
      multiplier: 0,
      starved,
      warnings: starved > 0 ? [{ code: 'zero-frequency-pages' }] : [],
    });
  });
  wrong.push(...undivided(host, Int32Array.from(crawler)));
  const shares = new Float64Array(crawlers);
  for (const [i, m] of crawler.entries()) shares[m] += frequency[i];
  for (const [m, share] of shares.entries()) {
    const busy = crawler.includes(m);
    if (Math.abs(share - (busy ? 1 / crawlers : 0)) > 1e-9) wrong.push(`crawler ${m} has ${share} of all accesses`);
  }
  return [...wrong, ...compared(problem, { frequency, staleness, objective: objectiveOf(answer) })];
}

/** Cycles of several crawlers in a request and an answer of the contract. */
export function verifyTeamSequences(request: WireObject, answer: WireObject): string[] {
  const problem = { ...accessRequest(request), cycleLength: null, lastAccess: undefined };
  const { crawlers, weight, minFrequency, host } = problem;
  if (answer.status === 'infeasible') return minFrequency * weight.length > 1 ? [] : ['the least frequency can be met'];
  const solution = objectAt(answer, 'solution');
  const pages = new WireTable(solution.pages, 'pages', weight.length);
  const [staleness, crawler] = ['staleness', 'crawler'].map((name) => pages.numbers(name));
  const counts = numbersIn(solution, 'counts');
  const cycles = listIn(solution, 'crawlers').map((cycle) => numbersIn(objectAt(cycle), 'sequence'));
  const wrong = handsOf(crawler, crawlers).flatMap((hand, m) => {
    if (cycles[m].length === 0) return [];
    const position = new Map(Array.from(hand, (i, k) => [i, k]));
    const value = hand.reduce((sum, i) => sum + weight[i] * staleness[i], 0);
    return faultsOfCycle(ownProblem(problem, hand), {
      status: 'feasible',
      objective: { value, bound: unknown, gap: null },
      method: '',
      sequence: Uint32Array.from(cycles[m], (i) => position.get(i) ?? hand.length),
      counts: Uint32Array.from(hand, (i) => counts[i]),
      staleness: Float64Array.from(hand, (i) => staleness[i]),
      firstCycleCost: null,
      overallBound: unknown,
      methods: [{ cost: value }],
    });
  });
  wrong.push(...undivided(host, Int32Array.from(crawler)));
  if (crawler.some((m) => !(m < cycles.length))) return ['a page has a crawler that is none'];
  const frequency = counts.map((count, i) => count / Math.max(1, cycles[crawler[i]].length) / crawlers);
  return [...wrong, ...compared(problem, { frequency, staleness, objective: objectiveOf(answer) })];
}

function undivided(host: Int32Array, crawler: Int32Array): string[] {
  const of = new Map<number, number>();
  const wrong: string[] = [];
  for (const [i, h] of host.entries()) {
    if (h < 0) continue;
    if (of.has(h) && of.get(h) !== crawler[i]) wrong.push(`host ${h} is divided between crawlers`);
    of.set(h, crawler[i]);
  }
  return wrong;
}

interface Compared {
  readonly frequency: Float64Array;
  readonly staleness: Float64Array;
  readonly objective: { readonly value: number; readonly bound: number | null };
}

/** The value against its terms, and the bound against the fast crawler at these shares, evenly spaced. */
function compared(
  problem: { readonly accessTime: Distribution; readonly changeRate: Float64Array; readonly weight: Float64Array } & {
    readonly crawlers: number;
  },
  { frequency, staleness, objective: { value, bound } }: Compared,
): string[] {
  const { accessTime, changeRate, weight, crawlers } = problem;
  const law = createLaw(accessTime);
  let cost = 0;
  let fast = 0;
  let weights = 0;
  for (const [i, rate] of changeRate.entries()) {
    const slow = rate / crawlers;
    const changed = law.laplaceComplement(slow);
    const load = changed < 0.5 ? -Math.log1p(-changed) : -Math.log(law.laplace(slow));
    const f = frequency[i];
    fast += weight[i] * (f === 0 ? 1 : 1 + (f / (slow * law.mean)) * Math.expm1(-load / f));
    cost += weight[i] * staleness[i];
    weights += weight[i];
  }
  const wrong: string[] = [];
  if (Math.abs(cost - value) > 1e-9 * weights) wrong.push(`Σ weight·staleness is ${cost}, not ${value}`);
  if (bound === null || bound > value) wrong.push(`the bound ${bound} is above the value ${value}`);
  if (bound !== null && bound > fast + slack * weights)
    wrong.push(`the bound ${bound} is above ${fast} of these shares`);
  return wrong;
}
