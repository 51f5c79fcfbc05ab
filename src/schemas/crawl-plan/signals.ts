/**
 * The signals of a request of `crawl-plan`: how many came between checks, with the precision and recall of the page's host.
 */

import type { CheckHistory } from '../../solvers/estimation/index.ts';
import type { SignalEvidence } from '../../solvers/pages/signals/index.ts';
import type { Refuse } from '../contract/refusals.ts';
import type { ChecksReader } from '../parts/checks/checks-reader.ts';
import { signalEvidence } from './signal-times.ts';
import type { WireRequest } from './wire-request.ts';

interface SeenOfPages {
  /** Position of each page's host, −1 for none. */
  readonly host: Int32Array;
  readonly history: CheckHistory;
  readonly lastCrawl: Float64Array;
  readonly events: ChecksReader;
}

/** The signals of pages; undefined where there are none. */
export function signalsOf(
  { now, pages, hosts = [] }: WireRequest,
  { host, history, lastCrawl, events }: SeenOfPages,
  at: (page: number, name: string) => PropertyKey[],
  refuse: Refuse,
): SignalEvidence | undefined {
  const { signals } = pages.columns;
  const first = signals.times.findIndex((times) => times !== null);
  if (first < 0) return undefined;
  const both = signals.times.findIndex((times, i) => times !== null && events.counts[i] >= 0);
  if (both >= 0) {
    refuse(at(both, 'signals'), 'not-applicable', 'have no effect beside events, which are all the changes', null);
  }
  const ofHost = (name: 'precision' | 'recall'): Float64Array =>
    Float64Array.from(host, (h) => (h >= 0 ? (hosts[h][name] ?? Number.NaN) : Number.NaN));
  const quality = { precision: ofHost('precision'), recall: ofHost('recall') };
  return signalEvidence({ now, signals, ...quality, history, lastCrawl }, at, refuse);
}
