/** What `crawl-price` answers, and the answer in words. */

import * as z from 'zod';
import { priceTolerance } from '../../solvers/crawl-price/index.ts';
import type { SolvedAnswer } from '../contract/answer.ts';
import { cost, id, number, pageCount, rate } from '../contract/field.ts';
import { countText, figure, share as percent } from '../words/numbers.ts';
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
  request: CheckedPrice,
): string {
  const { price, rate: spent, scale, withoutCrawl, hosts = [] } = solution;
  if (solution.crawls === 0) return 'No crawl is needed: the target is kept without one.';
  if (request.feedback !== undefined || spent === undefined || scale === undefined || withoutCrawl === undefined) {
    return feedbackSentence(price, request);
  }
  const needed =
    solution.crawls === undefined ? '' : `${figure(solution.crawls)} crawls per time unit keep the target. `;
  const limited = hosts.filter(({ limited: binds }) => binds).length;
  const none =
    withoutCrawl.pages < 0.5
      ? ''
      : ` About ${countText(Math.round(withoutCrawl.pages), 'page is', 'pages are')} never crawled.`;
  const hosted = limited === 0 ? '' : ` ${countText(limited, 'host pays', 'hosts pay')} more, as the limit binds.`;
  const error = Math.abs(scale - 1);
  const rest = error < 5e-4 ? '' : `, ${percent(error)} off what there is`;
  return `${needed}Crawl a page whenever that is worth ${figure(price)}: all pages then take ${figure(spent)} crawls per time unit${rest}.${none}${hosted}`;
}

function feedbackSentence(price: number, { feedback: given }: CheckedPrice): string {
  if (given === undefined) return `Crawl a page whenever that is worth ${figure(price)}.`;
  const made = `${countText(Math.round(given.seen), 'fetch was', 'fetches were')} made where ${figure(given.wanted)} were wanted`;
  const error = percent(Math.abs(price / given.price - 1));
  const moved = price > given.price ? `up by ${error}` : price < given.price ? `down by ${error}` : 'as before';
  return `Fetch a page whenever that is worth ${figure(price)}, ${moved}: ${made}.`;
}
