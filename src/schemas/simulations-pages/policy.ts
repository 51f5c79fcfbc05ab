/** The policy of fetches that `simulations/pages` runs: its wire shape, and the policy as the solver takes it. */
import * as z from 'zod';
import { objectiveNames } from '../../solvers/objectives/index.ts';
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
import { type Refuse, refusals } from '../contract/refusals.ts';
import { list } from '../parts/list.ts';
import { numberList } from '../parts/number-list.ts';
import { strictObject } from '../parts/strict-object.ts';
import { simulationsPagesLimits } from './limits.ts';

const interval = z.number().positive().max(1e12);
export const share = z.number().min(0).max(1);

const plan = strictObject({
  crawls: z.int().min(1).max(1_000_000).describe('Fetches in each plan'),
  every: interval.describe('Seconds from one plan to the next'),
  estimator: z
    .enum(['maximum-likelihood', 'drifting-rate'])
    .default('drifting-rate')
    .describe('How rates are learnt from the fetches, as in crawl-plan'),
  floor: share.default(0.05).describe('Share of the crawls that is spread evenly, as in crawl-plan'),
  objective: z.enum(objectiveNames).default('freshness').describe('What staleness costs, as in crawl-plan'),
  minInterval: z.number().min(0).max(1e12).optional().describe('Shortest fetch interval of all pages, in seconds'),
  maxInterval: interval.optional().describe('Longest fetch interval of all pages, in seconds'),
  hosts: list(
    strictObject({
      host: z.string().min(1).max(2048).describe('The host, as the pages name it'),
      minDelay: z.number().min(0).max(1e12).default(0).describe('Least seconds between two fetches of the host'),
      maxRate: z.number().min(1e-12).max(1e9).optional().describe('Most fetches of the host a second in the mean'),
    }),
    { minItems: 0, maxItems: simulationsPagesLimits.pages },
    'hosts {host, minDelay?, maxRate?}',
  )
    .optional()
    .describe('Hosts with what they ask for, as in crawl-plan'),
  exploration: z
    .enum(['none', 'value-of-information'])
    .default('none')
    .describe('Whether pages in doubt are also fetched for what that teaches, as in crawl-plan'),
  groups: z
    .enum(['none', 'group', 'host'])
    .default('none')
    .describe('Whether plans learn which pages of a group, or of a host, change together, as in crawl-plan'),
  horizon: z
    .enum(['long-run', 'interval'])
    .default('long-run')
    .describe('Whether a plan looks beyond its interval, as in crawl-plan'),
}).describe('Plans as crawl-plan makes them, each from what the fetches before it have seen; times are in seconds');

const policyShape = {
  rates: numberList(
    'Fetches per time unit, one for each page',
    { minItems: 1, maxItems: simulationsPagesLimits.pages },
    { atLeast: 0, atMost: 1e12 },
  ).optional(),
  spacing: z.enum(['even', 'random']).optional().describe('With rates: evenly spaced fetches (default), or at random'),
  schedule: z
    .array(
      strictObject({
        time: z.number().min(0).describe('When, from time 0'),
        page: z.int().min(0).describe('Position of the page'),
      }),
    )
    .max(simulationsPagesLimits.scheduledFetches)
    .optional()
    .describe('Fetches at given times'),
  sequence: numberList(
    'Positions of pages, fetched in this order for ever',
    { minItems: 1, maxItems: simulationsPagesLimits.sequence },
    { atLeast: 0, integer: true },
  ).optional(),
  crawlRate: z.number().positive().max(1e12).optional().describe('With sequence: fetches per time unit'),
  plan: plan.optional(),
  adaptive: z
    .enum(['nutch', 'stormcrawler'])
    .optional()
    .describe('The rule by which that crawler adapts each page’s interval, in seconds, with its shipped defaults'),
  defaultInterval: interval.optional().describe('With adaptive: fetch interval of a new page, in seconds'),
  minInterval: interval.optional().describe('With adaptive: shortest fetch interval, in seconds'),
  maxInterval: interval.optional().describe('With adaptive: longest fetch interval, in seconds'),
  incRate: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('With adaptive: share by which an unchanged page’s interval grows'),
  decRate: share.optional().describe('With adaptive: share by which a changed page’s interval shrinks'),
  syncDelta: z.boolean().optional().describe('With nutch: whether the next fetch moves towards the time of change'),
  syncDeltaRate: share
    .optional()
    .describe('With nutch: by which share of the time since the page was last seen changed'),
  longestWait: interval
    .optional()
    .describe('With nutch: db.fetch.interval.max, in seconds; a fetch planned further ahead is made at the next run'),
  cycle: interval.optional().describe('With nutch: seconds from one run of its generator to the next (default 3600)'),
};

/** The forms of a policy, each named by the property that must be there, with those that may stand beside it. */
const forms = {
  rates: ['spacing'],
  schedule: [],
  sequence: ['crawlRate'],
  plan: [],
  adaptive: [
    'defaultInterval',
    'minInterval',
    'maxInterval',
    'incRate',
    'decRate',
    'syncDelta',
    'syncDeltaRate',
    'longestWait',
    'cycle',
  ],
} as const;
type FormName = keyof typeof forms;

function isFormName(name: string): name is FormName {
  return name in forms;
}

