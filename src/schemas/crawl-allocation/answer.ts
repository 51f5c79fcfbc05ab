/** The answer of `crawl-allocation`, and its sentence. */

import * as z from 'zod';
import type { SolvedAnswer } from '../contract/answer.ts';
import { cost, crawlCount, id, moment, number, position, share, time } from '../contract/field.ts';
import { crawlsNeeded, targetAnswerFields } from '../parts/targets/answer.ts';
import { targetConflict } from '../parts/targets/conflict.ts';
import { cellsOf, tableAnswerSchema } from '../table/table-answer.ts';
import { countText, figure } from '../words/numbers.ts';

const gain = z.number().nullable();

export const crawlAllocationSolution = z.object({
  crawls: crawlsNeeded,
  pages: tableAnswerSchema(
    {
      crawls: z.int().meta(crawlCount('Crawls in this interval', { role: 'first' })),
      staleness: z
        .number()
        .meta(share('Expected share of the interval with a stale copy', { unit: 'of the interval', role: 'first' })),
      meanDelay: z.number().optional().meta(time('Under delay: mean time until a change is seen')),
      idealTimes: z
        .array(z.number())
        .optional()
        .meta(moment('Ideal times of its crawls, from the start of the interval')),
    },
    'The pages, in the order and form of the request',
  ),
  shadowPrice: z
    .number()
    .meta(cost('Objective saved by one more crawl, or by the last one', { unit: 'weight × share of the interval' })),
  certificate: z
    .object({
      maxNextGain: gain.meta(number('Most that a further crawl saves; null: none')),
      minLastGain: gain.meta(number('Least that the last crawl of a page saves')),
    })
    .describe('Proof of optimality: maxNextGain ≤ minLastGain'),
  hosts: z
    .array(
      z.object({
        host: z.string().meta(id('The host')),
        crawls: z.int().meta(crawlCount('Crawls of its pages together')),
        full: z.boolean().describe('Whether its limit is reached'),
        maxNextGain: gain.meta(number('Most that a further crawl of its pages would save')),
        minLastGain: gain.meta(number('Least that the last crawl of its pages saves')),
      }),
    )
    .optional()
    .describe('The hosts with limits'),
});

export const crawlAllocationBeside = {
  ...targetAnswerFields,
  baselines: z
    .object({
      uniform: z.number().meta(number('With equal counts')),
      proportional: z.number().meta(number('With counts in proportion to update rates')),
    })
    .optional()
    .describe('With baselines: the objective of simpler allocations'),
};

const allocationConflict = z.object({
  detail: z.string().describe('Which limits clash, with the numbers'),
  limits: z
    .enum(['minCrawls', 'maxCrawls', 'host-minCrawls', 'host-maxCrawls'])
    .describe('minCrawls above the crawls; maxCrawls below them; minCrawls above a host limit; host limits below'),
  crawls: z.int().meta(crawlCount('Crawls to give out, of the request or the host')),
  least: z.int().meta(crawlCount('Fewest crawls the limits allow')),
  most: z.int().nullable().meta(crawlCount('Most crawls that limits allow; null: any number')),
  hosts: z.array(z.string()).describe('Hosts whose limits clash, at most 20'),
  pages: z.array(z.int()).meta(position('The pages with the largest limits that clash, at most 20')),
});

export const crawlAllocationConflict = z.union([allocationConflict, targetConflict]);

export function crawlAllocationSentence({ solution, objective }: SolvedAnswer<typeof crawlAllocationSolution>): string {
  const crawls = Array.from(cellsOf(solution.pages, 'crawls'), Number);
  const all = crawls.reduce((sum, each) => sum + each, 0);
  const to = `${countText(all, 'crawl')} to ${countText(crawls.filter((each) => each > 0).length, 'page')}`;
  if (solution.crawls === undefined) return `Give ${to}: the objective is then ${figure(objective?.value)}.`;
  if (all === 0) return 'No crawl is needed: the target is kept without one.';
  return `${to} keep the target, and fewer than ${figure(objective?.bound)} do not.`;
}
