/**
 * What must hold of a simulation's answer whatever chance did: every estimate lies in its interval, shares lie in [0,
 * 1], the queue in its room, the crawlers among those there are, and of the means that are sums of each other the sums
 * hold.
 */

import type { QueueSimulationAnswer, QueueSimulationProblem } from './problem.ts';
import type { Estimate } from './replications.ts';

const shares = [
  'lossProbability',
  'obsolescenceProbability',
  'successProbability',
  'starvationProbability',
] as const satisfies readonly (keyof QueueSimulationAnswer['measures'])[];

/** Everything that does not hold, in words; empty when all does. */
export function certifyQueueSimulation(problem: QueueSimulationProblem, answer: QueueSimulationAnswer): string[] {
  const faults: string[] = [];
  const { measures, statistics } = answer;
  if (answer.status !== 'evaluated') faults.push(`status ${answer.status}; a simulation only evaluates`);
  if (statistics.replications > problem.replications) faults.push('more replications than were asked for');
  for (const [name, estimate] of Object.entries(measures)) faults.push(...estimateFaults(name, estimate));
  for (const name of shares) {
    const mean = measures[name]?.mean;
    // Pages that arrived before the count began may leave during it: shares of pages may pass 1 by a few of them.
    const most = name === 'starvationProbability' ? 1 + 1e-9 : Number.POSITIVE_INFINITY;
    if (mean !== undefined && !(mean >= 0 && mean <= most)) faults.push(`${name} ${mean} is no share`);
  }
  faults.push(...crawlerFaults(problem, measures.activeCrawlers ?? null));
  const length = measures.meanQueueLength ?? null;
  if (problem.queue === 'activation-policy' && length !== null && length.mean > problem.capacity) {
    faults.push(`mean queue length ${length.mean} beyond the capacity ${problem.capacity}`);
  }
  return faults;
}

function estimateFaults(name: string, estimate: Estimate | null): string[] {
  if (estimate === null) return [];
  const { mean, interval } = estimate;
  const [low, high] = interval;
  return low <= mean && mean <= high && Number.isFinite(low) && Number.isFinite(high)
    ? []
    : [`${name}: ${mean} is not inside [${low}, ${high}]`];
}

function crawlerFaults(problem: QueueSimulationProblem, estimate: Estimate | null): string[] {
  if (estimate === null || problem.queue !== 'activation-policy') return [];
  const inside = estimate.mean >= 0 && estimate.mean <= problem.crawlers * (1 + 1e-12);
  return inside ? [] : [`${estimate.mean} crawlers active on average, of ${problem.crawlers}`];
}
