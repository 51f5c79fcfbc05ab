import { describe, expect, it } from 'vitest';
import { compareRules, fetchGaps, totalFetchRate } from '../../src/logs/compare-rules.ts';
import { readLog } from '../../src/logs/read-log.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';

const day = 86_400;

/** Share of the time during which a copy fetched at these gaps is stale, by simulation. */
function playedStaleness(rate: number, gaps: readonly number[], rounds: number): number {
  const random = seededRandom(3);
  let [stale, all] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    for (const gap of gaps) {
      const change = -Math.log1p(-random()) / rate;
      stale += Math.max(0, gap - change);
      all += gap;
    }
  }
  return stale / all;
}

const knownRate = (rate: number) => ({ rate, interval: [rate, rate] as const });

describe('three rules compared on a log', () => {
  const gaps = [
    [1, 1, 1, 5],
    [2, 2, 2, 2],
    [4, 4],
  ].map((own) => own.map((days) => days * day));
  const rates = [0.2, 0.9, 0.05].map((each) => knownRate(each / day));

  it('have the staleness of simulated changes', () => {
    const fetchRate = totalFetchRate(gaps);
    const plan = Float64Array.of(0.3, 0.5, 0.2).map((share) => share * fetchRate);
    const { stale, gain, fetchRate: said } = compareRules(gaps, plan, rates);
    const mean = (of: (page: number) => readonly number[]) =>
      rates.reduce((sum, { rate }, i) => sum + playedStaleness(rate, of(i), 20_000), 0) / rates.length;
    expect(said).toBe(fetchRate);
    expect(stale.own.value).toBeCloseTo(
      mean((i) => gaps[i]),
      2,
    );
    expect(stale.inTurn.value).toBeCloseTo(
      mean(() => [gaps.length / fetchRate]),
      2,
    );
    expect(stale.plan.value).toBeCloseTo(
      mean((i) => [1 / plan[i]]),
      2,
    );
    expect(gain.value).toBeCloseTo(stale.own.value - stale.plan.value, 12);
  });

  it('have no interval where the rates are known, and one around the value where they are not', () => {
    const plan = new Float64Array(3).fill(totalFetchRate(gaps) / 3);
    for (const { value, interval } of Object.values(compareRules(gaps, plan, rates).stale))
      expect(interval.map((end) => end.toFixed(12))).toEqual([value.toFixed(12), value.toFixed(12)]);
    const unsure = rates.map(({ rate }) => ({ rate, interval: [rate / 3, rate * 3] as const }));
    const { own } = compareRules(gaps, plan, unsure).stale;
    expect(own.interval[0]).toBeLessThan(own.value);
    expect(own.interval[1]).toBeGreaterThan(own.value);
  });

  it('have their value inside the interval on many pages whose rates are uncertain and lopsided', () => {
    const many = Array.from({ length: 300 }, () => [day, day, day]);
    const plan = new Float64Array(300).fill(1 / day);
    const lopsided = many.map((_, i) => ({ rate: (1 + (i % 7)) / day, interval: [0.02 / day, 9 / day] as const }));
    const { stale, gain } = compareRules(many, plan, lopsided);
    for (const { value, interval } of [...Object.values(stale), gain]) {
      expect(value).toBeGreaterThanOrEqual(interval[0]);
      expect(value).toBeLessThanOrEqual(interval[1]);
    }
  });

  it('count a page that the plan never fetches as always stale', () => {
    expect(compareRules([[day]], Float64Array.of(0), [knownRate(1 / day)]).stale.plan.value).toBe(1);
  });

  it('take the gaps of the log between fetches that succeeded, the last to its end', () => {
    const lines = [
      { page: 'a', time: 0, status: 200 },
      { page: 'a', time: day, status: 500 },
      { page: 'a', time: 2 * day, status: 304 },
      { page: 'b', time: 3 * day, status: 200 },
    ].map(({ time, ...rest }) => JSON.stringify({ ...rest, time: 1_760_000_000 + time }));
    expect(fetchGaps(readLog([lines.join('\n')]))).toEqual([[2 * day, day], []]);
  });
});
