/** Hosts of a histogram that lie within others: their limits hold together, and their prices add. */
import { describe, expect, it } from 'vitest';
import { crawlPrice, type RequestOf, verify } from '../../../src/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { defined } from '../../defined.ts';
import { byHarmonic, naiveBound } from '../pages/naive-prices.ts';

const names = ['a', 'b', 'c', 'address', 'cdn', 'elsewhere'];
const outer = [[0, 3, 4], [1, 3, 4], [2, 4], [3, 4], [4], []];

function randomRequest(seed: number, objective: 'harmonic' | 'freshness') {
  const random = seededRandom(seed);
  const buckets = Array.from({ length: 24 }, (_, i) => {
    const [changeRate, weight] = [10 ** (2 * random() - 1), 10 ** (2 * random())];
    const ratio = weight / changeRate;
    const range = { ratioMin: ratio, ratioMax: ratio };
    return {
      pages: 1,
      changeRate,
      weight,
      changeRateLogRatio: changeRate * Math.log(ratio),
      ...range,
      host: names[i % 6],
    };
  });
  const limit = (): number => 10 ** (2 * random() - 0.5);
  return {
    objective,
    buckets,
    rate: 10 ** (1.5 * random()),
    hosts: [
      { host: 'cdn', maxRate: limit() },
      { host: 'a', maxRate: limit(), within: 'address' },
      { host: 'address', maxRate: limit(), within: ['cdn'] },
      { host: 'b', maxRate: limit(), within: 'address' },
      { host: 'c', maxRate: limit(), within: 'cdn' },
    ],
  } satisfies RequestOf<typeof crawlPrice>;
}

describe('hosts within others', () => {
  it('have the prices of a plan that no crawls within all limits beat', () => {
    let limited = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const request = randomRequest(seed, 'harmonic');
      const answer = crawlPrice(request);
      expect(verify('crawl-price', request, answer)).toEqual([]);
      const most = names.slice(0, 5).map((name) => defined(request.hosts.find(({ host }) => host === name)).maxRate);
      const pages = request.buckets.map(({ changeRate, weight }, i) =>
        byHarmonic(weight, changeRate, [...outer[i % 6], 5]),
      );
      const { value, bound } = defined(answer.objective);
      expect(value / naiveBound(pages, [...most, request.rate])).toBeCloseTo(1, 8);
      expect(value / defined(bound)).toBeCloseTo(1, 8);
      limited += defined(answer.solution?.hosts).filter((host) => host.limited).length;
    }
    expect(limited).toBeGreaterThan(60);
  });

  it('are held to their limits and prices by a certificate, under freshness too', () => {
    let broken = 0;
    for (let seed = 1; seed <= 30; seed++) {
      const request = randomRequest(seed, 'freshness');
      const answer = crawlPrice(request);
      expect(verify('crawl-price', request, answer)).toEqual([]);
      const tighter = structuredClone(request);
      tighter.hosts[0].maxRate /= 2;
      const rates = defined(answer.solution?.hosts).reduce((sum, { rate }) => sum + rate, 0);
      if (rates <= tighter.hosts[0].maxRate) continue;
      expect(verify('crawl-price', tighter, answer).length).toBeGreaterThan(0);
      broken++;
    }
    expect(broken).toBeGreaterThan(5);
  });

  it('keep a target at the least rate, or name the one that forbids it', () => {
    let named = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const { rate: _, ...rest } = randomRequest(seed, 'harmonic');
      const asked = { ...rest, target: { harmonic: 0.4 } };
      const answer = crawlPrice(asked);
      expect(verify('crawl-price', asked, answer)).toEqual([]);
      if (answer.status === 'infeasible') named += Number(/cdn|address|"[abc]"/.test(JSON.stringify(answer.conflict)));
      else expect(defined(answer.objective?.gap)).toBeLessThan(1e-7);
    }
    expect(named).toBeGreaterThan(0);
  });

  it('are refused where they overlap in part', () => {
    const request = randomRequest(1, 'freshness');
    const hosts = [...request.hosts.slice(0, 4), { host: 'c', maxRate: 1, within: ['address', 'other'] }];
    const asked = { ...request, hosts: [...hosts, { host: 'other', maxRate: 1 }] };
    expect(() => crawlPrice(asked)).toThrow('overlap in part');
  });
});
