/** A policy of the caller's, as `evaluate` takes it. */
import * as z from 'zod';
import type { WrittenPolicy } from '../../../solvers/queue/index.ts';
import type { CrawlersByState } from '../../../solvers/queue/state-policy.ts';
import { count, plain, position } from '../../contract/field.ts';
import { conditions } from '../../contract/refusals.ts';
import { strictObject } from '../../contract/strict-object.ts';
import { numberList, numberMatrix } from '../number-list.ts';
import { mostCrawlers, queueLimits } from './limits.ts';

/** Most pairs of an arrival phase and a service phase of a table by state. */
const mostRows = queueLimits.capacity + queueLimits.matrices;

/** So many crawlers always active. */
export const alwaysActive = z
  .int()
  .min(0)
  .max(mostCrawlers)
  .meta(count('So many crawlers always active', { unit: 'crawlers' }));

/** The forms of a policy that is a count for each queue length. */
export const policyForms = {
  crawlersByQueueLength: numberList(
    count('Active crawlers at each queue length 0..K: K + 1 counts that the arrivals know', { unit: 'crawlers' }),
    {
      minItems: 1,
      maxItems: queueLimits.capacity + 1,
    },
  ).optional(),
  thresholds: numberList(
    count(
      'N − 1 integers in −1..K that do not decrease: the last queue length of the most active mode, of the next, …; −1: unused',
      { unit: 'pages' },
    ),
    { minItems: 0, maxItems: queueLimits.modes - 1 },
  ).optional(),
  crawlersByState: strictObject({
    phases: numberMatrix(
      position(
        'The columns of the table: pairs [arrival phase, service phase], numbered from 0 as in arrivals and service; each pair once',
      ),
      { rows: queueLimits.phasePairs, columns: 2 },
      { atLeast: 0, atMost: queueLimits.phasePairs, integer: true },
    ),
    table: numberMatrix(
      count(
        'Active crawlers in each state: a row for each queue length from 0, a column for each pair of phases; row 0 (nothing is ' +
          'being indexed) depends on the arrival phase alone',
        { unit: 'crawlers' },
      ),
      { rows: mostRows, columns: queueLimits.phasePairs },
      { atLeast: 0, atMost: mostCrawlers, integer: true },
    ),
  })
    .optional()
    .describe('A count for each queue length and phases, as `observe` answers it'),
};

const policy = strictObject(policyForms).check(
  conditions((forms, refuse) => {
    const given = Object.values(forms).filter((form) => form !== undefined);
    if (given.length === 1) return;
    refuse([], 'one-of', 'must have crawlersByQueueLength, thresholds or crawlersByState, one of them', forms);
  }),
);

/** `evaluate` of threshold-policy. */
export const evaluatedPolicy = z
  .union([alwaysActive, policy])
  .meta(
    plain(
      'Evaluate this policy instead of searching for the best: a number of crawlers always active, or a policy as crawlers by queue ' +
        'length, as thresholds, or as a table by queue length and phases',
    ),
  );

/** A policy as solvers take it. */
export type CallersPolicy = WrittenPolicy | { readonly crawlersByState: CrawlersByState };

/** The policy as the solver takes it; the schema has seen that there is one form. */
export function callersPolicy(written: z.output<typeof evaluatedPolicy>, capacity: number): CallersPolicy {
  if (typeof written === 'number') return { crawlersByQueueLength: new Array<number>(capacity + 1).fill(written) };
  const { crawlersByQueueLength, thresholds, crawlersByState } = written;
  if (crawlersByState !== undefined) return { crawlersByState };
  return crawlersByQueueLength === undefined ? { thresholds: thresholds ?? [] } : { crawlersByQueueLength };
}
