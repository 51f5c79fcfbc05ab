/** The wire shapes of `slot-assignment`, and its request as the solver takes it. */

import * as z from 'zod';
import type { SlotAssignmentProblem } from '../solvers/slot-assignment/index.ts';
import type { Wire } from './contract/answer.ts';
import { cost, count, id, moment, position, share, time, weight } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, numberOrNull, real } from './contract/range.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { strictObject } from './contract/strict-object.ts';
import { type Lists, positionListColumn } from './parts/crawler-lists.ts';
import { refuseDuplicateIds } from './parts/epoch-times.ts';
import { list } from './parts/list.ts';
import { choiceColumn, numberColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';
import { countText, figure } from './words/numbers.ts';

export const slotAssignmentLimits = {
  tasks: 10_000_000,
  crawlers: 100_000,
  slotsPerCrawler: 20_000_000,
  slots: 20_000_000,
  crawlersPerTask: 100_000,
} as const;

/** Larger than any time or price in use, small enough for products and sums to stay finite. */
const largest = 1e100;
const anyTime = { atLeast: -largest, atMost: largest } as const;

const crawler = strictObject({
  id: z.string().max(2048).optional().meta(id('Name of the crawler')),
  slots: integer({ atLeast: 0, atMost: slotAssignmentLimits.slotsPerCrawler }).meta(
    count('Slots: slot l, from 0, starts at l·interval/slots; 0: out of service', {
      unit: 'slots',
      lever: { factor: 4 },
    }),
  ),
});

const taskColumns = {
  idealTime: numberColumn(moment('When it should start; below 0: overdue'), anyTime),
  kind: choiceColumn(
    'flexible: early or late costs weight·|time − idealTime|; release: never early',
    ['flexible', 'release'],
    { optional: true, absent: 'flexible' },
  ),
  weight: numberColumn(weight('Price per time unit off the ideal time'), {
    atLeast: 0,
    atMost: largest,
    optional: true,
    absent: 1,
  }),
  crawlers: positionListColumn(
    'Positions of the crawlers that may run it; left out: any',
    slotAssignmentLimits.crawlersPerTask,
  ),
  earliest: numberColumn(moment('Must not start before this time'), {
    ...anyTime,
    optional: true,
    absent: Number.NEGATIVE_INFINITY,
  }),
  latest: numberColumn(moment('Must not start after this time'), {
    ...anyTime,
    optional: true,
    absent: Number.POSITIVE_INFINITY,
  }),
};

const wireRequest = requestSchema({
  interval: real({ above: 0, atMost: largest }).meta(time('Length T of the interval')),
  crawlers: list(crawler, { minItems: 1, maxItems: slotAssignmentLimits.crawlers }, 'crawlers {id?, slots}').describe(
    'The crawlers; known by position from 0',
  ),
  tasks: table(taskColumns, { maxRows: slotAssignmentLimits.tasks, description: 'The crawls to make, one row each' }),
  unassigned: z
    .union([
      z.literal('forbid'),
      strictObject({
        penalty: real({ atLeast: 0, atMost: largest }).meta(cost('Price of a dropped task, whatever its weight')),
      }),
    ])
    .default('forbid')
    .describe('Whether a task may be dropped, at a penalty'),
});

/** A checked request: the solver's instance, and the list as it came, for the answer. */
export interface CheckedSlotAssignment {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly instance: SlotAssignmentProblem;
  readonly crawlerIds: readonly (string | undefined)[];
  readonly tasks: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export const slotAssignmentRequest = wireRequest.transform((request, context): CheckedSlotAssignment => {
  const { tasks, crawlers } = request;
  const { columns, form, length, ids } = tasks;
  const refuse = refusals(context.issues);
  const at = (i: number, name: string): PropertyKey[] => (form === 'rows' ? ['tasks', i, name] : ['tasks', name, i]);
  refuseDuplicateIds(ids, at, refuse, 'task');

  const slots = crawlers.reduce((sum, { slots }) => sum + slots, 0);
  if (slots > slotAssignmentLimits.slots) {
    const message = `the crawlers must have at most ${slotAssignmentLimits.slots} slots together; got ${slots}`;
    refuse(['crawlers'], 'too-many-slots', message, slots);
  }
  for (let i = 0; i < length; i++) {
    if (columns.earliest[i] <= columns.latest[i]) continue;
    const message = `must be at least the task's earliest of ${columns.earliest[i]}; got ${columns.latest[i]}`;
    refuse(at(i, 'latest'), 'out-of-range', message, columns.latest[i]);
  }
  const lists = columns.crawlers.lists();
  if (lists !== null) checkPositions(lists, crawlers.length, at, refuse);
  const instance: SlotAssignmentProblem = {
    interval: request.interval,
    slotCounts: Int32Array.from(crawlers, (each) => each.slots),
    idealTime: columns.idealTime,
    kind: columns.kind.some((kind) => kind !== 0) ? columns.kind : null,
    weight: columns.weight.some((w) => w !== 1) ? columns.weight : null,
    allowed: lists === null ? null : { start: lists.start, crawlers: lists.items },
    earliest: columns.earliest.some((t) => t > Number.NEGATIVE_INFINITY) ? columns.earliest : null,
    latest: columns.latest.some((t) => t < Number.POSITIVE_INFINITY) ? columns.latest : null,
    dropPenalty: request.unassigned === 'forbid' ? Number.POSITIVE_INFINITY : request.unassigned.penalty,
  };
  const crawlerIds = crawlers.map((each) => each.id);
  return { options: request.options, instance, crawlerIds, tasks: { form, length, ids } };
});

/** Every listed position must be that of a crawler. */
function checkPositions(
  { start, items }: Lists,
  crawlers: number,
  at: (i: number, name: string) => PropertyKey[],
  refuse: Refuse,
): void {
  for (let i = 0; i + 1 < start.length; i++) {
    for (let a = start[i]; a < start[i + 1]; a++) {
      if (items[a] < crawlers) continue;
      const message = `must be a crawler's position, 0 to ${crawlers - 1}; got ${items[a]}`;
      refuse([...at(i, 'crawlers'), a - start[i]], 'out-of-range', message, items[a]);
    }
  }
}

export const slotAssignmentSolution = z.object({
  tasks: tableAnswerSchema(
    {
      crawler: z.int().nullable().meta(position('Position of its crawler; null: dropped')),
      slot: z.int().nullable().meta(position('Its slot; null: dropped')),
      time: numberOrNull.meta(moment('Its start; null: dropped', { role: 'first' })),
    },
    'The tasks, in the order and form of the request',
  ),
  dropped: z.int().meta(count('How many tasks are dropped', { unit: 'tasks' })),
  idleSlots: z.int().meta(count('How many slots stay idle', { unit: 'slots' })),
  deviation: z
    .object({
      mean: numberOrNull.meta(time('The mean', { role: 'first' })),
      p95: numberOrNull.meta(time('The 95th percentile, nearest rank')),
      max: numberOrNull.meta(time('The largest', { role: 'first' })),
    })
    .describe('Of |time − idealTime| over tasks that run; null: none'),
  crawlers: z
    .array(
      z.object({
        id: z.string().optional().meta(id('The id the request gave')),
        slots: z.int().meta(count('How many slots it has', { unit: 'slots' })),
        tasks: z.int().meta(count('How many tasks it runs', { unit: 'tasks' })),
        utilisation: numberOrNull.meta(share('tasks/slots; null where it has no slots')),
      }),
    )
    .describe('How busy each crawler is'),
});

type SlotAssignmentSolution = Wire<z.input<typeof slotAssignmentSolution>>;

export const slotAssignmentConflict = z.object({
  detail: z.string().describe('The tasks and slots that clash'),
  tasks: z.array(z.int()).meta(position('Tasks that together have too few slots')),
  slots: z.int().meta(count('Slots that any of these tasks may use', { unit: 'slots' })),
  after: numberOrNull.meta(moment('From when they may run; null: any time')),
  before: numberOrNull.meta(moment('Until when they may start; null: any time')),
});

export function slotAssignmentSentence({ solution }: { readonly solution: SlotAssignmentSolution }): string {
  const { crawlers, dropped, deviation } = solution;
  const run = crawlers.reduce((sum, crawler) => sum + crawler.tasks, 0);
  const deviationText =
    deviation.mean === null
      ? ''
      : `: they start ${figure(deviation.mean, 3)} from their ideal times on average, ${figure(deviation.max, 3)} at most`;
  const left = dropped > 0 ? ` ${countText(dropped, 'task is', 'tasks are')} dropped.` : '';
  return `Run ${countText(run, 'task')} on ${countText(crawlers.length, 'crawler')}${deviationText}.${left}`;
}
