import { describe, expect, it } from 'vitest';
import { planSickLog } from '../../bench/replay/sick-log.ts';

describe('a plan from a sick log', () => {
  it('goes to living pages first, is fresher than all in turn, and forecasts what is true', () => {
    const { first, all, stale } = planSickLog(1);
    expect(all.fetches).toBe(3000);
    // of 174 pages that are gone only those are tried whose first 404 was the last fetch
    expect(first.gone + first.down).toBeLessThanOrEqual(5);
    expect(all.gone).toBeLessThanOrEqual(20);
    expect(stale.plan).toBeLessThan(stale.livingInTurn - 0.01);
    expect(stale.plan).toBeLessThan(stale.inTurn - 0.02);
    expect(Math.abs(stale.forecast - stale.plan)).toBeLessThan(0.02);
  });
});
