/** Hosts that lie within others: their limits hold together, and no split of the crawls is better. */
import { describe, expect, it } from 'vitest';
import { crawlAllocation, type RequestOf, verify } from '../../../src/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { defined } from '../../defined.ts';

type Asked = RequestOf<typeof crawlAllocation>;

const outer: Record<string, string[]> = {
  a: ['a', 'address', 'cdn'],
  b: ['b', 'address', 'cdn'],
  c: ['c', 'cdn'],
  address: ['address', 'cdn'],
  cdn: ['cdn'],
};
const names = ['a', 'b', 'c', 'address', 'cdn', 'elsewhere'];

function randomRequest(seed: number, pages: number, largest: number) {
  const random = seededRandom(seed);
  const limit = (): number => Math.floor(largest * random());
  return {
    interval: 1,
    pages: Array.from({ length: pages }, (_, i) => ({
      changeRate: 10 ** (2 * random() - 1),
      weight: 10 ** (2 * random()),
      host: names[i % names.length],
    })),
    hosts: [
      { host: 'cdn', maxCrawls: 2 + 2 * limit() },
      { host: 'a', maxCrawls: 1 + limit(), within: 'address' },
      { host: 'address', maxCrawls: 1 + limit(), within: 'cdn' },
      { host: 'b', maxCrawls: limit(), within: ['address'] },
      { host: 'c', maxCrawls: limit(), within: 'cdn' },
    ],
  } satisfies Partial<Asked>;
}

/** Every split of the crawls that keeps all limits, by its cost for a page never crawled before. */
function leastCost({ pages, hosts }: ReturnType<typeof randomRequest>, crawls: number): number {
  const stale = (rate: number, x: number): number => (x === 0 ? 1 : 1 + (Math.expm1(-rate / x) * x) / rate);
  const room = new Map(hosts.map(({ host, maxCrawls }) => [host, maxCrawls]));
  const from = (i: number, left: number): number => {
    if (i === pages.length) return left === 0 ? 0 : Number.POSITIVE_INFINITY;
    const { changeRate, weight, host } = pages[i];
    let least = Number.POSITIVE_INFINITY;
    const mine = outer[host] ?? [];
    let taken = 0;
    for (; taken <= left; taken++) {
      least = Math.min(least, weight * stale(changeRate, taken) + from(i + 1, left - taken));
      if (mine.some((h) => defined(room.get(h)) === 0)) break;
      for (const h of mine) room.set(h, defined(room.get(h)) - 1);
    }
    for (const h of mine) room.set(h, defined(room.get(h)) + Math.min(taken, left + 1));
    return least;
  };
  return from(0, crawls);
}

describe('hosts within others', () => {
  it('leave no more than the best of all splits, and refuse only where there is none', () => {
    let [kept, clashed] = [0, 0];
    for (let seed = 1; seed <= 80; seed++) {
      const request = { ...randomRequest(seed, 6, 4), crawls: 3 + (seed % 5) };
      // the page elsewhere takes what the others may not
      const asked = { ...request, pages: request.pages.map((page) => ({ ...page, maxCrawls: 9 })) };
      const answer = crawlAllocation(asked);
      expect(verify('crawl-allocation', asked, answer)).toEqual([]);
      const few = { ...asked, pages: asked.pages.slice(0, 5), hosts: asked.hosts };
      const least = leastCost(request, request.crawls);
      expect(answer.objective?.value ?? Number.NaN).toBeCloseTo(least, 9);
      expect(answer.status).toBe('optimal');
      const inside = crawlAllocation(few);
      expect(verify('crawl-allocation', few, inside)).toEqual([]);
      const best = leastCost({ ...request, pages: request.pages.slice(0, 5) }, request.crawls);
      if (inside.status === 'infeasible') {
        expect(best).toBe(Number.POSITIVE_INFINITY);
        clashed++;
      } else {
        expect(inside.objective?.value ?? Number.NaN).toBeCloseTo(best, 9);
        kept++;
      }
    }
    expect(kept).toBeGreaterThan(10);
    expect(clashed).toBeGreaterThan(10);
  });

  it('hold their certificate for many pages, whose broken answers it finds', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const request = { ...randomRequest(seed, 600, 200), crawls: 900, baselines: true };
      const answer = crawlAllocation(request);
      expect(answer.status).toBe('optimal');
      expect(verify('crawl-allocation', request, answer)).toEqual([]);
      const least = answer.objective?.value ?? Number.NaN;
      for (const cost of Object.values(defined(answer.baselines)))
        expect(cost).toBeGreaterThanOrEqual(least * (1 - 1e-12));
      const tighter = structuredClone(request);
      tighter.hosts[0].maxCrawls = 1;
      expect(verify('crawl-allocation', tighter, answer).join()).toContain('host cdn');
    }
  });

  it('need as few crawls for a target as are proved', () => {
    for (let seed = 1; seed <= 8; seed++) {
      const { pages, hosts, interval } = randomRequest(seed, 60, 40);
      const asked = { pages, hosts, interval, target: { staleness: 0.5 } };
      const answer = crawlAllocation(asked);
      expect(verify('crawl-allocation', asked, answer)).toEqual([]);
      if (answer.status === 'infeasible') continue;
      const { value, bound } = defined(answer.objective);
      expect(value - defined(bound)).toBeLessThanOrEqual(1);
    }
  });

  it('are refused where they overlap in part', () => {
    const request = { ...randomRequest(1, 6, 4), crawls: 5 };
    const hosts = [...request.hosts.slice(1), { host: 'cdn', maxCrawls: 3 }, { host: 'ip', maxCrawls: 3 }];
    const asked = {
      ...request,
      hosts: hosts.map((each) => (each.host === 'c' ? { ...each, within: ['cdn', 'ip'] } : each)),
    };
    expect(() => crawlAllocation(asked)).toThrow('overlap in part');
  });
});
