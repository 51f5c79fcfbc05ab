/** Policies of callers, for `evaluate`. */
import * as z from 'zod';
import type { CrawlersByState, WrittenPolicy } from '../../../solvers/queue/index.ts';
import { crawlerCount, pageCount, plain, position } from '../../contract/field.ts';
import { list, matrix } from '../../contract/list.ts';
import { integer } from '../../contract/range.ts';
import { conditions, type Refuse } from '../../contract/refusals.ts';
import { strictObject } from '../../contract/strict-object.ts';
import { crawlerLimit, queueLimits } from './queue.ts';

/** Maximum rows of a table by state: a row for each queue length or phase. */
const maxRows = queueLimits.capacity + queueLimits.matrices;

/** A constant number of active crawlers. */
export const alwaysActive = integer({ atLeast: 0, atMost: crawlerLimit }).meta(crawlerCount());

/** The forms of a policy by queue length or by state. */
export const policyForms = {
  crawlersByQueueLength: list(integer({ atLeast: 0, atMost: crawlerLimit }), {
    minItems: 1,
    maxItems: queueLimits.capacity + 1,
  })
    .optional()
    .meta(crawlerCount('Active crawlers at queue lengths 0..K')),
  thresholds: list(integer({ atLeast: -1, atMost: queueLimits.capacity }), {
    minItems: 0,
    maxItems: queueLimits.modes - 1,
  })
    .optional()
    .meta(pageCount('Last queue length of the most active mode, of the next, …; −1: unused')),
  crawlersByState: strictObject('ThresholdPolicyCrawlersByState', {
    phases: matrix(
      'PhasePairs',
      integer({ atLeast: 0, atMost: queueLimits.phasePairs }),
      queueLimits.phasePairs,
      2,
    ).meta(position('The columns: pairs [arrival phase, service phase], from 0')),
    table: matrix('CrawlerTable', integer({ atLeast: 0, atMost: crawlerLimit }), maxRows, queueLimits.phasePairs).meta(
      crawlerCount('table[queue length][column]: active crawlers; row 0 depends on the arrival phase alone'),
    ),
  })
    .optional()
    .describe('Active crawlers by queue length and phases, as `observe` answers'),
};

/** A policy in exactly one of some forms. */
export const exactlyOnePolicyForm = <Shape extends z.ZodRawShape>(id: string, forms: Shape) =>
  strictObject(id, forms).check(
    conditions((policy, refuse) => {
      if (Object.values(policy).filter((form) => form !== undefined).length === 1) return;
      refuse([], 'one-of', `must have ${Object.keys(forms).join(', ')}, one of them`, policy);
    }),
  );

/** `evaluate` of threshold-policy. */
export const evaluatedPolicy = z
  .union([alwaysActive, exactlyOnePolicyForm('ThresholdPolicyEvaluate', policyForms)])
  .meta(plain('A policy to evaluate instead: a constant number, or by queue length or state'));

/** A policy in the solvers' form. */
type CallersPolicy = WrittenPolicy | { readonly crawlersByState: CrawlersByState };

/** Converts a policy to the solvers' form; the schema has checked that it has exactly one. */
export function policyOf(written: z.output<typeof evaluatedPolicy>, capacity: number): CallersPolicy {
  if (typeof written === 'number') return { crawlersByQueueLength: new Array<number>(capacity + 1).fill(written) };
  const { crawlersByQueueLength, thresholds, crawlersByState } = written;
  if (crawlersByState !== undefined) return { crawlersByState };
  return crawlersByQueueLength === undefined ? { thresholds: thresholds ?? [] } : { crawlersByQueueLength };
}

export const targetList = (id: string, capacity: number, mostCrawlers: number) =>
  list(integer({ atLeast: 0, atMost: mostCrawlers }).meta({ id }), {
    minItems: 2,
    maxItems: capacity + 1,
  });

/** Refuses targets of another capacity or of more crawlers than there are, and those that never wake. */
export function checkTargets(
  targets: readonly number[],
  capacity: number,
  crawlers: number | undefined,
  refuse: Refuse,
): boolean {
  const path = ['evaluate', 'targets'];
  if (targets.length !== capacity + 1) {
    const message = `must have ${capacity + 1} items, one for each queue length 0..${capacity}; got ${targets.length}`;
    refuse(path, 'wrong-length', message, targets);
    return false;
  }
  if (targets[0] < 1) {
    const message = 'must be at least 1: a controller that idles on an empty queue never wakes';
    refuse([...path, 0], 'first-target-zero', message, targets[0]);
    return false;
  }
  const excessIndex = crawlers === undefined ? -1 : targets.findIndex((target) => target > crawlers);
  if (excessIndex < 0) return true;
  const message = `must be at most crawlers (${crawlers}); got ${targets[excessIndex]}`;
  refuse([...path, excessIndex], 'above-crawlers', message, targets[excessIndex]);
  return false;
}
