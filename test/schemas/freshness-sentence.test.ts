import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepare, run } from '../../src/dispatch/pipeline.ts';
import { freshness } from '../../src/operations/estimates/freshness.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

describe('the sentence of measured freshness', () => {
  it('says that no probe counts for the difference, where none does', () => {
    const probes = [
      { time: 1000, page: 'a', current: true },
      { time: 2000, page: 'b', current: false },
    ];
    const ready = prepare(freshness, JSON.stringify({ probes, seed: 's', period: 86_400 }), readConfig({}));
    if (ready.kind !== 'ready') throw new Error(JSON.stringify(ready));
    const outcome = run(ready, unlimitedBudget(1), now);
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
    const { summary }: { summary: string } = JSON.parse(outcome.json);
    expect(summary).toBe(
      '50% of the copies were current (0% to 100%, 2 probes); no probe counts for the difference of the arms yet.',
    );
  });
});
