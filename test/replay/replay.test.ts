import { describe, expect, it } from 'vitest';
import { standardError } from '../../bench/replay/bootstrap.ts';
import { meanRates } from '../../bench/replay/oracles.ts';
import { pageHistories } from '../../bench/replay/page-history.ts';
import { turnsPolicy } from '../../bench/replay/policies.ts';
import { day, gridStep, replay } from '../../bench/replay/replay.ts';
import { simulateTrace } from '../../bench/replay/simulated-trace.ts';

const start = Date.parse('2025-01-01T00:00:00Z') / 1000;
const end = start + 200 * day;
const lines = simulateTrace({ hosts: 12, pagesPerHost: 5, seed: 3 }, start, end);
const pages = pageHistories(lines, start, end);

describe('the replay of a trace', () => {
  it('has the freshness that a simulation in small time steps finds', () => {
    const { freshness, fetchRate } = replay(pages, turnsPolicy(pages.length, 0.1), start, end);
    // page i is fetched at the k-th grid point where the k-th turn is its own
    const fetches: number[][] = pages.map(() => []);
    let saved = 0;
    let turn = 0;
    for (let time = start + (7 / 24) * day; time < end; time += gridStep) {
      for (saved += (pages.length * 0.1 * gridStep) / day; saved >= 1; saved--)
        fetches[turn++ % pages.length].push(time);
    }
    const step = 900;
    let fresh = 0;
    let steps = 0;
    for (const [i, { changes }] of pages.entries()) {
      for (let time = start + step / 2; time < end; time += step) {
        const last = fetches[i].findLast((at) => at <= time) ?? start;
        steps++;
        if (!changes.some((at) => at > last && at <= time)) fresh++;
      }
    }
    expect(freshness).toBeCloseTo(fresh / steps, 3);
    expect(fetchRate).toBeCloseTo(0.1, 3);
  });

  it('simulates the same trace from the same seed, and hosts whose pages change at the same moments', () => {
    expect(simulateTrace({ hosts: 12, pagesPerHost: 5, seed: 3 }, start, end)).toEqual(lines);
    const shared = (kind: string): number => {
      const times = lines.filter(({ id }) => id.startsWith(kind)).flatMap(({ changes }) => changes);
      return times.length - new Set(times).size;
    };
    expect(shared('together')).toBeGreaterThan(5);
    expect(shared('alone')).toBe(0);
    expect(shared('bursts')).toBe(0);
  });

  it('gives the oracle the mean rates of the window', () => {
    const rates = meanRates(pages, start, end);
    for (const [i, { changes }] of pages.entries()) {
      expect(rates[i] * 200 * day).toBeCloseTo(changes.length === 0 ? 0.5 : changes.length, 9);
    }
  });

  it('finds the standard error of a mean over hosts', () => {
    const values = Float64Array.from(pages, ({ host }) => (host.endsWith('1') ? 1 : 0));
    // twelve hosts, two of which end in 1 (…-1 and …-11): √(p(1 − p)/12)
    const p = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(standardError(pages, values) / Math.sqrt((p * (1 - p)) / 12) - 1)).toBeLessThan(0.08);
  });
});
