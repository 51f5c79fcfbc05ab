/**
 * The answer says what its value measures, for every objective. Nothing that shows a plan under `delay` may call it
 * staleness, and no unit is guessed from a description.
 */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { crawlAllocation } from '../../src/operations/crawl-allocation.ts';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { objectiveNames } from '../../src/solvers/pages/objectives/index.ts';
import { prepareParsed, run } from '../../src/workers/pipeline.ts';

const config = readConfig({});

function objectiveOf(operation: Operation, body: object): { measure?: unknown; unit?: unknown } {
  const ready = prepareParsed(operation, body, config);
  if (ready.kind === 'problem') throw new Error(JSON.stringify(ready.problem));
  const answered = run(ready, unlimitedBudget(), () => 0);
  if (answered.kind === 'problem') throw new Error(JSON.stringify(answered.problem));
  return JSON.parse(answered.json).objective;
}

const pages = [{ changeRate: 1e-5 }, { changeRate: 3e-5 }];
const now = 1_760_000_000;
const questions: readonly (readonly [Operation, object])[] = [
  [crawlPlan, { now, interval: 86_400, crawls: 4, pages: pages.map((page) => ({ ...page, lastCrawl: now - 86_400 })) }],
  [crawlAllocation, { interval: 86_400, crawls: 4, pages }],
];

describe.each(questions)('$name', (operation, request) => {
  it('says for each objective what its value measures, in which unit', () => {
    const told = objectiveNames.map((objective) => objectiveOf(operation, { ...request, objective }));
    expect(new Set(told.map(({ measure }) => measure)).size).toBe(objectiveNames.length);
    expect(objectiveNames.filter((_, k) => told[k].measure === 'staleness')).toEqual(['freshness']);
    for (const { unit } of told) expect(unit).toMatch(/^weight × /);
  });
});
