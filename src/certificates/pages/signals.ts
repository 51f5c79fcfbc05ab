/** Signals of changes, read from a request of crawl-plan by its certificate, and what they say of a copy. */
import type { SignalEvidence } from '../../solvers/crawl-plan/problem.ts';
import type { CheckHistory } from '../../solvers/estimation/index.ts';
import { numberIn, type WireObject, type WireTable } from '../wire.ts';

/** A larger recall counts as this. */
const largestRecall = 0.999;

/** By page and by check, counted from the times; undefined where no page has signals. */
export function signalsIn(
  pages: WireTable,
  { hosts, host }: { readonly hosts: readonly WireObject[]; readonly host: Int32Array },
  { offsets, elapsed }: CheckHistory,
  lastCrawl: Float64Array,
): SignalEvidence | undefined {
  if (!pages.has('signals')) return undefined;
  const lists = pages.lists('signals');
  const ofHost = (name: string): Float64Array =>
    Float64Array.from(lists, (list, i) => (list === null ? Number.NaN : numberIn(hosts[host[i]] ?? {}, name)));
  const byCheck = new Float64Array(elapsed.length);
  const since = Float64Array.from(lists, (list, i) => {
    const times = (list ?? []).map(Number);
    const within = (from: number, to: number): number => times.filter((time) => time > from && time <= to).length;
    if (Number.isNaN(lastCrawl[i])) return 0;
    let to = lastCrawl[i];
    for (let k = offsets[i + 1] - 1; k >= offsets[i]; to -= elapsed[k--]) byCheck[k] = within(to - elapsed[k], to);
    return within(lastCrawl[i], Number.POSITIVE_INFINITY);
  });
  return { precision: ofHost('precision'), recall: ofHost('recall'), since, byCheck };
}

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
