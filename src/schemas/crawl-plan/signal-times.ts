/**
 * The column `signals` of a list of pages: when each was said to have changed, and how many times between its checks.
 */

import type { CheckHistory } from '../../solvers/estimation/index.ts';
import type { SignalEvidence } from '../../solvers/pages/signals/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import { nowFault, pastFault } from '../parts/epoch-times.ts';
import type { EventTimes } from '../parts/event-times.ts';

/** Different pairs of precision and recall in one request: each is worked out once. */
const maxSignalQualities = 5000;

interface SignalledTable {
  readonly now: number;
  readonly signals: EventTimes;
  /** By page; NaN where its host does not say. */
  readonly precision: Float64Array;
  readonly recall: Float64Array;
  readonly history: CheckHistory;
  /** Epoch seconds; NaN for a page never fetched. */
  readonly lastCrawl: Float64Array;
}

/** Undefined where no page has signals; a page without the cell has none whatever its host says. */
export function signalEvidence(
  { now, signals, precision, recall, history, lastCrawl }: SignalledTable,
  at: (page: number, name: string) => PropertyKey[],
  refuse: Refuse,
): SignalEvidence | undefined {
  if (signals.times.every((times) => times === null)) return undefined;
  const evidence = {
    precision: new Float64Array(precision.length).fill(Number.NaN),
    recall: new Float64Array(precision.length).fill(Number.NaN),
    since: new Float64Array(precision.length),
    byCheck: new Float64Array(history.elapsed.length),
  };
  const qualities = new Set<string>();
  for (const [i, times] of signals.times.entries()) {
    if (times === null) continue;
    if (Number.isNaN(precision[i]) || Number.isNaN(recall[i])) {
      const message = 'need precision and recall of the page’s host in hosts; estimates/change-signals finds them';
      refuse(at(i, 'signals'), 'signal-quality-missing', message, null);
      continue;
    }
    const wrong = [times[0], times[times.length - 1]].find(
      (time) => time !== undefined && pastFault(time, now) !== null,
    );
    if (wrong !== undefined && nowFault(now) === null) {
      refuse(at(i, 'signals'), 'implausible-time', `every time of it ${pastFault(wrong, now)}`, wrong);
      continue;
    }
    evidence.precision[i] = precision[i];
    evidence.recall[i] = recall[i];
    qualities.add(`${precision[i]} ${recall[i]}`);
    count(times, i, { history, lastCrawl }, evidence);
  }
  if (qualities.size > maxSignalQualities) {
    const message = `precision and recall may take at most ${maxSignalQualities} pairs of values; got ${qualities.size}: round them`;
    refuse(['pages'], 'too-large', message, qualities.size);
    return undefined;
  }
  return evidence;
}

/** Goes back from the last fetch, check by check; signals before the first check say nothing that is compared with. */
function count(
  times: readonly number[],
  i: number,
  { history, lastCrawl }: Pick<SignalledTable, 'history' | 'lastCrawl'>,
  { since, byCheck }: { readonly since: Float64Array; readonly byCheck: Float64Array },
): void {
  if (Number.isNaN(lastCrawl[i])) return;
  let next = times.length - 1;
  let to = lastCrawl[i];
  for (; next >= 0 && times[next] > to; next--) since[i]++;
  for (let k = history.offsets[i + 1] - 1; k >= history.offsets[i]; k--) {
    const from = to - history.elapsed[k];
    for (; next >= 0 && times[next] > from; next--) byCheck[k]++;
    to = from;
  }
}
