/** How few whole crawls keep a target in an interval, against the forward question and brute force. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crawlAllocation, type RequestOf } from '../../src/index.ts';
import { faultsOf } from '../certificates/faults-of.ts';

type Request = RequestOf<typeof crawlAllocation>;

const pageOf = fc.record({
  changeRate: fc.double({ min: 0.05, max: 20, noNaN: true }),
  weight: fc.double({ min: 0.1, max: 10, noNaN: true }),
  lastCrawlAge: fc.double({ min: 0, max: 2, noNaN: true }),
});
const pagesOf = fc.array(pageOf, { minLength: 1, maxLength: 8 });

const weightOf = (pages: readonly { weight: number }[]) => pages.reduce((sum, { weight }) => sum + weight, 0);

function certifiedAnswer(request: Request) {
  const answer = crawlAllocation(request);
  expect(faultsOf('crawl-allocation', request, answer)).toEqual([]);
  return answer;
}

describe('the least crawls that keep a target', () => {
  it.each(['freshness', 'delay', 'harmonic'] as const)('are those of the forward question under %s', (objective) => {
    fc.assert(
      fc.property(pagesOf, fc.integer({ min: 1, max: 60 }), (pages, crawls) => {
        const forward = crawlAllocation({ interval: 1, crawls, pages, objective });
        const items = pages.reduce((sum, { weight, changeRate }) => sum + weight * changeRate, 0);
        const mean = (forward.objective?.value ?? 0) / (objective === 'delay' ? items : weightOf(pages));
        const measure = { freshness: 'staleness', delay: 'meanDelay', harmonic: 'harmonic' }[objective];
        const answer = certifiedAnswer({ interval: 1, pages, objective, target: { [measure]: mean } });
        expect(answer.solution?.crawls).toBe(crawls);
        expect(answer.status).toBe('optimal');
      }),
      { numRuns: 60 },
    );
  });

  it('are the fewest of all counts, by trying them', () => {
    fc.assert(
      fc.property(
        fc.array(pageOf, { minLength: 3, maxLength: 3 }),
        fc.double({ min: 0.3, max: 0.85, noNaN: true }),
        (pages, share) => {
          const request: Request = { interval: 1, pages, target: { freshness: share } };
          const answer = certifiedAnswer(request);
          const maxCrawls = 24;
          const stale = pages.map((_, i) =>
            Array.from({ length: maxCrawls }, (_, x) => {
              const only = crawlAllocation({ interval: 1, crawls: x, pages: [pages[i]] });
              return only.objective?.value ?? 0;
            }),
          );
          let fewest = Number.POSITIVE_INFINITY;
          for (let a = 0; a < maxCrawls; a++) {
            for (let b = 0; b < maxCrawls; b++) {
              for (let c = 0; c < maxCrawls; c++) {
                const left = stale[0][a] + stale[1][b] + stale[2][c];
                if (left > (1 - share) * weightOf(pages)) continue;
                fewest = Math.min(fewest, a + b + c);
              }
            }
          }
          if (fewest < maxCrawls) expect(answer.solution?.crawls).toBe(fewest);
          expect(answer.objective?.bound ?? 0).toBeLessThanOrEqual(fewest);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('keep the limits of hosts, and report the best value within them where the target is out of reach', () => {
    const pages = [1, 2, 3, 4].map((changeRate) => ({ changeRate, weight: 1, host: 'slow', lastCrawlAge: 0 }));
    const hosts = [{ host: 'slow', maxCrawls: 8 }];
    const free = certifiedAnswer({ interval: 1, pages, target: { freshness: 0.6 }, hosts });
    expect(free.solution?.crawls).toBeLessThanOrEqual(8);
    const missed = certifiedAnswer({ interval: 1, pages, target: { freshness: 0.9 }, hosts });
    expect(missed.status).toBe('infeasible');
    const { limits, reachable } = Object(missed.conflict);
    expect(limits[0]).toMatchObject({ limit: 'maxCrawls', host: 'slow' });
    const forward = crawlAllocation({ interval: 1, crawls: 8, pages, hosts });
    expect(reachable).toBeCloseTo(1 - (forward.objective?.value ?? 0) / 4, 9);
  });

  it('keep the most crawls of pages, and say that these bind', () => {
    const pages = [1, 2, 3, 4].map((changeRate) => ({ changeRate, weight: 1, maxCrawls: 2 }));
    const missed = certifiedAnswer({ interval: 1, pages, target: { freshness: 0.9 } });
    const { limits } = Object(missed.conflict);
    expect(limits).toEqual([{ limit: 'maxCrawls', price: expect.any(Number) }]);
  });
});

describe('the curve', () => {
  it('has whole counts, the least first, each from a price of its own', () => {
    for (let n = 20; n < 40; n++) {
      const pages = Array.from({ length: n }, (_, i) => ({
        changeRate: Math.exp(2 * Math.sin(3 * i)),
        weight: 1 + i / n,
      }));
      const { curve = [] } = certifiedAnswer({ interval: 1, pages, target: { freshness: 0.6 }, curve: true });
      expect(curve.length, `${n} pages`).toBeGreaterThan(10);
      for (const [k, { crawls, freshness = 0, price }] of curve.entries()) {
        const forward = crawlAllocation({ interval: 1, pages, crawls });
        expect(1 - freshness).toBeCloseTo((forward.objective?.value ?? 0) / weightOf(pages), 12);
        if (k === 0) continue;
        expect(crawls).toBeGreaterThan(curve[k - 1].crawls);
        expect(price).toBeLessThan(curve[k - 1].price ?? 0);
      }
    }
  });
});

describe('gains that differ by rounding alone', () => {
  it('are taken at their common price only until the target is kept', () => {
    const rates = [0.016, 0.335, 9.289, 258.8, 0.0167, 13.26];
    const pages = rates.map((rate) => ({ changeRate: rate, weight: rate, lastCrawlAge: 0 }));
    const answer = certifiedAnswer({ interval: 1, pages, target: { freshness: 0.01714 } });
    expect(answer.objective?.bound).toBe(answer.objective?.value);
  });
});
