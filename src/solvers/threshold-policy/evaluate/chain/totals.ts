/** The totals of a policy as they are summed up over the states, each with its share of time. */
import type { Totals } from '../../../queue/measures.ts';
import type { Queue } from '../../../queue/queue.ts';

type SummedTotals = { -readonly [Name in keyof Totals]: number };

export const noTotals = (): SummedTotals => ({
  lossRate: 0,
  obsolescenceRate: 0,
  starvationProbability: 0,
  activeCrawlers: 0,
  toBeServed: 0,
  toExpire: 0,
  successRate: 0,
  queueLength: 0,
});

/** Adds what a state (ν·M + m) does whatever becomes of its pages, which is for the caller to add. */
export function addState(
  totals: SummedTotals,
  queue: Queue,
  level: number,
  state: number,
  mode: number,
  share: number,
): void {
  const { phases, exit } = queue.service;
  const m = state % phases;
  totals.lossRate += share * queue.arrivals[mode][level].lossRate[(state - m) / phases];
  totals.activeCrawlers += share * queue.modes[mode].crawlers;
  if (level === 0) totals.starvationProbability += share;
  else {
    totals.queueLength += share * level;
    totals.successRate += share * exit[m];
  }
}
