/** What queue policies cost, their performance measures, and limits on these; each operation picks its own. */

import * as z from 'zod';
import { cost, costRate, crawlerCount, type Field, pageCount, rate, share, time } from '../../contract/field.ts';
import { numberOrNull, real } from '../../contract/range.ts';
import { closedObject } from '../../contract/strict-object.ts';

/** Larger costs are assumed to be in the wrong unit. */
export const largestCost = 1e15;

const price = (field: Field, fallback = 0) => real({ atLeast: 0, atMost: largestCost }).default(fallback).meta(field);

export const costFields = {
  loss: price(cost('Per lost page', { unit: 'cost/page' }), 1),
  starvation: price(costRate('γ: per time unit with nothing to index', { lever: { factor: 10 } })),
  crawler: price(cost('Per active crawler and time unit', { unit: 'cost/time' })),
  obsolescence: price(cost('Per page that expires while it waits', { unit: 'cost/page' })),
  response: price(cost('Per time unit of mean response time', { unit: 'cost/time' })),
};

const { loss, starvation, crawler } = costFields;

/** The costs of a queue whose pages do not expire. */
export const queueCosts = closedObject({ loss, starvation, crawler }).meta({
  id: 'Costs',
  description: 'Prices of starvation, loss and active crawlers',
});

const pagesPerTime = { unit: 'pages/time' } as const;

/** The measures of every queue operation, with the schema `of` each field. */
const averagesBy = <Schema>(of: (field: Field) => Schema) => ({
  starvationProbability: of(share('Share of time with an empty system', { role: 'first' })),
  lossRate: of(rate('Pages lost per time unit', pagesPerTime)),
  lossProbability: of(share('Share of arriving pages that find no room', { role: 'first' })),
  meanQueueLength: of(pageCount()),
});

/** Additional measures of a queue in which pages expire. */
export const measureFields = <Schema>(of: (field: Field) => Schema) => {
  const { starvationProbability, lossProbability, meanQueueLength } = averagesBy(of);
  return {
    arrivalRate: of(rate('Pages that arrive, lost ones included', pagesPerTime)),
    lossProbability,
    obsolescenceProbability: of(share('Share of arriving pages that expire')),
    successProbability: of(share('Share of arriving pages that are indexed')),
    starvationProbability,
    activeCrawlers: of(crawlerCount({ role: 'first' })),
    queueLength: meanQueueLength,
    responseTime: of(time('V1: mean time in the system of pages that are indexed', { role: 'first' })),
    obsoleteSojournTime: of(time('V2: mean time in the system of pages that expire; null: none do')),
    sojournTime: of(time('Mean time in the system of all arriving pages, 0 for lost ones')),
  };
};

const measureSchema = (field: Field) => z.number().meta(field);

export const queueAverages = averagesBy(measureSchema);

/** Measures of a policy, in the units of the request. */
export const queueMeasures = {
  ...measureFields(measureSchema),
  obsoleteSojournTime: measureFields((field) => numberOrNull.meta(field)).obsoleteSojournTime,
};

/** Upper limits on a policy's measures; an operation picks those it computes. */
export const upperLimits = (limit = () => real({ atLeast: 0 }).optional()) => ({
  lossRate: limit().meta(rate('Most pages lost per time unit', pagesPerTime)),
  lossProbability: limit().meta(share('Largest share of pages lost')),
  obsolescenceProbability: limit().meta(share('Largest share of pages expired')),
  starvationProbability: limit().meta(share('Largest share of time with an empty system')),
  responseTime: limit().meta(time('Longest mean time in the system of indexed pages')),
  activeCrawlers: limit().meta(crawlerCount('Most active crawlers on average')),
  meanQueueLength: limit().meta(pageCount('Most pages in the system on average')),
});
