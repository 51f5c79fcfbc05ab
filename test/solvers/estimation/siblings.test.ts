import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { CheckLog } from '../../../src/solvers/estimation/index.ts';
import { type GroupStrengths, groupStrengths, SiblingLog } from '../../../src/solvers/estimation/siblings/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';

/** Moments of a Poisson process up to an end. */
function moments(rate: number, end: number, random: Random): number[] {
  const times: number[] = [];
  for (let t = standardExponential(random) / rate; t < end; t += standardExponential(random) / rate) times.push(t);
  return times;
}

/** Pairs of pages of rate 1, checked 40 times at uneven gaps; a share of each page's changes is its sibling's too. */
function pairs(count: number, share: number, seed: number): CheckLog {
  const random = seededRandom(seed);
  const end = 20;
  const log = new CheckLog(new Float64Array(2 * count));
  for (let pair = 0; pair < count; pair++) {
    const together = moments(share, end, random);
    for (const page of [2 * pair, 2 * pair + 1]) {
      const changes = [...together, ...moments(1 - share, end, random)];
      let last = 0;
      for (let t = 0.5 * random(); t < end; t += 0.25 + 0.5 * random()) {
        log.record(
          page,
          t,
          changes.some((at) => at > last && at <= t),
        );
        last = t;
      }
    }
  }
  return log;
}

function strengths(log: CheckLog): GroupStrengths {
  const pages = log.lastFetch.length;
  const siblings = new SiblingLog({
    history: log.history(),
    lastFetch: log.lastFetch,
    group: Int32Array.from({ length: pages }, (_, i) => i >> 1),
    groups: pages / 2,
    rate: new Float64Array(pages).fill(1),
    known: new Uint8Array(pages).fill(1),
  });
  return groupStrengths(siblings, unlimitedBudget());
}

describe('how strongly siblings change together', () => {
  it.each([0.2, 0.5, 0.8])('is found again: a share of %s', (share) => {
    let inside = 0;
    let sum = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const { common, applied } = strengths(pairs(25, share, seed));
      if (share > 0.4) expect(applied).toBe(true);
      sum += common.strength;
      if (common.interval[0] <= share && share <= common.interval[1]) inside++;
    }
    expect(inside).toBeGreaterThanOrEqual(8);
    expect(Math.abs(sum / 10 - share)).toBeLessThan(0.04);
  });

  it('is not made out of chance: independent pages are left alone', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const { applied, common } = strengths(pairs(25, 0, seed));
      expect(applied).toBe(false);
      expect(common.interval[0]).toBe(0);
    }
  });

  it('is drawn towards the other groups’ where a group has little to show', () => {
    const log = pairs(25, 0.6, 3);
    for (const page of [0, 1]) {
      log.elapsed[page].splice(3);
      log.changed[page].splice(3);
    }
    const { strength, low, high } = strengths(log);
    expect(strength[0]).toBeGreaterThan(0.3);
    expect(high[0] - low[0]).toBeGreaterThan(high[5] - low[5]);
  });

  it('is 1 less the chance that a page is spared, where its sibling’s check and its own window are one', () => {
    const log = pairs(1, 0.4, 1);
    const sibling = new SiblingLog({
      history: log.history(),
      lastFetch: log.lastFetch,
      group: Int32Array.of(0, 0),
      groups: 1,
      rate: Float64Array.of(1e-6, 1e-6),
    });
    // a check long before page 0 was first checked, so that nothing else is known of it
    const spared = sibling.spared(0, 1, { begin: -10, end: -9, changed: true }, [-10, -9], 0.4e-6);
    expect(spared).toBeCloseTo(0.6, 5);
  });
});
