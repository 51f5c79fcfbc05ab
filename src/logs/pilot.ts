/**
 * A pilot: a plan tried on half of the pages, and probes that tell which half is fresher. Nothing is kept but a small
 * file and the crawl log: arms and probes follow from the seed.
 */
import { day } from '../solvers/day.ts';
import { coin, probeOf } from '../solvers/freshness/index.ts';
import { foundCurrent } from './found-current.ts';
import type { CrawlLog, LoggedPage } from './read-log.ts';

/** What `crawl-optimizer pilot start` writes; seconds, epoch seconds. */
export interface Pilot {
  readonly seed: string;
  readonly start: number;
  readonly period: number;
  /** Seconds between two probes, in the mean. */
  readonly probeEvery: number;
  readonly unit: 'page' | 'host';
  /** A probe made later than this after its moment is a fetch like any other. */
  readonly grace: number;
}

/** For crawlers that fetch at the second; those that fetch in rounds need the time between two of them. */
export const usualGrace = 900;

/**
 * The pages that were known when the day before began, by their ids. A day's probes are named on the day before; which
 * page a probe is of must not change when the log grows.
 */
function knownOn(pages: readonly LoggedPage[], time: number): LoggedPage[] {
  const begin = (Math.floor(time / day) - 1) * day;
  return pages.filter(({ observations }) => observations[0].time < begin);
}

const byId = (pages: readonly LoggedPage[]): LoggedPage[] =>
  [...pages].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));

/** What is dealt to an arm: the page, or its host. */
const unitOf = ({ unit }: Pilot, { id, host }: LoggedPage): string => (unit === 'host' ? (host ?? id) : id);

export const armOf = (pilot: Pilot, page: LoggedPage, time: number): 'plan' | 'incumbent' =>
  coin(pilot.seed, unitOf(pilot, page), Math.floor(time / pilot.period));

/** [from, to) cut where periods begin: within a part every page keeps its arm. */
export function partsByPeriod({ period }: Pilot, from: number, to: number): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (let begin = from; begin < to; ) {
    const end = Math.min(to, (Math.floor(begin / period) + 1) * period);
    parts.push({ from: begin, to: end });
    begin = end;
  }
  return parts;
}

/** The probes due in [from, to), in order of time. */
export function probesDue(pilot: Pilot, log: CrawlLog, from: number, to: number): { time: number; page: LoggedPage }[] {
  const { seed, probeEvery } = pilot;
  const sorted = byId(log.pages);
  const due: { time: number; page: LoggedPage }[] = [];
  let [today, known]: [number, LoggedPage[]] = [Number.NaN, []];
  for (let cell = Math.floor(from / probeEvery); cell * probeEvery < to; cell++) {
    const { time, place } = probeOf(seed, cell, probeEvery);
    if (time < from || time >= to) continue;
    const begins = Math.floor(time / day);
    if (begins !== today) [today, known] = [begins, knownOn(sorted, time)];
    if (known.length > 0) due.push({ time, page: known[Math.floor(place * known.length)] });
  }
  return due;
}

/** A probe that the log shows was made, as estimates/freshness takes it. */
export interface MadeProbe {
  readonly time: number;
  readonly page: string;
  readonly host?: string;
  readonly current: boolean;
}

/** The probes that were made since the pilot began, and how many were due. */
export function probesMade(pilot: Pilot, log: CrawlLog): { readonly made: readonly MadeProbe[]; readonly due: number } {
  const due = probesDue(pilot, log, pilot.start, log.to);
  const found = new Map<LoggedPage, ReadonlyMap<number, boolean>>();
  const made = due.flatMap(({ time, page }): MadeProbe[] => {
    const said = found.get(page) ?? foundCurrent(page.observations);
    found.set(page, said);
    const at = firstFrom(page, time);
    const current = at < time + pilot.grace ? said.get(at) : undefined;
    const host = page.host === undefined ? {} : { host: page.host };
    return current === undefined ? [] : [{ time: at, page: page.id, ...host, current }];
  });
  return { made, due: due.length };
}

/** When a page was first fetched at a time or after it; infinite where it was not. Its fetches are in order. */
function firstFrom({ observations }: LoggedPage, time: number): number {
  let [low, high] = [0, observations.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (observations[middle].time < time) low = middle + 1;
    else high = middle;
  }
  return observations[low]?.time ?? Number.POSITIVE_INFINITY;
}
