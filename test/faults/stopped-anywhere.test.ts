/**
 * Limits of which nobody knows yet whether they can be kept. Wherever the time limit ends the search, an answer says no
 * more than is proved.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/operations/index.ts';
import { type Budget, unlimitedBudget } from '../../src/solvers/budget.ts';
import { now } from '../../src/workers/clock.ts';
import { prepareParsed, run } from '../../src/workers/pipeline.ts';

const example = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), 'utf8'));

/** Of the answer or the refusal when the budget is over from its nth look on, and how often it was looked at. */
function stoppedAt(name: string, body: unknown, looks: number): { readonly end: string; readonly looked: number } {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const ready = prepareParsed(operation, structuredClone(body), readConfig({}));
  if (ready.kind !== 'ready') throw new Error(ready.problem.detail);
  let looked = 0;
  const budget: Budget = {
    ...unlimitedBudget(),
    stopRequested: () => looked++ >= looks,
    remainingMs: () => (looked >= looks ? 0 : 1e6),
  };
  const done = run(ready, budget, now);
  return { end: done.kind === 'answer' ? JSON.parse(done.json).status : done.problem.type, looked };
}

const nearlyClashing = {
  crawlerRate: 0.007,
  service: 1,
  capacity: 8,
  crawlers: 60,
  costs: { starvation: 1.2, crawler: 0.002 },
  constraints: { lossProbability: 1e-15 },
};

describe('a search under limits that is stopped early', () => {
  it.each([
    ['activation-policy', 'limits that are hard to keep', nearlyClashing],
    ['activation-policy', 'its example', example('activation-policy-limits')],
    ['threshold-policy', 'its example with phases', example('threshold-policy-phases')],
    ['crawler-count', 'its example', example('crawler-count-limits')],
  ])('of %s, %s: never calls them a conflict', (name, _, body) => {
    const whole = stoppedAt(name, body, Number.POSITIVE_INFINITY);
    expect(['optimal', 'feasible']).toContain(whole.end);
    const allowed = ['optimal', 'feasible', 'urn:crawl-optimizer:problem:time-limit'];
    const stride = Math.max(1, Math.floor(whole.looked / 160));
    for (let looks = 0; looks < whole.looked; looks += stride) {
      expect(allowed, `stopped at look ${looks}`).toContain(stoppedAt(name, body, looks).end);
    }
  });
});
