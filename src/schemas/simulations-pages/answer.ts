/** The wire shape of `simulations/pages`' answer. */

import * as z from 'zod';
import { figure, share as percent } from '../../words/numbers.ts';
import type { Told } from '../contract/answer.ts';
import { cost, count, share, time } from '../contract/field.ts';
import { numberOrNull } from '../contract/range.ts';
import { tableAnswerSchema } from '../table/table-answer.ts';

const ofTime: typeof time = (description, options) => share(description, { unit: 'of the time', ...options });
const fetches: typeof time = (description, options) => count(description, { unit: 'fetches', ...options });
const changes: typeof time = (description, options) => count(description, { unit: 'changes', ...options });
const measured = (description: string, kind: typeof time) =>
  z
    .object({
      mean: z.number().meta(kind('Mean over the replications', { role: 'first' })),
      interval: z.array(z.number()).length(2).meta(kind('Its 95% interval [low, high]')),
    })
    .nullable()
    .describe(description);
const interval = z.array(z.number()).length(2);

export const simulationsPagesSolution = z.object({
  measures: z
    .object({
      freshness: measured('Share of time with a current copy, mean by weight', ofTime),
      staleness: measured('1 − freshness', ofTime),
      embarrassment: measured('Σ weight × share of time with a stale copy', cost),
      age: measured('Mean time since the first change that the copy lacks, by weight', time),
      delay: measured('Mean time from a change to its fetch, by weight; null: no change', time),
      fetches: measured('Fetches in the horizon, all pages together', fetches),
      changes: measured('Changes of all pages in the horizon', changes),
      changesSeen: measured('Fetches that found their page changed', fetches),
    })
    .describe('Measured between time 0 and the horizon'),
  pages: tableAnswerSchema(
    {
      freshness: z.number().meta(ofTime('Share of time with a current copy')),
      age: z.number().meta(time('Mean time since the first change that the copy lacks')),
      delay: numberOrNull.meta(time('Mean time from a change to its fetch; null: no change')),
      freshnessInterval: interval.meta(ofTime('Its 95% interval [low, high]')),
      ageInterval: interval.meta(time('Its 95% interval [low, high]')),
      delayInterval: interval.nullable().meta(time('Its 95% interval; null: no change')),
      fetches: z.number().meta(fetches('Fetches in the horizon')),
      changesSeen: z.number().meta(fetches('Fetches that found it changed')),
    },
    'With perPage: the pages, in the order and form of the request',
  ).optional(),
});

export function simulationsPagesSentence({ solution }: Told<typeof simulationsPagesSolution>): string {
  const { freshness, fetches: made, delay } = solution.measures;
  if (freshness === null) return 'Nothing was measured.';
  const error = (freshness.interval[1] - freshness.interval[0]) / 2;
  const waits = delay === null ? '' : ` A change waits ${figure(delay.mean, 3)} time units to be seen.`;
  return `Copies are fresh ${percent(freshness.mean, 3)} of the time (± ${percent(error)}), with ${figure(made?.mean ?? 0, 3)} fetches.${waits}`;
}
