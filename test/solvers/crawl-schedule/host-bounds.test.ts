/** What hosts' crawls can pay, and the bound that knows it, against all ways to crawl them. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { UpdateProcesses } from '../../../src/solvers/crawl-allocation/index.ts';
import { hostSupplies } from '../../../src/solvers/crawl-schedule/bound/host-chains.ts';
import { evenMarket } from '../../../src/solvers/crawl-schedule/bound/market.ts';
import { type CrawlScheduleProblem, solveCrawlSchedule } from '../../../src/solvers/crawl-schedule/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';

interface Given {
  readonly rate: readonly number[];
  readonly host: readonly number[];
  readonly delay: readonly number[];
  readonly slots: readonly number[];
}

/** Poisson pages of equal weights, just crawled; as many crawls as there can be. */
function problemOf({ rate, host, delay, slots }: Given): CrawlScheduleProblem {
  const updates = new UpdateProcesses(rate.length);
  for (const [i, lambda] of rate.entries()) updates.setPoisson(i, lambda, []);
  const of = Int32Array.from(host);
  return {
    allocation: {
      interval: 1,
      crawls: slots.reduce((sum, count) => sum + count, 0),
      updates,
      weight: new Float64Array(rate.length).fill(1),
      minCrawls: new Int32Array(rate.length),
      maxCrawls: new Int32Array(rate.length).fill(-1),
      lastCrawlAge: new Float64Array(rate.length),
      hosts: { of, maxCrawls: new Float64Array(delay.length).fill(Number.POSITIVE_INFINITY), names: delay.map(String) },
      quasiDeterministic: 'exact',
      idealTimes: true,
      objective: 'freshness',
      baselines: true,
    },
    upTo: true,
    slotCounts: Int32Array.from(slots),
    hostDelays: { of, delay: Float64Array.from(delay), from: Float64Array.from(delay) },
  };
}

function solved(given: Given) {
  const answer = solveCrawlSchedule(problemOf(given), unlimitedBudget(1));
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer.objective;
}

const slotTimes = (slots: readonly number[]): number[] =>
  slots.flatMap((count) => Array.from({ length: count }, (_, l) => l / count)).sort((a, b) => a - b);

describe('hosts that ask for a delay', () => {
  it('can pay what the best of all their sets of slots pays', () => {
    const random = seededRandom(21);
    for (let round = 0; round < 40; round++) {
      const slots = round % 2 === 0 ? [9] : [5, 4];
      const time = Float64Array.from(slotTimes(slots));
      const [delay, from] = [0.4 * random(), 0.3 * random()];
      const grid = evenMarket(time, { interval: 1, crawls: 9, weight: new Float64Array(3) }, round % 3 === 0 ? 9 : 4);
      const price = grid.moments.map(() => random());
      const priceAt = (t: number): number => {
        const at = Math.min(grid.moments.length - 1, t / grid.spacing);
        const cell = Math.floor(at);
        const next = Math.min(cell + 1, price.length - 1);
        return price[cell] + (at - cell) * (price[next] - price[cell]);
      };
      let best = 0;
      for (let code = 0; code < 2 ** time.length; code++) {
        const chosen = [...time].filter((_, k) => ((code >> k) & 1) === 1);
        const apart = chosen.every((t, k) => t >= from && (k === 0 || t - chosen[k - 1] >= delay - 1e-12));
        if (apart)
          best = Math.max(
            best,
            chosen.reduce((sum, t) => sum + priceAt(t), 0),
          );
      }
      const hosts = { of: Int32Array.of(0), delay: Float64Array.of(delay), from: Float64Array.of(from) };
      const [supply] = hostSupplies(hosts, Float64Array.of(Number.POSITIVE_INFINITY), time, grid);
      expect(supply.pay(price, new Float64Array(price.length))).toBeCloseTo(best, 10);
    }
  });

  it('leave a bound that no schedule is below', () => {
    const random = seededRandom(22);
    for (let round = 0; round < 12; round++) {
      const slots = round % 2 === 0 ? [3, 3] : [6];
      const given = {
        rate: Array.from({ length: 3 }, () => 8 * random() + 0.1),
        host: [0, 0, round % 3 === 0 ? -1 : 1],
        delay: [0.35 * random(), 0.35 * random()],
        slots,
      };
      const times = slotTimes(slots);
      let best = Number.POSITIVE_INFINITY;
      for (let code = 0; code < 4 ** times.length; code++) {
        const last = given.rate.map(() => 0);
        const ready = [...given.delay];
        let cost = 0;
        for (let k = 0, left = code; k < times.length; k++, left = Math.floor(left / 4)) {
          const i = (left % 4) - 1;
          if (i < 0) continue;
          const h = given.host[i];
          if (h >= 0 && times[k] < ready[h] - 1e-12) cost = Number.POSITIVE_INFINITY;
          if (h >= 0) ready[h] = times[k] + given.delay[h];
          cost += staleTime(given.rate[i], times[k] - last[i]);
          last[i] = times[k];
        }
        for (const [i, rate] of given.rate.entries()) cost += staleTime(rate, 1 - last[i]);
        best = Math.min(best, cost);
      }
      const { value, bound } = solved(given);
      expect(bound).toBeLessThanOrEqual(best * (1 + 1e-9));
      expect(value).toBeGreaterThanOrEqual(best * (1 - 1e-9));
    }
  });

  it('leave a gap below 3% where they may take but one of five crawlers at a time', () => {
    const random = seededRandom(23);
    const { gap } = solved({
      rate: Array.from({ length: 60 }, () => 0.5 + random()),
      host: Array.from({ length: 60 }, (_, i) => i % 3),
      delay: [0.02, 0.02, 0.02],
      slots: [30, 30, 30, 30, 30],
    });
    expect(gap).toBeLessThan(0.03);
  });

  it('leave a gap below .3% where prices rise, since no page wants a crawl just after its last', () => {
    const { gap } = solved({
      rate: Array.from({ length: 500 }, () => 2),
      host: Array.from({ length: 500 }, (_, i) => i % 10),
      delay: Array.from({ length: 10 }, () => 10 / 2499 / 0.9),
      slots: Array.from({ length: 7 }, () => 357),
    });
    expect(gap).toBeLessThan(0.003);
  });
});

const staleTime = (rate: number, gap: number): number => gap + Math.expm1(-rate * gap) / rate;
