/**
 * What a crawler saw of its pages, read from `checks` or `observations` by certificates in their own way.
 *
 * Observations become checks fetch by fetch: 304 says unchanged, else the flag decides, else the signature against the
 * last one, else Last-Modified. A failure, or a fetch that says nothing, only makes the next gap longer.
 */
import type { CheckHistory } from '../../solvers/estimation/index.ts';
import { isObject, numberIn, type WireObject, WireTable } from '../wire.ts';

export const unchanged = 0;
export const changed = 1;
export const changedAtKnownAge = 2;

type Check = readonly [elapsed: number, outcome: number, matters?: number];

/**
 * @param shortest a gap below this is none, and its check is left out
 * @param lastCrawl by page, NaN for never: up to when events are known, where it is after them; else up to `now`
 */
export function historyIn(request: WireObject, shortest = 1e-15, lastCrawl?: Float64Array): CheckHistory {
  const pages = new WireTable(request.pages, 'pages');
  const [checks, observations, events] = ['checks', 'observations', 'events'].map((name) => pages.lists(name));
  const counts = pages.values('checks');
  const from = pages.numbers('observedFrom', Number.NaN);
  const byPage = checks.map((list, i) => {
    const counted = counts[i];
    if (list !== null) return fromChecks(list);
    if (isObject(counted)) return fromCounts(counted);
    if (events[i] === null) return fromObservations(observations[i] ?? []);
    return fromEvents(Array.from(events[i] ?? [], Number), from[i], lastCrawl?.[i] ?? Number.NaN, Number(request.now));
  });
  const least = numberIn(request, 'leastMatters', 0);
  const kept = byPage.map((list) => list.filter(([elapsed]) => elapsed >= shortest));
  const offsets = new Uint32Array(kept.length + 1);
  for (const [i, list] of kept.entries()) offsets[i + 1] = offsets[i] + list.length;
  const all = kept.flat();
  return {
    offsets,
    elapsed: Float64Array.from(all, ([elapsed]) => elapsed),
    outcome: Uint8Array.from(all, ([, outcome, matters = 1]) => (matters < least ? unchanged : outcome)),
    matters: Float64Array.from(all, ([, , matters = 1]) => matters),
  };
}

function fromChecks(list: readonly unknown[]): Check[] {
  return list.flatMap((check): Check[] => {
    if (!Array.isArray(check)) return [];
    const [elapsed, seen]: readonly unknown[] = check;
    return [[Number(elapsed), seen === true || seen === 1 ? changed : unchanged]];
  });
}

/** Changes spread evenly over the checks. */
function fromCounts(counts: WireObject): Check[] {
  const [checks, changes, gap] = ['checks', 'changes', 'gap'].map((name) => numberIn(counts, name));
  return Array.from({ length: checks }, (_, k): Check => {
    const seen = Math.floor(((k + 1) * changes) / checks) > Math.floor((k * changes) / checks);
    return [gap, seen ? changed : unchanged];
  });
}

/** Changes at known times, from a time on; the first event starts it where none is said. */
function fromEvents(events: readonly number[], from: number, lastCrawl: number, now: number): Check[] {
  const checks: Check[] = [];
  let last = Number.isNaN(from) ? events[0] : from;
  if (last === undefined) return checks;
  for (const time of events) {
    if (time > last) checks.push([time - last, changedAtKnownAge]);
    last = time;
  }
  const end = lastCrawl >= last ? lastCrawl : now;
  if (end > last) checks.push([end - last, unchanged]);
  return checks;
}

interface Fetch {
  readonly time: number;
  readonly status: number | null;
  readonly changed: boolean | null;
  readonly modified: number | null;
  readonly signature: string | null;
  readonly matters: number;
}

function fetchOf(seen: unknown): Fetch[] {
  if (!isObject(seen) || typeof seen.time !== 'number') return [];
  const status = typeof seen.status === 'number' ? seen.status : null;
  if (status !== null && status !== 304 && (status < 200 || status > 299)) return [];
  const flag = seen.changed === true || seen.changed === 1;
  return [
    {
      time: seen.time,
      status,
      changed: seen.changed === undefined || seen.changed === null ? null : flag,
      modified: typeof seen.lastModified === 'number' ? seen.lastModified : null,
      signature: typeof seen.signature === 'string' ? seen.signature : null,
      matters: typeof seen.matters === 'number' ? seen.matters : 1,
    },
  ];
}

function fromObservations(list: readonly unknown[]): Check[] {
  const fetches = list.flatMap(fetchOf).sort((a, b) => a.time - b.time);
  const checks: Check[] = [];
  let last: number | null = null;
  let modified: number | null = null;
  let signature: { readonly text: string; readonly time: number } | null = null;
  for (const seen of fetches) {
    const { time, modified: own } = seen;
    if (time === last) continue;
    if (last === null) {
      if (own !== null && own < time) checks.push([time - own, changedAtKnownAge]);
    } else {
      const bySignature = seen.status !== 304 && seen.changed === null && seen.signature !== null;
      const since: number = bySignature && signature !== null ? signature.time : last;
      const verdict = verdictOf(seen, since, modified, signature?.text ?? null);
      const dated = own !== null && own > since && own < time && seen.matters === 1;
      if (verdict === true && dated) checks.push([time - own, changedAtKnownAge]);
      else if (verdict === true && seen.matters > 0) checks.push([time - since, changed, seen.matters]);
      else if (verdict !== null) checks.push([time - since, unchanged]);
    }
    last = time;
    modified = own ?? modified;
    if (seen.signature !== null) signature = { text: seen.signature, time };
    else if (seen.status === 304 && signature !== null) signature = { text: signature.text, time };
  }
  return checks;
}

/** Whether the page had changed; null where the fetch does not say. */
function verdictOf(seen: Fetch, since: number, modified: number | null, signature: string | null): boolean | null {
  if (seen.status === 304) return false;
  if (seen.changed !== null) return seen.changed;
  if (seen.signature !== null && signature !== null) return seen.signature !== signature;
  if (seen.modified === null) return null;
  return seen.modified > since || (modified !== null && modified !== seen.modified);
}
