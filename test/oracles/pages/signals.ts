/** Signals of changes, read from a request of crawl-plan by its certificate, and what they say of a copy. */

import type { SignalEvidence } from '../../../src/solvers/pages/signals/index.ts';

/** A larger recall counts as this. */
const largestRecall = 0.999;

/**
 * The age of a copy without signals that is as likely to be stale, or is expected to have changed as often. Unsignalled
 * changes go on, and each signal is right with the precision of its host.
 *
 * @param since the copy's own age
 */
export function ageBySignals(
  signals: SignalEvidence | undefined,
  i: number,
  { since, rate }: { readonly since: number; readonly rate: number },
  counts: 'staleness' | 'changes',
): number {
  const precision = signals?.precision[i] ?? Number.NaN;
  if (signals === undefined || Number.isNaN(precision) || since === Number.POSITIVE_INFINITY) return since;
  const each = counts === 'staleness' ? -Math.log(1 - precision) : precision;
  const told = signals.since[i] > 0 ? (signals.since[i] * each) / rate : 0;
  return (1 - Math.min(largestRecall, signals.recall[i])) * since + told;
}
