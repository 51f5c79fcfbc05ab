/** How few fetches keep a target for ever: against the forward question, and where limits leave it out of reach. */
import { describe, expect, it } from 'vitest';
import { crawlPlan, type RequestOf } from '../../src/index.ts';
import { faultsOf } from '../certificates/faults-of.ts';

type Request = RequestOf<typeof crawlPlan>;

const day = 86_400;
const now = 1_760_000_000;
const pages = [1, 3, 0.2, 12, 6].map((perDay, i) => ({
  id: `p${i}`,
  host: i < 2 ? 'slow.example' : 'other.example',
  changeRate: perDay / day,
  weight: 1 + (i % 3),
  lastCrawl: now - 3600 * (i + 1),
}));
const weight = pages.reduce((sum, page) => sum + page.weight, 0);
const base = { now, interval: day, pages, evenShare: 0 } as const;

function certifiedAnswer(request: Request) {
  const answer = crawlPlan(request);
  expect(faultsOf('crawl-plan', request, answer)).toEqual([]);
  return answer;
}

describe('the least fetches that keep a target', () => {
  it.each([6, 24, 100])('are those whose intervals leave as much for ever: %i a day', (crawls) => {
    const forward = crawlPlan({ ...base, crawls });
    const staleness = (forward.longRun?.value ?? 0) / weight;
    const answer = certifiedAnswer({ ...base, target: { staleness } });
    expect(Math.abs(((answer.solution?.crawlRate ?? Number.NaN) * day) / crawls - 1)).toBeLessThan(1e-9);
    expect(answer.objective).toMatchObject({ value: crawls, bound: crawls });
  });

  it('are no more than any other intervals keep it with', () => {
    const few = pages.slice(0, 3);
    const totalWeight = few.reduce((sum, page) => sum + page.weight, 0);
    const answer = certifiedAnswer({ ...base, pages: few, target: { freshness: 0.7 } });
    const fresh = (k: number, perDay: number): number => {
      const y = (few[k].changeRate * day) / perDay;
      return perDay === 0 ? 0 : (few[k].weight * -Math.expm1(-y)) / y;
    };
    let fewest = Number.POSITIVE_INFINITY;
    for (let a = 0; a <= 10; a += 0.05) {
      for (let b = 0; b <= 20; b += 0.05) {
        for (let c = 0; c <= 3; c += 0.05) {
          if (a + b + c < fewest && fresh(0, a) + fresh(1, b) + fresh(2, c) >= 0.7 * totalWeight) fewest = a + b + c;
        }
      }
    }
    expect(answer.objective?.bound).toBeLessThanOrEqual(Math.ceil(fewest));
    const crawlRate = (answer.solution?.crawlRate ?? Number.NaN) * day;
    expect(crawlRate).toBeLessThanOrEqual(fewest);
    expect(fewest / crawlRate).toBeLessThan(1.02);
  });

  it('are out of reach where a host allows too few', () => {
    const hosts = [{ host: 'slow.example', minDelay: 20_000 }];
    const target = { freshness: 0.97 };
    const missed = crawlPlan({ ...base, hosts, target });
    expect(missed.status).toBe('infeasible');
    const { limits, reachable } = Object(missed.conflict);
    expect(limits[0]).toMatchObject({ limit: 'minDelay', host: 'slow.example' });
    expect(crawlPlan({ ...base, hosts, target: { freshness: reachable - 0.01 } }).status).not.toBe('infeasible');
  });

  it('are out of reach where windows close for too long, which no number of fetches makes up for', () => {
    // 20:00 to 08:00 closed: 12 h without a fetch, a day
    const windows = [{ from: '08:00', to: '20:00' }];
    const shut = day / 2;
    const left = pages.map(({ changeRate }) => (shut + Math.expm1(-changeRate * shut) / changeRate) / day);
    const best = 1 - pages.reduce((sum, page, i) => sum + page.weight * left[i], 0) / weight;
    const missed = crawlPlan({ ...base, windows, target: { freshness: best + 0.01 } });
    const { limits, reachable } = Object(missed.conflict);
    expect(reachable).toBeCloseTo(best, 6);
    expect(limits).toEqual([{ limit: 'windows', price: expect.any(Number) }]);
    expect(limits[0].price).toBeGreaterThan(0);
    const closed = crawlPlan({ ...base, windows, target: { freshness: best - 0.05 } });
    const open = crawlPlan({ ...base, target: { freshness: best - 0.05 } });
    expect(closed.solution?.crawls).toBeGreaterThan(open.solution?.crawls ?? 0);
  });

  it('name what binds under a least interval, and keep a target that it only just allows', () => {
    const [page] = pages;
    const own = { ...base, pages: [page], minInterval: 20_000 };
    const y = page.changeRate * 20_000;
    const staleness = 1 + Math.expm1(-y) / y;
    const { limits } = Object(crawlPlan({ ...own, target: { staleness: staleness / 2 } }).conflict);
    expect(limits).toEqual([
      { limit: 'minInterval', price: expect.closeTo((1 - (1 + y) * Math.exp(-y)) / page.changeRate / day, 9) },
    ]);
    expect(crawlPlan({ ...own, target: { staleness } }).objective).toMatchObject({ value: 5, bound: 5 });
  });
});
