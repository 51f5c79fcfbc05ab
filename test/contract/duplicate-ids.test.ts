/** Ids that answers name rows by are had once. */
import { describe, expect, it } from 'vitest';
import { accessFrequenciesRequest } from '../../src/schemas/access-frequencies.ts';
import { accessSequenceRequest } from '../../src/schemas/access-sequence.ts';
import { crawlPlanRequest } from '../../src/schemas/crawl-plan/index.ts';
import { slotAssignmentRequest } from '../../src/schemas/slot-assignment.ts';

const pages = ['a', 'b', 'a'].map((id) => ({ id, changeRate: 1 }));
const accessTime = { type: 'deterministic', value: 1 };
const tasks = ['a', 'b', 'a'].map((id) => ({ id, idealTime: 0.5 }));

describe('a duplicate id', () => {
  it.each([
    [accessFrequenciesRequest, { pages, accessTime, policy: 'deterministic' }, 'pages'],
    [accessSequenceRequest, { pages, accessTime }, 'pages'],
    [crawlPlanRequest, { now: 1.7e9, interval: 60, crawls: 1, pages }, 'pages'],
    [slotAssignmentRequest, { interval: 1, crawlers: [{ slots: 4 }], tasks }, 'tasks'],
  ] as const)('is refused where it stands', (schema, request, list) => {
    const issues = schema.safeParse(request).error?.issues;
    expect(issues).toHaveLength(1);
    expect(issues?.[0]).toMatchObject({ path: [list, 2, 'id'], message: '"a" is already the name of number 0' });
  });
});
