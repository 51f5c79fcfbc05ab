/** What docs/how-to/pilot.md says: its table of costs, and its example whose truth is known. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepare, run } from '../../src/dispatch/pipeline.ts';
import { expectedPilot } from '../../src/logs/expected-pilot.ts';
import { probesIn } from '../../src/logs/probe-log.ts';
import { freshness } from '../../src/operations/estimates/freshness.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

const page = readFileSync('docs/how-to/pilot.md', 'utf8');

/** Whole days, or years from two on. */
const inDays = (days: number): string =>
  days >= 730 ? `${Math.round(days / 365.25)} years` : `${Math.max(1, Math.ceil(days))}`;

describe('the guide to pilots', () => {
  it('says what a verdict costs, as pilot start reckons it', () => {
    const gains = [0.01, 0.02, 0.05, 0.1];
    for (const fetchesADay of [300, 3000, 30_000, 300_000]) {
      const cells = gains.map((gain) => {
        // Far more pages than probes: nearly every probe is the first of its page.
        const { days } = expectedPilot({ gain, stale: 0.2, fetchesADay, units: 1e9, periodDays: 1 });
        return inDays(days);
      });
      expect(page).toContain(`| ${fetchesADay.toLocaleString('en')} | ${cells.join(' | ')} |`);
    }
  });

  it('has an example in whose interval the truth lies, with the verdict that is right', () => {
    const { seed, period } = JSON.parse(readFileSync('examples/pilot/pilot.json', 'utf8'));
    const probes = probesIn(readFileSync('examples/pilot/probes.csv', 'utf8'));
    const ready = prepare(freshness, JSON.stringify({ probes, seed, period }), readConfig({}));
    if (ready.kind !== 'ready') throw new Error(JSON.stringify(ready));
    const outcome = run(ready, unlimitedBudget(ready.request.seed), now);
    if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
    const { summary, solution }: Answer = JSON.parse(outcome.json);
    const truth = Number(/plan gains (\.\d+)\. /.exec(page)?.[1]);
    expect(truth).toBeGreaterThan(solution.difference.interval[0]);
    expect(truth).toBeLessThan(solution.difference.interval[1]);
    expect(solution.verdict).toBe('take-over');
    expect(page.replace(/\s+/g, ' ')).toContain(summary);
  });
});

interface Answer {
  readonly summary: string;
  readonly solution: {
    readonly verdict: string;
    readonly difference: { readonly interval: readonly [number, number] };
  };
}
