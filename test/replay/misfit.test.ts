/**
 * Options that learn more from a log cost independent Poisson pages, of which there is nothing more to learn, next to
 * nothing.
 */
import { describe, expect, it } from 'vitest';
import { expectedFreshness, independentPages } from '../../bench/replay/independent-pages.ts';
import { type Learning, plannedAhead } from '../../bench/replay/policies.ts';
import { day } from '../../bench/replay/replay.ts';
import { utc } from '../../src/solvers/estimation/rhythm/index.ts';

const pages = 50;
const start = Date.parse('2023-01-01T00:00:00Z') / 1000;
const setting = independentPages(pages, start, 120, 7);

function freshness(learning: Learning): number {
  const options = { estimator: 'drifting-rate', crawlRate: 0.05, firstPlan: 10 * day, planLength: 30 * day } as const;
  return expectedFreshness(setting, plannedAhead(pages, start, { ...options, learning }));
}

describe('on independent pages', () => {
  const plain = freshness({});
  const group = Int32Array.from({ length: pages }, (_, i) => Math.floor(i / 5));
  const groups = { group, names: Array.from({ length: pages / 5 }, String) };
  it.each([
    ['groups', { groups }],
    ['bursts', { bursts: true }],
    ['rhythm', { rhythm: { wall: utc, peak: 4 } }],
  ] as const)('%s lower freshness by no more than .0005', (_, learning) => {
    expect(freshness(learning)).toBeGreaterThan(plain - 0.0005);
  });
});