export const policySchema = strictObject(policyShape)
  .check(({ value, issues }) => {
    const refuse = refusals(issues);
    const given = Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [name]));
    const chosen = given.filter(isFormName);
    if (chosen.length !== 1) {
      const got = chosen.length === 0 ? 'none of them' : chosen.join(' and ');
      refuse([], 'one-of', `must have exactly one of ${Object.keys(forms).join(', ')}; got ${got}`, value);
      return;
    }
    const beside: readonly string[] = forms[chosen[0]];
    for (const name of given) {
      if (isFormName(name) || beside.includes(name)) continue;
      refuse([name], 'not-applicable', `does not belong to a policy of ${chosen[0]}; leave it out`, undefined);
    }
    const { minInterval, maxInterval } = value;
    if (minInterval !== undefined && maxInterval !== undefined && minInterval > maxInterval) {
      refuse(
        ['minInterval'],
        'above-max-interval',
        `must be at most maxInterval (${maxInterval}); got ${minInterval}`,
        minInterval,
      );
    }
    if (value.sequence !== undefined && value.crawlRate === undefined) {
      refuse(['crawlRate'], 'crawl-rate-missing', 'is required with sequence: fetches per time unit', undefined);
    }
  })
  .describe(
    'How the pages are fetched: exactly one of rates, schedule, sequence, plan, adaptive, with what belongs to it',
  );

export type Policy = z.output<typeof policySchema>;

/** What a policy has to know of the pages. */
export interface PolicyPages {
  readonly weight: Float64Array;
  readonly host: readonly (string | undefined)[];
  readonly group: readonly (string | undefined)[];
}

/** The policy with its defaults; what does not fit the pages is refused. */
export function policyOf(policy: Policy, { weight, host, group }: PolicyPages, refuse: Refuse): FetchPolicy {
  const pages = weight.length;
  const { rates, schedule, sequence, crawlRate, plan: planned, adaptive } = policy;
  if (rates !== undefined) {
    if (rates.length !== pages) {
      refuse(
        ['policy', 'rates'],
        'wrong-length',
        `must have ${pages} items, one for each page; got ${rates.length}`,
        rates,
      );
    }
    return { type: 'rates', rates: Float64Array.from(rates), spacing: policy.spacing ?? 'even' };
  }
  if (schedule !== undefined) {
    for (const [k, { page }] of schedule.entries()) {
      if (page >= pages) refuse(['policy', 'schedule', k, 'page'], 'no-such-page', mustBePage(pages, page), page);
    }
    const sorted = [...schedule].sort((a, b) => a.time - b.time);
    return {
      type: 'schedule',
      times: Float64Array.from(sorted, ({ time }) => time),
      pages: Uint32Array.from(sorted, ({ page }) => page),
    };
  }
  if (sequence !== undefined && crawlRate !== undefined) {
    for (const [k, page] of sequence.entries()) {
      if (page >= pages) refuse(['policy', 'sequence', k], 'no-such-page', mustBePage(pages, page), page);
    }
    return { type: 'sequence', sequence: Uint32Array.from(sequence), crawlRate };
  }
  if (planned !== undefined) return planOf(planned, { weight, host, group }, refuse);
  // A bound of the caller's alone moves the other default along, so that the shortest stays below the longest.
  const shipped = adaptive === 'nutch' ? nutchDefaults : stormCrawlerDefaults;
  const minInterval =
    policy.minInterval ?? Math.min(shipped.minInterval, policy.maxInterval ?? Number.POSITIVE_INFINITY);
  const maxInterval = policy.maxInterval ?? Math.max(shipped.maxInterval, minInterval);
  const chosen = Object.entries(policy).filter(([, value]) => value !== undefined);
  const given = { ...Object.fromEntries(chosen), minInterval, maxInterval };
  if (adaptive === 'nutch') return { type: 'adaptive', rule: nutchRule(merged<NutchParameters>(nutchDefaults, given)) };
  for (const name of ['syncDelta', 'syncDeltaRate', 'longestWait', 'cycle'] as const) {
    if (policy[name] !== undefined) {
      refuse(['policy', name], 'not-applicable', 'belongs to nutch; StormCrawler has no such parameter', policy[name]);
    }
  }
  return { type: 'adaptive', rule: stormCrawlerRule(merged<StormCrawlerParameters>(stormCrawlerDefaults, given)) };
}

type Plan = NonNullable<Policy['plan']>;

function planOf(planned: Plan, { weight, host, group }: PolicyPages, refuse: Refuse): FetchPolicy {
  const { hosts = [], exploration, groups, estimator } = planned;
  const explores = exploration !== 'none';
  if (explores && (estimator === 'maximum-likelihood' || planned.horizon === 'interval')) {
    const message = 'takes a drifting rate and the horizon long-run: leave one out';
    refuse(['policy', 'plan', 'exploration'], 'not-applicable', message, exploration);
  }
  const position = new Map<string, number>();
  for (const [h, { host: name }] of hosts.entries()) {
    if (position.has(name)) {
      refuse(['policy', 'plan', 'hosts', h, 'host'], 'duplicate', `host ${name} is listed twice`, name);
    }
    position.set(name, h);
  }
  const groupNames = [...new Set((groups === 'host' ? host : group).filter((name) => name !== undefined))];
  if (groups !== 'none' && groupNames.length === 0) {
    const message = `groups: "${groups}" asks for pages with a ${groups}; none has one: name them, or leave groups out`;
    refuse(['policy', 'plan', 'groups'], 'group-missing', message, groups);
  }
  const at = new Map(groupNames.map((name, g) => [name, g]));
  return planningPolicy({
    ...planned,
    weight,
    exploration: explores,
    hosts: {
      of: Int32Array.from(host, (name = '') => position.get(name) ?? -1),
      names: hosts.map(({ host: name }) => name),
      minDelay: Float64Array.from(hosts, ({ minDelay }) => minDelay),
      maxRate: Float64Array.from(hosts, ({ maxRate }) => maxRate ?? Number.POSITIVE_INFINITY),
    },
    groups:
      groups === 'none'
        ? undefined
        : {
            group: Int32Array.from(groups === 'host' ? host : group, (name = '') => at.get(name) ?? -1),
            names: groupNames,
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
