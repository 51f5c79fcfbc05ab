/** The policy of fetches that `simulations/pages` runs: its wire shape, and the policy as the solver takes it. */

import * as z from 'zod';
import {
  type FetchPolicy,
  type NutchParameters,
  nutchDefaults,
  nutchRule,
  planningPolicy,
  type StormCrawlerParameters,
  stormCrawlerDefaults,
  stormCrawlerRule,
} from '../../solvers/page-simulation/index.ts';
import { objectiveNames } from '../../solvers/pages/objectives/index.ts';
import { crawlCount, id, moment, number, plain, position, rate, share, time } from '../contract/field.ts';
import { integer, real } from '../contract/range.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { hostPositions, hostsAround, withinPlanned } from '../parts/hosts-around.ts';
import { list } from '../parts/list.ts';
import { numberList } from '../parts/number-list.ts';
import { simulationsPagesLimits } from './limits.ts';

const interval = real({ above: 0, atMost: 1e12 });
export const portion = real({ atLeast: 0, atMost: 1 });

const plan = strictObject({
  type: z.literal('plan').describe('Plans of crawl-plan, each from what fetches have seen; in seconds'),
  crawls: integer({ atLeast: 1, atMost: 1_000_000 }).meta(crawlCount('Fetches in each plan')),
  every: interval.meta(time('Time from one plan to the next', { unit: 'seconds' })),
  evenShare: portion.default(0.05).meta(share('Share of the fetches spread evenly')),
  objective: z.enum(objectiveNames).default('freshness').describe('What staleness costs, as in crawl-plan'),
  minInterval: real({ atLeast: 0, atMost: 1e12 })
    .optional()
    .meta(time('Shortest fetch interval of all pages', { unit: 'seconds' })),
  maxInterval: interval.optional().meta(time('Longest fetch interval of all pages', { unit: 'seconds' })),
  hosts: list(
    strictObject({
      host: z.string().min(1).max(2048).meta(id('The host, as the pages name it')),
      minDelay: real({ atLeast: 0, atMost: 1e12 })
        .default(0)
        .meta(time('Least time between two fetches of the host', { unit: 'seconds' })),
      maxRate: real({ atLeast: 1e-12, atMost: 1e9 })
        .optional()
        .meta(rate('Most fetches of the host on average', { unit: '1/second' })),
      within: withinPlanned,
    }),
    { minItems: 0, maxItems: simulationsPagesLimits.pages },
    'hosts {host, minDelay?, maxRate?, within?}',
  )
    .optional()
    .describe('Hosts with their limits'),
  planFor: z
    .enum(['ever', 'interval'])
    .default('ever')
    .meta(plain('Whether a plan looks beyond its interval', { role: 'advanced' })),
});

const rates = strictObject({
  type: z.literal('rates').describe('Every page at its own rate'),
  rates: numberList(
    rate('Fetches per time unit, one rate per page', { unit: 'fetches/time' }),
    { minItems: 1, maxItems: simulationsPagesLimits.pages },
    { atLeast: 0, atMost: 1e12 },
  ),
  spacing: z.enum(['even', 'random']).default('even').describe('Evenly spaced fetches, or fetches at random'),
});

const schedule = strictObject({
  type: z.literal('schedule').describe('Fetches at given times'),
  schedule: z
    .array(
      strictObject({
        time: real({ atLeast: 0 }).meta(moment('When, from time 0')),
        page: integer({ atLeast: 0 }).meta(position('Position of the page')),
      }),
    )
    .max(simulationsPagesLimits.scheduledFetches)
    .describe('The fetches'),
});

const sequence = strictObject({
  type: z.literal('sequence').describe('Pages in turn, for ever'),
  sequence: numberList(
    position('Positions of pages, repeated for ever'),
    { minItems: 1, maxItems: simulationsPagesLimits.sequence },
    { atLeast: 0, integer: true },
  ),
  crawlRate: real({ above: 0, atMost: 1e12 }).meta(rate('Fetches of all pages together')),
});

const seconds = { unit: 'seconds' } as const;
const adaptive = strictObject({
  type: z.literal('adaptive').describe('A crawler’s adaptive rule; in seconds'),
  rule: z.enum(['nutch', 'stormcrawler']).describe('Whose rule, with its shipped parameters by default'),
  defaultInterval: interval.optional().meta(time('Fetch interval of a new page', seconds)),
  minInterval: interval.optional().meta(time('Shortest fetch interval', seconds)),
  maxInterval: interval.optional().meta(time('Longest fetch interval', seconds)),
  incRate: real({ atLeast: 0, atMost: 100 }).optional().meta(number('Growth of the interval if unchanged')),
  decRate: portion.optional().meta(share('Shrinkage of the interval if changed')),
  syncDelta: z.boolean().optional().describe('nutch: whether to move towards the time of change'),
  syncDeltaRate: portion.optional().meta(share('nutch: by which share of the time since the last change')),
  longestWait: interval.optional().meta(time('nutch: db.fetch.interval.max', seconds)),
  cycle: interval.optional().meta(time('nutch: time between runs of its generator; left out: 3600', seconds)),
}).check(({ value, issues }) => {
  const { minInterval, maxInterval } = value;
  if (minInterval === undefined || maxInterval === undefined || minInterval <= maxInterval) return;
  const message = `must be at most maxInterval (${maxInterval}); got ${minInterval}`;
  refusals(issues)(['minInterval'], 'above-max-interval', message, minInterval);
});

