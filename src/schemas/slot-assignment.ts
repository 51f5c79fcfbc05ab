/** The wire shapes of `slot-assignment`, and its request as the solver takes it. */

import * as z from 'zod';
import type { SlotAssignmentProblem } from '../solvers/slot-assignment/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { cost, count, id, moment, position, share, time, weight } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { integer, numberOrNull, real } from './contract/range.ts';
import { conditions, refusals } from './contract/refusals.ts';
import { choice, object, strictObject } from './contract/strict-object.ts';
import { placeIn, positionsOf, refuseUnordered, table } from './table/table.ts';
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
const anyTime = real({ atLeast: -largest, atMost: largest });

const crawler = strictObject('SlotAssignmentCrawler', {
  id: z.string().max(2048).optional().meta(id()),
  slots: integer({ atLeast: 0, atMost: slotAssignmentLimits.slotsPerCrawler }).meta(
    count('Slots: slot l, from 0, starts at l·interval/slots; 0: out of service', {
      unit: 'slots',
      lever: { factor: 4 },
    }),
  ),
});

const kinds = ['flexible', 'release'] as const;

const taskColumns = {
  idealTime: anyTime.meta(moment('When it should start; below 0: overdue')),
  kind: choice('SlotAssignmentKind', kinds)
    .default('flexible')
    .describe('flexible: early or late costs weight·|time − idealTime|; release: never early'),
  weight: real({ atLeast: 0, atMost: largest }).default(1).meta(weight('Price per time unit off the ideal time')),
  crawlers: list(integer({ atLeast: 0, atMost: slotAssignmentLimits.crawlersPerTask - 1 }), {
    minItems: 1,
    maxItems: slotAssignmentLimits.crawlersPerTask,
  })
    .check(
      conditions((crawlers, refuse) => {
        if (new Set(crawlers).size === crawlers.length) return;
        refuse([], 'duplicate', `must not name a crawler twice; got [${crawlers.slice(0, 10).join(', ')}]`, crawlers);
      }),
    )
    .optional()
    .meta({ uniqueItems: true, ...position('Positions of the crawlers that may run it; left out: any') }),
  earliest: anyTime.optional().meta(moment('Must not start before this time')),
  latest: anyTime.optional().meta(moment('Must not start after this time')),
};

const wireRequest = requestSchema({
  interval: real({ above: 0, atMost: largest }).meta(time()),
  crawlers: list(crawler, { minItems: 1, maxItems: slotAssignmentLimits.crawlers }).describe(
    'The crawlers; known by position from 0',
  ),
  tasks: table('SlotAssignmentTask', slotAssignmentLimits.tasks, 'The crawls to make, one row each', taskColumns),
  unassigned: z
    .union([
      z.literal('forbid'),
      strictObject('SlotAssignmentUnassigned', {
        penalty: real({ atLeast: 0, atMost: largest }).meta(cost('Price of a dropped task, whatever its weight')),
      }),
    ])
    .default('forbid')
    .describe('Whether a task may be dropped, at a penalty'),
});

export const slotAssignmentRequest = wireRequest.transform((request, context) => {
  const { tasks, crawlers } = request;
  const { columns } = tasks;
  const refuse = refusals(context.issues);
  const at = placeIn('tasks', tasks);
  positionsOf(tasks.ids ?? [], (i) => at(i, 'id'), refuse);
  const slots = crawlers.reduce((sum, { slots }) => sum + slots, 0);
  if (slots > slotAssignmentLimits.slots) {
    const message = `the crawlers must have at most ${slotAssignmentLimits.slots} slots together; got ${slots}`;
    refuse(['crawlers'], 'too-many-slots', message, slots);
  }
  refuseUnordered(tasks, ['earliest', 'latest'], at, refuse);
  for (const [i, list = []] of columns.crawlers.entries()) {
    for (const [a, crawler] of list.entries()) {
      if (crawler < crawlers.length) continue;
      const message = `must be a crawler's position, 0 to ${crawlers.length - 1}; got ${crawler}`;
      refuse(at(i, 'crawlers', a), 'out-of-range', message, crawler);
    }
  }
  const kind = Uint8Array.from(columns.kind, (each) => kinds.indexOf(each));
  const instance: SlotAssignmentProblem = {
    interval: request.interval,
    slotCounts: Int32Array.from(crawlers, (each) => each.slots),
    idealTime: columns.idealTime,
    kind: kind.some((each) => each !== 0) ? kind : null,
    weight: columns.weight.some((w) => w !== 1) ? columns.weight : null,
    allowed: allowedCrawlers(columns.crawlers),
    earliest: columns.earliest.every(Number.isNaN) ? null : withDefault(columns.earliest, Number.NEGATIVE_INFINITY),
    latest: columns.latest.every(Number.isNaN) ? null : withDefault(columns.latest, Number.POSITIVE_INFINITY),
    dropPenalty: request.unassigned === 'forbid' ? Number.POSITIVE_INFINITY : request.unassigned.penalty,
  };
  const crawlerIds = crawlers.map((each) => each.id);
  return { options: request.options, instance, crawlerIds, tasks };
});

