/**
 * Checks of a sample of pages with the hours of the week that they cover.
 *
 * Times are reckoned back from a page's last fetch. A change of known age is at the beginning of its gap, and what lies
 * before it is not known; on a page whose record is complete it is at the end of its gap, and everything before it is
 * known.
 */
import { type CheckHistory, changedAtKnownAge, pageCount } from '../changes/check-history.ts';
import { settingAt, type WallClock } from './rhythm-clock.ts';
import { placeInWeek } from './week.ts';

export interface RhythmLog {
  readonly history: CheckHistory;
  /** By page: when its last check ended, Unix seconds; NaN where that is not known. */
  readonly lastSeen: Float64Array;
  /** By page: 1 where the history is a record of all changes; left out: of none. */
  readonly complete?: Int32Array | undefined;
  readonly wall: WallClock;
}

/** Page i's checks are offsets[i] … offsets[i + 1] − 1, oldest first. */
export interface PlacedChecks {
  readonly offsets: Uint32Array;
  readonly outcome: Uint8Array;
  /** Hours into the week at which the gap began and ended, and how many Mondays lie between. */
  readonly begin: Float64Array;
  readonly end: Float64Array;
  readonly weeks: Int32Array;
  /** Hour of the week of a change of known age. */
  readonly changeHour: Uint8Array;
}

/** Which checks of each page: from..to−1. */
export interface CheckRange {
  readonly from: Uint32Array;
  readonly to: Uint32Array;
}

/** Pages evenly spaced among those given, with about so many checks at most between them. */
export function placeChecks(log: RhythmLog, pages: Uint32Array, most: number): PlacedChecks {
  const { offsets } = log.history;
  const checks = pages.reduce((sum, i) => sum + offsets[i + 1] - offsets[i], 0);
  const stride = Math.max(1, checks / most);
  const sample = new Uint32Array(Math.floor((pages.length - 1) / stride) + 1).map(
    (_, k) => pages[Math.floor(k * stride)],
  );
  const first = sample.map((i) => firstKnown(log, i));
  const placedOffsets = new Uint32Array(sample.length + 1);
  for (const [k, i] of sample.entries()) placedOffsets[k + 1] = placedOffsets[k] + offsets[i + 1] - first[k];
  const size = placedOffsets[sample.length];
  const placed: PlacedChecks = {
    offsets: placedOffsets,
    outcome: new Uint8Array(size),
    begin: new Float64Array(size),
    end: new Float64Array(size),
    weeks: new Int32Array(size),
    changeHour: new Uint8Array(size),
  };
  for (const [k, i] of sample.entries()) placePage(log, i, placed, placedOffsets[k], placedOffsets[k + 1]);
  return placed;
}

export function allPages(history: CheckHistory): Uint32Array {
  return new Uint32Array(pageCount(history)).map((_, i) => i);
}

/** The first check of a page whose time is known. */
function firstKnown({ history: { offsets, outcome }, lastSeen, complete }: RhythmLog, i: number): number {
  if (Number.isNaN(lastSeen[i])) return offsets[i + 1];
  if (complete?.[i] === 1) return offsets[i];
  for (let k = offsets[i + 1] - 1; k >= offsets[i]; k--) if (outcome[k] === changedAtKnownAge) return k;
  return offsets[i];
}

function placePage(log: RhythmLog, i: number, placed: PlacedChecks, from: number, to: number): void {
  const { history, lastSeen, complete, wall } = log;
  const hoursAt = (time: number): [number, number] => placeInWeek(time + wall.offset[settingAt(wall, time)]);
  let time = lastSeen[i];
  let [weeks, hours] = hoursAt(time);
  for (let k = to - 1, own = history.offsets[i + 1] - 1; k >= from; k--, own--) {
    placed.outcome[k] = history.outcome[own];
    placed.end[k] = hours;
    placed.weeks[k] = weeks;
    time -= history.elapsed[own];
    [weeks, hours] = hoursAt(time);
    placed.begin[k] = hours;
    placed.weeks[k] -= weeks;
    placed.changeHour[k] = Math.floor(complete?.[i] === 1 ? placed.end[k] : hours);
  }
}
