import { describe, expect, it } from 'vitest';
import { autoTtl, commaFeed, type FeedAtFetch, mediaCloud, miniflux } from '../../bench/replay/feeds/feed-rules.ts';
import {
  atRate,
  byPlans,
  byShares,
  type FeedRecord,
  fetchRate,
  rootOfRecent,
  waitsOf,
} from '../../bench/replay/feeds/follow-feeds.ts';
import { meanWait, waitError } from '../../bench/replay/feeds/wait-error.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../src/solvers/numerics/random/random-variates.ts';

const hour = 3600;
const day = 24 * hour;
const now = 1_770_000_000;

/** A fetch at `now` of a feed with entries so many days ago. */
function fetched(daysAgo: readonly number[], found = 0): FeedAtFetch {
  const entries = Float64Array.from(daysAgo, (days) => now - days * day).sort();
  const known = entries.length;
  const lastFound = found > 0 ? now : known > 0 ? entries[known - 1] : Number.NaN;
  return { entries, known, found, now, again: true, interval: 12 * hour, lastFound };
}

describe('the rules of feed readers', () => {
  it('Miniflux: a week over the entries a week, between five minutes and a day', () => {
    expect(miniflux(fetched([]))).toBe(day);
    expect(miniflux(fetched([3]))).toBe(day);
    // gaps of 12 hours: 14 a week
    expect(miniflux(fetched([0.5, 1, 1.5, 2, 2.5]))).toBe(day / 2);
    // an entry of two weeks ago does not count
    expect(miniflux(fetched([1, 14]))).toBe(day);
    // found by this fetch: not yet stored when the interval is set
    expect(miniflux(fetched([0.5, 1, 1.5], 2))).toBe(day);
  });

  it('CommaFeed: half the mean gap of the entries shown, longer for silent feeds', () => {
    expect(commaFeed(fetched([]))).toBe(4 * hour);
    expect(commaFeed(fetched([40, 41]))).toBe(4 * hour);
    expect(commaFeed(fetched([20, 21]))).toBe(2 * hour);
    expect(commaFeed(fetched([8, 9]))).toBe(hour);
    expect(commaFeed(fetched([1 / 24, 2 / 24, 3 / 24]))).toBe(hour / 2);
    expect(commaFeed(fetched([1 / 1440, 2 / 1440]))).toBe(hour / 12);
    expect(commaFeed(fetched([1, 5]))).toBe(hour);
  });

  it('AutoTTL: the spread of the last thirty days over the number of entries, between an hour and a day', () => {
    expect(autoTtl(fetched([]))).toBe(day);
    expect(autoTtl(fetched([2, 40]))).toBe(day);
    expect(autoTtl(fetched([0.25, 0.5, 0.75, 1]))).toBeCloseTo((0.75 * day) / 4, -1);
    expect(autoTtl(fetched([0.01, 0.02, 0.03]))).toBe(hour);
    expect(autoTtl(fetched([1, 29]))).toBe(day);
  });

  it('Media Cloud: ten minutes longer where most is known already, an hour shorter where little is', () => {
    expect(mediaCloud({ ...fetched([1, 2]), again: false, interval: Number.NaN })).toBe(12 * hour);
    expect(mediaCloud(fetched([1, 2], 0))).toBe(12 * hour + 600);
    expect(mediaCloud(fetched([40], 0))).toBe(13 * hour);
    expect(mediaCloud(fetched([0.1, 0.2, 5], 2))).toBe(12 * hour);
    expect(mediaCloud(fetched([0.1, 0.2, 0.3], 3))).toBe(11 * hour);
    expect(mediaCloud({ ...fetched([0.1], 1), interval: 20 * hour })).toBe(12 * hour);
    expect(mediaCloud({ ...fetched([40], 0), interval: 23.9 * hour })).toBe(day);
  });
});

describe('a replay of feeds', () => {
  const random = seededRandom(6);
  const start = now;
  const end = now + 10 * day;
  const entries = Array.from({ length: 40 }, (_, i) => {
    const rate = 0.05 * 1.15 ** i;
    const times: number[] = [];
    for (let t = now - 60 * day; t < end; t += (day * standardExponential(random)) / rate) times.push(t);
    return Float64Array.from(times.slice(1));
  });
  const record: FeedRecord = { entries, from: new Float64Array(40).fill(now - 60 * day), start, end };

  it('makes as many fetches as asked for, by rules, shares and plans alike', () => {
    for (const fetches of [
      atRate(record, commaFeed, 1.5),
      byShares(record, 1.5, rootOfRecent),
      byPlans(record, 1.5, 'delay'),
    ]) {
      expect(Math.abs(fetchRate(record, fetches) - 1.5)).toBeLessThan(0.06);
      for (const times of fetches) {
        for (const [k, time] of times.entries()) expect(time >= start && (k === 0 || time > times[k - 1])).toBe(true);
      }
    }
  });

  it('counts the wait of every entry of the window up to the first fetch after it', () => {
    const fetches = byShares(record, 1, () => 1);
    const waits = waitsOf(record, fetches);
    for (const [i, own] of entries.entries()) {
      const inside = [...own].filter((time) => time > start && time < end);
      const expected = inside.map((time) => (fetches[i].find((at) => at >= time) ?? end) - time);
      expect([...waits[i]]).toEqual(expected);
    }
  });

  it('waits less by plans under delay than by turns', () => {
    const plan = waitsOf(record, byPlans(record, 1, 'delay'));
    const turns = waitsOf(
      record,
      byShares(record, 1, () => 1),
    );
    expect(meanWait(plan)).toBeLessThan(0.9 * meanWait(turns));
  });

  it('finds the standard error of a ratio as sampled feeds have it', () => {
    const draws: number[] = [];
    const sample = (seed: number): number[][] => {
      const draw = seededRandom(seed);
      return Array.from({ length: 50 }, () => {
        const scale = draw();
        return Array.from({ length: 1 + Math.floor(5 * draw()) }, () => scale * standardExponential(draw));
      });
    };
    for (let seed = 1; seed <= 400; seed++) draws.push(meanWait(sample(seed)));
    const mean = draws.reduce((sum, each) => sum + each, 0) / draws.length;
    const spread = Math.sqrt(draws.reduce((sum, each) => sum + (each - mean) ** 2, 0) / draws.length);
    const errors = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => waitError(sample(seed), null, seededRandom(1)));
    expect(errors.reduce((sum, each) => sum + each, 0) / 8 / spread).toBeGreaterThan(0.8);
    expect(errors.reduce((sum, each) => sum + each, 0) / 8 / spread).toBeLessThan(1.2);
  });
});
