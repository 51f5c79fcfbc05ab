/** The wire shape of `simulations/pages`' answer. */
import * as z from 'zod';
import { tableAnswerSchema } from '../table/table-answer.ts';

const estimate = z.object({
  mean: z.number().describe('Mean over the replications'),
  interval: z.array(z.number()).length(2).describe('95% confidence interval of the mean: [low, high]'),
});
const interval = z.array(z.number()).length(2);
const measured = (description: string) => estimate.nullable().describe(description);

export const simulationsPagesSolution = z.object({
  measures: z
    .object({
      freshness: measured('Share of time with a current copy, mean over pages by weight'),
      staleness: measured('1 − freshness'),
      embarrassment: measured('Σ weight × share of time with a stale copy'),
      age: measured('Mean time since the first change that the copy lacks; 0 while it lacks none; by weight'),
      delay: measured('Mean time from a change to the fetch that sees it, by weight; null where nothing changed'),
      fetches: measured('Fetches in the horizon, all pages together'),
      changes: measured('Changes of all pages in the horizon'),
      changesSeen: measured('Fetches that found their page changed'),
    })
    .describe('Measured between time 0 and the horizon'),
  pages: tableAnswerSchema(
    {
      freshness: z.number().describe('Share of time with a current copy, mean over the replications'),
      age: z.number().describe('Mean time since the first change that the copy lacks'),
      delay: z
        .number()
        .nullable()
        .describe('Mean time from a change to the fetch that sees it; null: it never changed'),
      freshnessInterval: interval.describe('95% interval of freshness: low, high'),
      ageInterval: interval.describe('95% interval of age'),
      delayInterval: interval.nullable().describe('95% interval of delay; null: it never changed'),
      fetches: z.number().describe('Fetches in the horizon'),
      changesSeen: z.number().describe('Fetches that found it changed'),
    },
    'The pages, in the order and form of the request; on request (perPage)',
  ).optional(),
});
