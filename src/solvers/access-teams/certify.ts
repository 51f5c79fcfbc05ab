/**
 * Checks what several crawlers are given: every crawler's part by the checks of one crawler, hosts undivided, sums, and
 * that the bound is not above what one crawler M times as fast could cost at these very shares.
 */
import { certifyAccessFrequencies } from '../access-frequencies/index.ts';
import { certifyAccessSequence } from '../access-sequence/index.ts';
import { createLaw } from '../distributions/create-law.ts';
import type { Distribution } from '../distributions/distribution.ts';
import { handOf, type TeamFrequenciesAnswer, type TeamFrequenciesProblem } from './team-frequencies.ts';
import { cycleProblem, type TeamSequencesAnswer, type TeamSequencesProblem } from './team-sequences.ts';

const slack = 1e-8;

/** What is wrong with frequencies of several crawlers; empty for right ones. */
export function certifyTeamFrequencies(problem: TeamFrequenciesProblem, answer: TeamFrequenciesAnswer): string[] {
  const { crawlers, weight, minFrequency } = problem;
  if (answer.status === 'infeasible') return minFrequency * weight.length > 1 ? [] : ['the least frequency can be met'];
  const { hands, crawler, frequency, staleness } = answer;
  const wrong = hands.flatMap(({ pages, own }) => certifyAccessFrequencies(handOf(problem, pages), own));
  wrong.push(...undivided(problem.host, crawler));
  const shares = new Float64Array(crawlers);
  for (const [i, m] of crawler.entries()) shares[m] += frequency[i];
  for (const [m, share] of shares.entries()) {
    const busy = crawler.includes(m);
    if (Math.abs(share - (busy ? 1 / crawlers : 0)) > 1e-9) wrong.push(`crawler ${m} has ${share} of all accesses`);
  }
  return [...wrong, ...compared(problem, { frequency, staleness, objective: answer.objective })];
}

/** What is wrong with cycles of several crawlers; empty for right ones. */
export function certifyTeamSequences(problem: TeamSequencesProblem, answer: TeamSequencesAnswer): string[] {
  const { crawlers, weight, minFrequency } = problem;
  if (answer.status === 'infeasible') return minFrequency * weight.length > 1 ? [] : ['the least frequency can be met'];
  const { cycles, crawler, counts, staleness } = answer;
  const wrong = cycles.flatMap(({ pages, own }) =>
    own === null ? [] : certifyAccessSequence(cycleProblem(problem, pages), own),
  );
  wrong.push(...undivided(problem.host, crawler));
  const lengths = cycles.map(({ own }) => own?.sequence.length ?? 1);
  const frequency = Float64Array.from(counts, (count, i) => count / lengths[crawler[i]] / crawlers);
  return [...wrong, ...compared(problem, { frequency, staleness, objective: answer.objective })];
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
