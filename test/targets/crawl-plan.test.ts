/** How few fetches keep a target for ever: against the forward question, and where limits leave it out of reach. */
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/certificates/verify.ts';
import { crawlPlan, type RequestOf } from '../../src/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';

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

function checked(request: Request) {
  const answer = crawlPlan(request);
  expect(verify('crawl-plan', request, answer)).toEqual([]);
  return answer;
}

describe('the least fetches that keep a target', () => {
  it.each([6, 24, 100])('are those whose intervals leave as much for ever: %i a day', (crawls) => {
    const forward = crawlPlan({ ...base, crawls });
    const staleness = (forward.longRun?.value ?? 0) / weight;
    const answer = checked({ ...base, target: { staleness } });
    expect(Math.abs(((answer.solution?.crawlRate ?? Number.NaN) * day) / crawls - 1)).toBeLessThan(1e-9);
    expect(answer.objective).toMatchObject({ value: crawls, bound: crawls });
  });

  it('are no more than any other intervals keep it with', () => {
    const few = pages.slice(0, 3);
    const all = few.reduce((sum, page) => sum + page.weight, 0);
    const answer = checked({ ...base, pages: few, target: { freshness: 0.7 } });
    const fresh = (k: number, perDay: number): number => {
      const y = (few[k].changeRate * day) / perDay;
      return perDay === 0 ? 0 : (few[k].weight * -Math.expm1(-y)) / y;
    };
    let least = Number.POSITIVE_INFINITY;
    for (let a = 0; a <= 10; a += 0.05) {
      for (let b = 0; b <= 20; b += 0.05) {
        for (let c = 0; c <= 3; c += 0.05) {
          if (a + b + c < least && fresh(0, a) + fresh(1, b) + fresh(2, c) >= 0.7 * all) least = a + b + c;
        }
      }
    }
    expect(answer.objective?.bound).toBeLessThanOrEqual(Math.ceil(least));
    const needed = (answer.solution?.crawlRate ?? Number.NaN) * day;
    expect(needed).toBeLessThanOrEqual(least);
    expect(least / needed).toBeLessThan(1.02);
  });

  it('have no interval where the rates are known, and leave no class below its own target', () => {
    const classes = pages.map((page, i) => ({ ...page, class: i < 2 ? 'news' : 'rest' }));
    const targets = [{ class: 'news', freshness: 0.95 }];
    const answer = checked({ ...base, pages: classes, target: { freshness: 0.6 }, targets });
    expect(answer.solution?.crawlsInterval).toBeUndefined();
    expect(answer.targets?.[0].freshness).toBeCloseTo(0.95, 9);
  });

  it.each([
    ['fiftyfold', 1, 0],
    ['by thousands', 2, 0],
    ['and three in ten never change', 1, 0.3],
  ])('lie with those of the true rates, where these differ %s and 100 pages have ten checks', (_, spread, still) => {
    let held = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const random = seededRandom(seed);
      const drawn = Array.from({ length: 100 }, () => {
        const rate = random() < still ? 1e-6 : Math.exp(spread * standardNormal(random));
        const checks = Array.from({ length: 10 }, (): [number, boolean] => {
          const gap = 0.3 + standardExponential(random);
          return [gap * day, random() < -Math.expm1(-rate * gap)];
        });
        return { guessed: { lastCrawl: now, checks }, known: { lastCrawl: now, changeRate: rate / day } };
      });
      const asked = { now, interval: day, target: { freshness: 0.65 } };
      const guessed = crawlPlan({ ...asked, pages: drawn.map((page) => page.guessed) });
      const needed = crawlPlan({ ...asked, pages: drawn.map((page) => page.known) }).objective?.value ?? Number.NaN;
      const [low, high] = guessed.solution?.crawlsInterval ?? [];
      if (Number(low) <= needed && needed <= Number(high)) held++;
      expect(Number(high) / Number(low)).toBeLessThan(2);
    }
    expect(held).toBeGreaterThanOrEqual(7);
  });

  it('have an interval where signals alone tell of the pages', () => {
    const hosts = [{ host: 'a.example', precision: 0.6, recall: 0.7 }];
    const signalled = [1, 3, 6].map((every) => ({
      host: 'a.example',
      lastCrawl: now - day,
      checks: { checks: 20, changes: 20 - 3 * every, gap: day },
      signals: Array.from({ length: 12 }, (_, k) => now - day * every * (11.5 - k)),
    }));
    const { crawls, crawlsInterval, hangsOn } = Object(
      checked({ now, interval: 30 * day, hosts, pages: signalled, target: { freshness: 0.8 } }).solution,
    );
    expect(crawlsInterval[0]).toBeLessThan(crawls);
    expect(crawlsInterval[1]).toBeGreaterThan(crawls);
    expect(hangsOn).toHaveLength(3);
  });

  it('are none for a target of nothing, and no page is said to miss one', () => {
    const answer = checked({ ...base, target: { freshness: 0 } });
    expect(answer.solution?.crawls).toBe(0);
    expect(answer.warnings).toEqual([]);
  });

  it('leave out pages of no target, which are not called unworthy of a fetch', () => {
    const answer = checked({ ...base, targets: [{ host: 'slow.example', freshness: 0.9 }] });
    expect(answer.summary).toContain('3 pages have no target, and need no fetch.');
    expect(answer.summary).not.toContain('not worth');
  });

  it('are out of reach where a host allows too few, and the repair that is named helps', () => {
    const hosts = [{ host: 'slow.example', minDelay: 20_000 }];
    const target = { freshness: 0.97 };
    const missed = crawlPlan({ ...base, hosts, target });
    expect(missed.status).toBe('infeasible');
    const { limits, repairs, reachable } = Object(missed.conflict);
    expect(limits[0]).toMatchObject({ limit: 'minDelay', host: 'slow.example' });
    expect(crawlPlan({ ...base, hosts, target: { freshness: reachable - 0.01 } }).status).not.toBe('infeasible');
    const { factor } = repairs[1].changes[0];
    const eased = [{ host: 'slow.example', minDelay: 20_000 * factor }];
    expect(crawlPlan({ ...base, hosts: eased, target }).status).not.toBe('infeasible');
  });

  it('are out of reach where windows close for too long, which no number of fetches makes up for', () => {
    // 20:00 to 08:00 closed: 12 h without a fetch, a day
    const windows = [{ from: '08:00', to: '20:00' }];
    const shut = day / 2;
    const left = pages.map(({ changeRate }) => (shut + Math.expm1(-changeRate * shut) / changeRate) / day);
    const best = 1 - pages.reduce((sum, page, i) => sum + page.weight * left[i], 0) / weight;
    const missed = crawlPlan({ ...base, windows, target: { freshness: best + 0.01 } });
    const { limits, repairs, reachable } = Object(missed.conflict);
    expect(reachable).toBeCloseTo(best, 6);
    expect(limits).toEqual([{ limit: 'windows', price: expect.any(Number) }]);
    expect(limits[0].price).toBeGreaterThan(0);
    expect(repairs[1].changes).toEqual([{ pointer: '/windows', remove: true }]);
    const closed = crawlPlan({ ...base, windows, target: { freshness: best - 0.05 } });
    const open = crawlPlan({ ...base, target: { freshness: best - 0.05 } });
    expect(closed.solution?.crawls).toBeGreaterThan(open.solution?.crawls ?? 0);
  });

  it('say what a least interval costs, and take no more where just what it leaves is asked for', () => {
    const [page] = pages;
    const own = { ...base, pages: [page], minInterval: 20_000 };
    const y = page.changeRate * 20_000;
    const staleness = 1 + Math.expm1(-y) / y;
    const { limits, repairs } = Object(crawlPlan({ ...own, target: { staleness: staleness / 2 } }).conflict);
    expect(limits).toEqual([
      { limit: 'minInterval', price: expect.closeTo((1 - (1 + y) * Math.exp(-y)) / page.changeRate / day, 9) },
    ]);
    const minInterval = 20_000 * repairs[1].changes[0].factor;
    expect(crawlPlan({ ...own, minInterval, target: { staleness: staleness / 2 } }).status).toBe('optimal');
    expect(crawlPlan({ ...own, target: { staleness } }).objective).toMatchObject({ value: 5, bound: 5 });
  });
});
