/**
 * Freshness, measured by probes at random times.
 *
 * Model: a probe finds page i's copy current (x = 1) or not (x = 0). Probe times are independent of the crawler, so the
 * chance of x = 1 is the freshness averaged over time.
 *
 * Method: confidence sequences (confidence-sequence.ts) over the probes in order of time; equal times keep the order
 * of the request. Complexity: O(n log n) for n probes. Deterministic.
 *
 * Source: R. Wolff, Operations Research 30 (1982); I. Waudby-Smith, A. Ramdas, J. R. Statist. Soc. B 86 (2024).
 * Known limits: where the freshness drifts, an interval is for its mean weighted by the bets.
 */
import { type Budget, pollOf } from '../budget.ts';
import { type Sequence, sequenceOf } from './confidence-sequence.ts';
import type { AnytimeEstimate, FreshnessAnswer, FreshnessProblem } from './problem.ts';

/** Elementary steps that a probe takes, sorting not counted. */
const stepsPerProbe = 60;

/**
 * Estimates the weighted share of probes whose copy was current, in all and by host.
 *
 * @throws NothingToReturn when the budget ends first: an estimate from some of the probes would be that of another time
 * span
 */
export function solveFreshness({ time, host, hosts, current, weight, confidence }: FreshnessProblem, budget: Budget) {
  const alpha = 1 - confidence;
  const poll = pollOf(budget, 'not every probe had been counted');
  const order = orderByTime(time);
  const { heaviest, hasUnequalWeights } = weightRange(weight);
  const begin = (): Sequence => sequenceOf(alpha, hasUnequalWeights);
  const overall = begin();
  const byHost = hosts.map(begin);
  for (const position of order) {
    const share = weight[position] / heaviest;
    overall.add(current[position], share);
    if (host[position] >= 0) byHost[host[position]].add(current[position], share);
    poll(stepsPerProbe);
  }
  const solution: FreshnessAnswer = {
    freshness: estimateOf(overall),
    byHost: byHost.map((sequence, h) => ({ host: hosts[h], ...estimateOf(sequence) })),
  };
  const statistics = { solver: 'confidence-sequence', probes: time.length };
  return { status: 'evaluated' as const, solution, warnings: [], statistics };
}

/** The largest weight, and whether any two differ. */
function weightRange(weight: Float64Array): { readonly heaviest: number; readonly hasUnequalWeights: boolean } {
  let heaviest = 0;
  let lightest = Number.POSITIVE_INFINITY;
  for (const value of weight) {
    heaviest = Math.max(heaviest, value);
    lightest = Math.min(lightest, value);
  }
  return { heaviest, hasUnequalWeights: lightest < heaviest };
}

const estimateOf = ({ count, value, interval }: Sequence): AnytimeEstimate => ({
  value: count === 0 ? null : value,
  interval,
  probes: count,
});

/** Positions in order of time; equal times stay in their order. */
function orderByTime(time: Float64Array): Int32Array {
  const order = new Int32Array(time.length);
  let isSorted = true;
  for (let i = 0; i < time.length; i++) {
    order[i] = i;
    if (i > 0 && time[i] < time[i - 1]) isSorted = false;
  }
  return isSorted ? order : order.sort((a, b) => time[a] - time[b] || a - b);
}