export const policySchema = z
  .discriminatedUnion('type', [rates, schedule, sequence, plan, adaptive])
  .describe('How the pages are fetched');

export type Policy = z.output<typeof policySchema>;

/** What a policy has to know of the pages. */
interface PolicyPages {
  readonly weight: Float64Array;
  readonly host: readonly (string | undefined)[];
}

/** The policy with its defaults; what does not fit the pages is refused. */
export function policyOf(policy: Policy, { weight, host }: PolicyPages, refuse: Refuse): FetchPolicy {
  const pages = weight.length;
  switch (policy.type) {
    case 'rates': {
      const message = `must have ${pages} items, one for each page; got ${policy.rates.length}`;
      if (policy.rates.length !== pages) refuse(['policy', 'rates'], 'wrong-length', message, policy.rates);
      return { ...policy, rates: Float64Array.from(policy.rates) };
    }
    case 'schedule': {
      for (const [k, { page }] of policy.schedule.entries())
        if (page >= pages) refuse(['policy', 'schedule', k, 'page'], 'no-such-page', mustBePage(pages, page), page);
      const sorted = [...policy.schedule].sort((a, b) => a.time - b.time);
      return {
        type: 'schedule',
        times: Float64Array.from(sorted, ({ time: at }) => at),
        pages: Uint32Array.from(sorted, ({ page }) => page),
      };
    }
    case 'sequence':
      for (const [k, page] of policy.sequence.entries())
        if (page >= pages) refuse(['policy', 'sequence', k], 'no-such-page', mustBePage(pages, page), page);
      return { ...policy, sequence: Uint32Array.from(policy.sequence) };
    case 'plan':
      return planOf(policy, { weight, host }, refuse);
    case 'adaptive':
      return adaptiveOf(policy, refuse);
  }
}

function adaptiveOf(policy: z.output<typeof adaptive>, refuse: Refuse): FetchPolicy {
  const { rule } = policy;
  // a bound of the caller's alone moves the other default along, so that the shortest stays below the longest
  const shipped = rule === 'nutch' ? nutchDefaults : stormCrawlerDefaults;
  const minInterval =
    policy.minInterval ?? Math.min(shipped.minInterval, policy.maxInterval ?? Number.POSITIVE_INFINITY);
  const maxInterval = policy.maxInterval ?? Math.max(shipped.maxInterval, minInterval);
  const chosen = Object.entries(policy).filter(([, value]) => value !== undefined);
  const given = { ...Object.fromEntries(chosen), minInterval, maxInterval };
  if (rule === 'nutch') return { type: 'adaptive', rule: nutchRule(merged<NutchParameters>(nutchDefaults, given)) };
  for (const name of ['syncDelta', 'syncDeltaRate', 'longestWait', 'cycle'] as const) {
    if (policy[name] !== undefined) {
      refuse(['policy', name], 'not-applicable', 'belongs to nutch; StormCrawler has no such parameter', policy[name]);
    }
  }
  return { type: 'adaptive', rule: stormCrawlerRule(merged<StormCrawlerParameters>(stormCrawlerDefaults, given)) };
}

function planOf(planned: z.output<typeof plan>, { weight, host }: PolicyPages, refuse: Refuse): FetchPolicy {
  const { hosts = [] } = planned;
  const refuseHere: Refuse = (path, ...why) => refuse(['policy', ...path], ...why);
  const positions = hostPositions(hosts, refuseHere);
  return planningPolicy({
    ...planned,
    weight,
    hosts: {
      of: Int32Array.from(host, (name = '') => positions.get(name) ?? -1),
      names: hosts.map(({ host: name }) => name),
      around: hostsAround(hosts, positions, refuseHere),
      minDelay: Float64Array.from(hosts, ({ minDelay }) => minDelay),
      maxRate: Float64Array.from(hosts, ({ maxRate }) => maxRate ?? Number.POSITIVE_INFINITY),
    },
  });
}

function merged<Parameters extends object>(defaults: Parameters, given: Readonly<Record<string, unknown>>): Parameters {
  const known = Object.keys(defaults).filter((name) => name in given);
  return { ...defaults, ...Object.fromEntries(known.map((name) => [name, given[name]])) };
}

function mustBePage(pages: number, page: number): string {
  return `must be the position of a page, 0..${pages - 1}; got ${page}`;
}