export type CheckedSlotAssignment = z.output<typeof slotAssignmentRequest>;

/** The numbers, with `unknown` in place of NaN. */
const withDefault = (numbers: Float64Array, unknown: number) =>
  numbers.map((each) => (Number.isNaN(each) ? unknown : each));

/** The crawlers of each task in compressed rows, where an empty list stands for any; null where no task names some. */
function allowedCrawlers(lists: readonly (readonly number[] | undefined)[]): SlotAssignmentProblem['allowed'] {
  const start = new Int32Array(lists.length + 1);
  for (const [i, list = []] of lists.entries()) start[i + 1] = start[i] + list.length;
  return start[lists.length] === 0 ? null : { start, crawlers: Int32Array.from(lists.flatMap((list = []) => list)) };
}

export const slotAssignmentSolution = object('SlotAssignmentSolution', {
  tasks: tableAnswerSchema('SlotAssignmentSolutionTask', 'The tasks, in the order and form of the request', {
    crawler: z.int().nullable().meta(position('Position of its crawler; null: dropped')),
    slot: z.int().nullable().meta(position('Its slot; null: dropped')),
    time: numberOrNull.meta(moment('Its start; null: dropped', { role: 'first' })),
  }),
  dropped: z.int().meta(count({ unit: 'tasks' })),
  idleSlots: z.int().meta(count({ unit: 'slots' })),
  deviation: object('SlotAssignmentDeviation', {
    mean: numberOrNull.meta(time({ role: 'first' })),
    p95: numberOrNull.meta(time('The 95th percentile, nearest rank')),
    max: numberOrNull.meta(time({ role: 'first' })),
  }).describe('Of |time − idealTime| over tasks that run; null: none'),
  crawlers: z
    .array(
      object('SlotAssignmentSolutionCrawler', {
        id: z.string().optional().meta(id()),
        slots: z.int().meta(count({ unit: 'slots' })),
        tasks: z.int().meta(count({ unit: 'tasks' })),
        utilisation: numberOrNull.meta(share('tasks/slots; null where it has no slots')),
      }),
    )
    .describe('How busy each crawler is'),
});

export const slotAssignmentConflict = object('SlotAssignmentConflict', {
  detail: z.string().describe('The tasks and slots that clash'),
  tasks: z.array(z.int()).meta(position('Tasks that together have too few slots')),
  slots: z.int().meta(count('Slots that any of these tasks may use', { unit: 'slots' })),
  after: numberOrNull.meta(moment('From when they may run; null: any time')),
  before: numberOrNull.meta(moment('Until when they may start; null: any time')),
});

export function slotAssignmentSentence({ solution }: SolvedAnswer<typeof slotAssignmentSolution>): string {
  const { crawlers, dropped, deviation } = solution;
  const run = crawlers.reduce((sum, crawler) => sum + crawler.tasks, 0);
  const deviationText =
    deviation.mean === null
      ? ''
      : `: they start ${figure(deviation.mean, 3)} from their ideal times on average, ${figure(deviation.max, 3)} at most`;
  const droppedText = dropped > 0 ? ` ${countText(dropped, 'task is', 'tasks are')} dropped.` : '';
  return `Run ${countText(run, 'task')} on ${countText(crawlers.length, 'crawler')}${deviationText}.${droppedText}`;
}
