/** Options of crawl-plan that are off leave its answers as they are without them, to the bit. */
import { describe, expect, it } from 'vitest';
import { differences } from '../../scripts/same-answers/differences.ts';
import { planRequests } from '../../scripts/same-answers/requests.ts';
import { readConfig } from '../../src/config.ts';
import { prepare, run } from '../../src/dispatch/pipeline.ts';
import { operations } from '../../src/operations/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

const operation = operations.find(({ name }) => name === 'crawl-plan');
const limits = readConfig({});

/** The answer's text up to the statistics of its run. */
function answered(body: string): string {
  if (operation === undefined) throw new Error('no operation crawl-plan');
  const ready = prepare(operation, body, limits);
  const outcome = ready.kind === 'ready' ? run(ready, unlimitedBudget(), () => 0) : ready;
  if (outcome.kind === 'problem') throw new Error(JSON.stringify(outcome.problem));
  return outcome.json.replace(/,?"statistics":\{.*?\}/, '');
}

const off = {
  groups: 'none',
  bursts: 'none',
  rhythm: 'none',
  peak: 1,
  exploration: 'none',
  objective: 'freshness',
  horizon: 'long-run',
  timeZone: 'UTC',
};
const { bodies } = planRequests(8, 18);

describe('crawl-plan', () => {
  it('answers options written as off as if they were left out', () => {
    for (const body of bodies) expect(answered(JSON.stringify({ ...JSON.parse(body), ...off }))).toBe(answered(body));
  });

  it('takes no notice of the groups that pages name where groups is none', () => {
    for (const body of bodies.slice(0, 3)) {
      const { pages, ...request } = JSON.parse(body);
      const named = pages.map((page: object, i: number) => ({ ...page, group: `group-${i % 3}` }));
      expect(answered(JSON.stringify({ ...request, pages: named }))).toBe(answered(body));
    }
  });

  it('plans the same with groups where no two pages share one', () => {
    for (const body of bodies.slice(0, 3)) {
      const { pages, hosts: _, ...request } = JSON.parse(body);
      const alone = pages.map((page: object, i: number) => ({ ...page, host: `host-${i}` }));
      const without = answered(JSON.stringify({ ...request, pages: alone }));
      const along = JSON.parse(answered(JSON.stringify({ ...request, pages: alone, groups: 'host' })));
      expect(along.groups.applied).toBe(false);
      const changed = [...differences(JSON.parse(without), along, [])].filter(([, { kind }]) => kind !== 'added');
      expect(changed).toEqual([]);
    }
  });
});
