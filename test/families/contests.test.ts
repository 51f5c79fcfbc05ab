/**
 * Every operation with answers that may be feasible, not proved, has a contest. A small part of each is played: no
 * answer is above the best of the short rules by .1%.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { play } from '../../bench/families/contest.ts';
import { contests } from '../../bench/families/contests.ts';
import { operations } from '../../src/operations/index.ts';

const hasObjective = (example: string): boolean =>
  'objective' in JSON.parse(readFileSync(`examples/${example}.answer.json`, 'utf8'));

/** Their answers are optimal to rounding, whatever is asked; their own tests hold them against brute force. */
const proved = ['access-frequencies', 'crawler-count'];

it('every operation with an objective, which need not be proved, has a contest', () => {
  const unproved = operations.filter(
    ({ name, examples }) => !proved.includes(name) && examples.some((each) => hasObjective(each.name)),
  );
  const played = new Set(contests.map(({ operation }) => operation));
  expect([...played].sort()).toEqual(unproved.map(({ name }) => name).sort());
});

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
