/**
 * At which hours of the week the fetches of pages that keep hours are worth most, and slots put there.
 *
 * At one price of a fetch, whatever the hour, a page is fetched when its fetch is as urgent as a steady page's is at
 * its steady interval (estimation/rhythm/rhythm-clock.ts). A sample of pages is followed for a few such fetches; where
 * they fall, weighted by how often pages are fetched, is the demand for slots. No hour gets more than `peak` times the
 * mean: what is too much waits for the next hour. A tenth of the slots stays even, for what the sample does not show.
 * Complexity: sample × hours between fetches, of long intervals those of some weeks before the fetch: at most some
 * hundred thousand urgencies. Limits: where all pages keep the same hours and are fetched less than daily, their fetches
 * crowd the hours after the rush, as far as the peak allows.
 */
import { RhythmClock, utc } from '../../estimation/rhythm/index.ts';
import type { RefreshModel } from '../beliefs/refresh-model.ts';
import type { CrawlSlots } from '../model/crawl-slots.ts';

const hour = 3600;
const day = 24 * hour;
const hoursInWeek = 168;
const week = hoursInWeek * hour;
const largestSample = 200;
const fetchesFollowed = 4;
/** No page is due before this share of its steady interval. */
const soonest = 0.3;
/** Pages with longer intervals are watched hour by hour only from so long before they may be due. */
const mostWatched = 8 * week;
const watchedBefore = 3 * week;
/** Between two looks at a page. */
const shortestStep = hour / 8;
const evenShare = 0.1;
/** Slots of longer intervals stay even. */
export const longestInterval = 400 * day;

type ChanceOfChange = Pick<RefreshModel, 'changedBy'>;

export interface FollowedPages {
  readonly clocks: readonly (RhythmClock | null)[];
  /** By the clocks' ages. */
  readonly model: ChanceOfChange;
  /** The steady interval between two fetches; Infinity for none. */
  readonly fetchInterval: Float64Array;
}

/** The interval from now on that slots lie in, seconds. */
export interface PlannedTime {
  readonly now: number;
  readonly interval: number;
}

/** Slots as many as before, at the hours at which they are worth most: `share` by hour of the week, over the mean. */
export function slotsInRush(
  slots: CrawlSlots,
  { now, interval }: PlannedTime,
  clock: RhythmClock,
  share: Float64Array,
): CrawlSlots {
  // ∫ of the share over real hours from now: a slot moves to where its own part of the whole is reached
  const upTo = [0];
  for (let h = 0; h * hour < interval; h++) {
    const length = Math.min(1, interval / hour - h);
    upTo.push(upTo[h] + length * share[clock.hourAt(now + (h + 0.5 * length) * hour)]);
  }
  const whole = upTo[upTo.length - 1];
  let h = 0;
  const time = slots.time.map((at) => {
    const target = (at / interval) * whole;
    while (h + 2 < upTo.length && upTo[h + 1] <= target) h++;
    const length = Math.min(hour, interval - h * hour);
    return h * hour + (length * (target - upTo[h])) / (upTo[h + 1] - upTo[h]);
  });
  return { ...slots, time };
}

/** By hour of the week: how many fetches of a sample of pages fall there, by how often they are fetched. */
export function hourlyDemand({ clocks, model, fetchInterval }: FollowedPages): Float64Array {
  const onUtc = new Map<RhythmClock | null, RhythmClock>();
  const demand = new Float64Array(hoursInWeek);
  const stride = Math.max(1, fetchInterval.length / largestSample);
  for (let s = 0; Math.floor(s * stride) < fetchInterval.length; s++) {
    const i = Math.floor(s * stride);
    const interval = fetchInterval[i];
    if (!(interval > 0 && interval < Number.POSITIVE_INFINITY)) continue;
    const known = onUtc.get(clocks[i]);
    const clock = known ?? new RhythmClock(clocks[i]?.course ?? new Float64Array(hoursInWeek).fill(1), utc);
    onUtc.set(clocks[i], clock);
    follow(model, i, interval, clock, demand);
  }
  return demand;
}

/** Adds a page's fetches to the demand of their hours, by how many there are in a second. */
function follow(model: ChanceOfChange, i: number, interval: number, clock: RhythmClock, demand: Float64Array): void {
  const due = model.changedBy(i, interval);
  const mostUrgent = clock.urgencyByHour.reduce((high, each) => Math.max(high, each));
  const watched = watchedFrom((age) => mostUrgent * model.changedBy(i, age) < due, interval);
  const first = Math.max(soonest * interval, Math.min(interval, hour), watched);
  const step = Math.max(shortestStep, Math.min(hour, interval));
  // pages of one clock and interval are not all to begin at one hour
  let last = hour * ((i * 61) % hoursInWeek);
  for (let fetch = 0; fetch < fetchesFollowed; fetch++) {
    const begun = clock.at(last);
    // in a week some hour has no quiet stretch ahead: there an urgency is the chance of a change at least
    const most = last + interval + 2 * week;
    let time = last + first;
    for (; time < most; time += step) {
      const age = clock.at(time) - begun;
      const stale = model.changedBy(i, age);
      const growth = (model.changedBy(i, age + day) - stale) / day;
      if (clock.urgency(clock.hourAt(time), stale, growth) >= due) break;
    }
    demand[clock.hourAt(time)] += 1 / interval;
    last = time;
  }
}

/**
 * The age from which a page of a long interval is worth watching hour by hour: some weeks before it may be due.
 * @param isEarly whether at an age no hour of the week would do
 */
function watchedFrom(isEarly: (age: number) => boolean, interval: number): number {
  if (interval <= mostWatched) return 0;
  let low = 0;
  let high = interval;
  while (high - low > day) {
    const middle = 0.5 * (low + high);
    if (isEarly(middle)) low = middle;
    else high = middle;
  }
  return low - watchedBefore;
}

/**
 * By hour of the week: slots over the mean, as the demand is, no hour above the peak. What is too much is served in the
 * hours after it.
 */
export function slotShares(demand: Float64Array, peak: number): Float64Array {
  const total = demand.reduce((sum, each) => sum + each, 0);
  if (total === 0) return demand.map(() => 1);
  const most = (peak * total) / hoursInWeek;
  const served = new Float64Array(hoursInWeek);
  let waiting = 0;
  // the second week begins with what the first left waiting
  for (let h = 0; h < 2 * hoursInWeek; h++) {
    waiting += demand[h % hoursInWeek];
    served[h % hoursInWeek] = Math.min(most, waiting);
    waiting -= served[h % hoursInWeek];
  }
  const mean = served.reduce((sum, each) => sum + each, 0) / hoursInWeek;
  return served.map((each) => evenShare + ((1 - evenShare) * each) / mean);
}
