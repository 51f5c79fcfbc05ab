/** What `crawl-price` answers, and the answer in words. */

import * as z from 'zod';
import { priceTolerance } from '../../solvers/crawl-price/index.ts';
import type { SolvedAnswer } from '../contract/answer.ts';
import { cost, id, number, pageCount, rate } from '../contract/field.ts';
import { countText, figure } from '../words/numbers.ts';
import type { CheckedPrice } from './request.ts';

const hostAnswer = z.object({
  host: z.string().meta(id('The host')),
  price: z.number().meta(cost('Price of its pages: higher if a limit binds', { unit: 'weight × time' })),
  scale: z.number().meta(number("By what the rates at that price are multiplied to spend the host's share")),
  rate: z.number().meta(rate('Crawls of its pages', { unit: 'crawls/time' })),
  limited: z.boolean().describe('Whether a limit binds it'),
});

export const crawlPriceSolution = z.object({
  price: z.number().meta(
    cost('The price: crawl each page at the rate at which its next crawl is worth it', {
      unit: 'weight × time',
      role: 'first',
    }),
  ),
  priceBracket: z
    .array(z.number())
    .length(2)
    .optional()
    .meta(cost('Of a histogram: [low, high] around the exact price', { unit: 'weight × time' })),
  rate: z
    .number()
    .optional()
    .meta(rate('Of a histogram: estimated crawl rate at the price, before rescaling', { unit: 'crawls/time' })),
  scale: z.number().optional().meta(number('Of a histogram: factor of the rates')),
  crawls: z
    .number()
    .optional()
    .meta(rate('With target: the fewest crawls that keep it', { unit: 'crawls/time', role: 'first' })),
  withoutCrawl: z
    .object({
      pages: z.number().meta(pageCount('How many pages, estimated')),
      bracket: z.array(z.number()).length(2).meta(pageCount('Of a histogram: [low, high] around the exact number')),
    })
    .optional()
    .describe('Of a histogram: pages that are never crawled'),
  hosts: z.array(hostAnswer).optional().describe('The given hosts that occur in the buckets'),
});

export const priceStatements = z
  .object({
    histogram: z.string().describe('Query whose rows are `buckets`'),
    plan: z.string().describe('Query for id, rate, interval and staleness of every page'),
  })
  .describe('SQL in the dialect asked for');

export const priceToleranceText = String(priceTolerance);

export function crawlPriceSentence(
  { solution }: SolvedAnswer<typeof crawlPriceSolution>,
  { feedback }: CheckedPrice,
): string {
  const { price, rate: spent, crawls, withoutCrawl } = solution;
  if (crawls === 0) return 'No crawl is needed: the target is kept without one.';
  const rule = `Crawl a page whenever that is worth ${figure(price)}`;
  if (feedback !== undefined) {
    const made = countText(Math.round(feedback.seen), 'fetch was', 'fetches were');
    return `${rule}, in place of ${figure(feedback.price)}: ${made} made where ${figure(feedback.wanted)} were wanted.`;
  }
  const never = countText(Math.round(withoutCrawl?.pages ?? 0), 'page is', 'pages are');
  return `${rule}: all pages then take ${figure(spent)} crawls per time unit, and about ${never} never crawled.`;
}
