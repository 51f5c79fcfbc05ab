/** Simulated plans keep what hosts around others ask for. */
import { describe, expect, it } from 'vitest';
import { simulationsPages } from '../../../src/index.ts';
import { defined } from '../../defined.ts';

const hour = 3600;

function fetches(within: string[] | undefined): number {
  const answer = simulationsPages({
    pages: Array.from({ length: 6 }, (_, i) => ({ changeRate: 1e-4, host: ['a', 'b'][i % 2] })),
    policy: {
      type: 'plan',
      crawls: 24,
      every: 24 * hour,
      hosts: [
        { host: 'a', within },
        { host: 'b', within: within?.slice(0, 1) },
        { host: 'cdn', minDelay: 2 * hour },
        { host: 'address', minDelay: 5 * hour },
      ],
    },
    duration: 4 * 24 * hour,
    replications: 2,
    options: { seed: 1 },
  });
  return defined(defined(answer.solution).measures.fetches).mean;
}

describe('plans of hosts within others', () => {
  it('fetch as often as the delays around them allow', () => {
    const free = fetches(undefined);
    expect(fetches(['cdn'])).toBeLessThanOrEqual(free / 2 + 1);
    const overlapping = fetches(['cdn', 'address']);
    expect(overlapping).toBeLessThanOrEqual(free / 2 + 1);
    expect(overlapping).toBeGreaterThan(free / 4);
    expect(() => fetches(['nowhere'])).toThrow('policy/hosts/0/within');
  });
});
