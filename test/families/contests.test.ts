/** A small part of every contest of bench/families: no answer is above the best of the short rules by .1%. */
import { describe, expect, it } from 'vitest';
import { play } from '../../bench/families/contest.ts';
import { contests } from '../../bench/families/contests.ts';

describe.each(contests)('$operation', (contest) => {
  const instances = contest.instances('part', 1);

  it('has a part to play', () => {
    expect(instances.length).toBeGreaterThan(4);
  });

  it.each(instances.map((instance) => ({ family: Object.values(instance.axes).join(', '), instance })))(
    'is not above the rules: $family',
    ({ instance }) => {
      const { excess, value, best } = play(instance);
      expect(excess ?? 0, `${value} against ${best}`).toBeLessThan(1e-3);
    },
  );
});
