/** slot-assignment as a caller meets it: through the pipeline, JSON in and out. */
import { describe, expect, it } from 'vitest';
import { slotAssignment } from '../../src/operations/slot-assignment.ts';
import { answerOf, refusalPlaces } from './outcomes.ts';

const answer = (body: unknown) => answerOf(slotAssignment, body);

const crawlers = [{ id: 'a', slots: 2 }, { slots: 4 }];
const rows = [
  { id: 'p', idealTime: 1 },
  { idealTime: 5, kind: 'release' },
  { idealTime: 5, weight: 3 },
];

describe('slot-assignment', () => {
  it('answers rows with rows, ids echoed, and columns with columns', () => {
    const byRows = answer({ interval: 8, crawlers, tasks: rows });
    expect(byRows.status).toBe('optimal');
    expect(byRows.solution.tasks.map(({ id }: { id?: string }) => id)).toEqual(['p', undefined, undefined]);
    expect(byRows.objective).toMatchObject({ value: 5, bound: 5, gap: 0, unit: 'weight × time' });
    const columns = { idealTime: [1, 5, 5], kind: ['flexible', 'release', 'flexible'], weight: [1, 1, 3] };
    const byColumns = answer({ interval: 8, crawlers, tasks: columns });
    expect(byColumns.solution.tasks.time).toEqual(byRows.solution.tasks.map(({ time }: { time: number }) => time));
    expect(byColumns.objective).toEqual(byRows.objective);
  });

  it('says how far tasks are from their ideal times, nearest rank, and how busy each crawler is', () => {
    const { solution } = answer({
      interval: 100,
      crawlers: [{ id: 'x', slots: 100 }, { slots: 0 }],
      tasks: { idealTime: Array.from({ length: 20 }, (_, j) => 4 * j + (j === 0 ? 0.25 : 0)) },
    });
    expect(solution.deviation).toEqual({ mean: 0.0125, p95: 0, max: 0.25 });
    expect(solution.idleSlots).toBe(80);
    expect(solution.crawlers).toEqual([
      { id: 'x', slots: 100, tasks: 20, utilisation: 0.2 },
      { slots: 0, tasks: 0, utilisation: null },
    ]);
  });

  it('drops tasks where that is cheaper in total, null in every field', () => {
    const tasks = [{ idealTime: 0 }, { idealTime: 0 }, { idealTime: 3 }];
    const { solution, objective, status } = answer({
      interval: 10,
      crawlers: [{ slots: 10 }],
      tasks,
      unassigned: { penalty: 0.5 },
    });
    expect(status).toBe('optimal');
    expect(objective.value).toBe(0.5);
    expect(solution.dropped).toBe(1);
    expect(solution.tasks).toContainEqual({ crawler: null, slot: null, time: null });
  });

  it('says which tasks and slots clash when not all fit', () => {
    const tooMany = answer({ interval: 1, crawlers: [{ slots: 2 }], tasks: { idealTime: [0, 0, 0.5] } });
    expect(tooMany.status).toBe('infeasible');
    expect(tooMany).not.toHaveProperty('solution');
    expect(tooMany.conflict).toMatchObject({ tasks: [0, 1, 2], slots: 2, after: null });
    const tooLate = answer({
      interval: 1,
      crawlers: [{ slots: 5 }],
      tasks: [{ idealTime: 0.7, kind: 'release' }, { idealTime: 0 }, { idealTime: 0.75, kind: 'release' }],
    });
    expect(tooLate.conflict).toMatchObject({ tasks: [0, 2], slots: 1, after: 0.7 });
    expect(tooLate.conflict.detail).toBe('after t = 0.7 there are 2 tasks and 1 slot that any of them may use');
    const crowded = answer({
      interval: 1,
      crawlers: [{ slots: 1 }, { slots: 9 }],
      tasks: [{ idealTime: 0.2, crawlers: [0] }, { idealTime: 0.4 }, { idealTime: 0.9, crawlers: [0] }],
    });
    expect(crowded.conflict).toMatchObject({ tasks: [0, 2], slots: 1, after: null });
  });

  it.each([
    [
      'an empty list in columns',
      { interval: 1, crawlers, tasks: { idealTime: [0, 1], crawlers: [[1], []] } },
      '/tasks/crawlers/1 too_small',
    ],
    [
      'a crawler that does not exist',
      { interval: 1, crawlers, tasks: [{ idealTime: 0, crawlers: [1, 2] }] },
      '/tasks/0/crawlers/1 out-of-range',
    ],
    [
      'a crawler whose number would wrap around to another',
      { interval: 1, crawlers, tasks: [{ idealTime: 0, crawlers: [2 ** 32 + 1] }] },
      '/tasks/0/crawlers/0 too_big',
    ],
    [
      'a crawler named twice',
      { interval: 1, crawlers, tasks: [{ idealTime: 0, crawlers: [1, 1] }] },
      '/tasks/0/crawlers duplicate',
    ],
    [
      'a window that ends before it begins',
      { interval: 1, crawlers, tasks: [{ idealTime: 0, earliest: 2, latest: 1 }] },
      '/tasks/0/latest out-of-range',
    ],
    [
      'too many slots',
      { interval: 1, crawlers: [{ slots: 2e7 }, { slots: 1 }], tasks: rows },
      '/crawlers too-many-slots',
    ],
  ])('refuses %s with a pointer', (_, body, expected) => {
    expect(refusalPlaces(slotAssignment, body)).toEqual([expected]);
  });
});
