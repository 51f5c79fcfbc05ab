/**
 * What must hold of a simulation's answer whatever chance did. Every estimate lies in its interval, shares in [0, 1],
 * the queue in its room, and no more crawlers work than there are. Means that are sums of other means are their sums.
 */

import * as z from 'zod';
import { simulationsQueueRequest, simulationsQueueSolution } from '../../schemas/simulations-queue.ts';
import type { QueueSimulationAnswer, QueueSimulationProblem } from '../../solvers/simulation/problem.ts';
import { inContract } from '../contract-form.ts';
import type { WireObject } from '../wire.ts';
import { type Estimate, estimateFaults } from './estimate.ts';

const shares = [
  'lossProbability',
  'obsolescenceProbability',
  'successProbability',
  'starvationProbability',
] as const satisfies readonly (keyof QueueSimulationAnswer['solution']['measures'])[];

interface Told {
  readonly status: string;
  readonly solution: {
    readonly measures: Readonly<
      Partial<Record<keyof QueueSimulationAnswer['solution']['measures'], Estimate | null | undefined>>
    >;
  };
  readonly statistics: { readonly replications: number };
}

export function certifyQueueSimulation(problem: QueueSimulationProblem, answer: Told): string[] {
  const faults: string[] = [];
  const { statistics } = answer;
  const { measures } = answer.solution;
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

const answered = z.looseObject({
  status: z.enum(['evaluated']),
  solution: simulationsQueueSolution,
  statistics: z.looseObject({ replications: z.number() }),
});

/** The same of a request and an answer of the contract. */
export function verifyQueueSimulation(request: WireObject, answer: WireObject): string[] {
  const problem = inContract(simulationsQueueRequest, request, 'the request');
  return certifyQueueSimulation(problem, inContract(answered, answer, 'the answer'));
}

function crawlerFaults(problem: QueueSimulationProblem, estimate: Estimate | null | undefined): string[] {
  if (estimate === null || estimate === undefined || problem.queue !== 'activation-policy') return [];
  const inside = estimate.mean >= 0 && estimate.mean <= problem.crawlers * (1 + 1e-12);
  return inside ? [] : [`${estimate.mean} crawlers active on average, of ${problem.crawlers}`];
}
