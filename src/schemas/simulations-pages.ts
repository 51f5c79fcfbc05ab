/** Request and answer of simulations/pages. */
import * as z from 'zod';
import { objectiveNames } from '../solvers/objectives/index.ts';
import {
  type FetchPolicy,
  meanUpdateRate,
  type NutchParameters,
  nutchDefaults,
  nutchRule,
  type PageSimulationProblem,
  planningPolicy,
  type StormCrawlerParameters,
  stormCrawlerDefaults,
  stormCrawlerRule,
} from '../solvers/page-simulation/index.ts';
import { maxReplications, minReplications } from '../solvers/simulation/index.ts';
import { requestSchema } from './contract/options.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { numberList } from './parts/number-list.ts';
import {
  type SimulatedUpdatesInput,
  simulatedProcess,
  simulatedProcessColumns,
  simulatedUpdatesColumn,
  updatesOfColumns,
} from './parts/simulated-process.ts';
import { strictObject } from './parts/strict-object.ts';
import { maxUpdateTimes } from './parts/update-process.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, rowsOrColumns, type Table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const simulationsPagesLimits = {
  pages: 1_000_000,
  scheduledFetches: 1_000_000,
  sequence: 1_000_000,
  replications: maxReplications,
  updateTimesPerPage: maxUpdateTimes,
  plans: 100_000,
} as const;

const pageColumns = {
  weight: numberColumn('Importance of the page: measures are means over pages by weight', {
    atLeast: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  lastCrawlAge: numberColumn(
    'Time since the last fetch, at time 0; left out: never fetched. Rates, sequences and adaptive rules start in their steady state instead',
    { atLeast: 0, atMost: 1e12, optional: true },
  ),
  group: textColumn('Pages of one group change together with chance `share`; their updates are Poisson', {
    optional: true,
  }),
};

const interval = z.number().positive().max(1e12);
const share = z.number().min(0).max(1);

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
};

/** The forms of a policy, each named by the property that must be there, with those that may stand beside it. */
const forms = {
  rates: ['spacing'],
  schedule: [],
  sequence: ['crawlRate'],
  plan: [],
  adaptive: ['defaultInterval', 'minInterval', 'maxInterval', 'incRate', 'decRate', 'syncDelta', 'syncDeltaRate'],
} as const;
type FormName = keyof typeof forms;

function isFormName(name: string): name is FormName {
  return name in forms;
}

const policySchema = strictObject(policyShape)
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

type Policy = z.output<typeof policySchema>;

const wireRequest = requestSchema({
  pages: rowsOrColumns(
    { updates: simulatedUpdatesColumn, ...pageColumns },
    { ...simulatedProcessColumns, ...pageColumns },
    {
      maxRows: simulationsPagesLimits.pages,
      description: 'The pages: how each changes, what it weighs, and with which others it changes',
    },
  ),
  share: share.optional().describe('Chance that a change of a page is a change of its siblings; needed with groups'),
  policy: policySchema,
  horizon: z.number().positive().max(1e15).describe('Time units observed in each replication'),
  replications: z
    .int()
    .min(minReplications)
    .max(maxReplications)
    .default(20)
    .describe('Independent replications; the intervals are by Student’s t over them (default 20)'),
  perPage: z.boolean().default(false).describe('Whether to answer the measures of every page too'),
});

export interface CheckedPageSimulation {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: PageSimulationProblem;
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export const simulationsPagesRequest = wireRequest.transform((request, context): CheckedPageSimulation => {
  const refuse = refusals(context.issues);
  const { pages, policy, horizon, replications, perPage } = request;
  const { columns } = pages;
  const rows = 'updates' in columns ? columns.updates : updatesOfColumns(columns, refuse);
  checkUpdates(rows, pages.form, refuse);
  const { group, count } = groupsOf(columns.group);
  checkGroups(rows, group, request.share, refuse);
  const weight = columns.weight;
  if (pages.length === 0 || !weight.some((w) => w > 0)) {
    refuse(
      ['pages'],
      'no-weight',
      'must have at least one page of a positive weight: measures are means by weight',
      pages,
    );
  }
  const problem: PageSimulationProblem = {
    updates: rows.flatMap((each) => (each === undefined ? [] : [simulatedProcess(each)])),
    weight,
    lastCrawlAge: columns.lastCrawlAge,
    group,
    share: new Float64Array(count).fill(request.share ?? 0),
    policy: policyOf(policy, pages.length, weight, refuse),
    horizon,
    replications,
    perPage,
  };
  return { options: request.options, problem, pages: { form: pages.form, length: pages.length, ids: pages.ids } };
});

function checkUpdates(rows: readonly (SimulatedUpdatesInput | undefined)[], form: string, refuse: Refuse): void {
  for (const [i, each] of rows.entries()) {
    if (each === undefined) continue;
    const at = (name: string): PropertyKey[] => (form === 'rows' ? ['pages', i, 'updates', name] : ['pages', name, i]);
    if (each.type === 'periodic' && (each.jitter ?? 0) > each.period / 2) {
      const message = `must be at most half the period (${each.period / 2}), so that updates keep their order; got ${each.jitter}`;
      refuse(at('jitter'), 'jitter-above-half-period', message, each.jitter);
    }
    if (each.type === 'quasi-deterministic' && each.times.length !== each.probabilities.length) {
      const message = `must have ${each.times.length} items, one for each of times; got ${each.probabilities.length}`;
      refuse(at('probabilities'), 'wrong-length', message, each.probabilities);
    }
    const rate = each.type === 'quasi-deterministic' ? 1 : meanUpdateRate(simulatedProcess(each));
    if (!(rate >= 1e-12 && rate <= 1e12)) {
      const message = `must change between 1e-12 and 1e12 times per time unit in the mean; it comes to ${rate}`;
      refuse(form === 'rows' ? ['pages', i, 'updates'] : ['pages', 'process', i], 'rate-out-of-range', message, rate);
    }
  }
}

function groupsOf(names: readonly (string | undefined)[]): { group: Int32Array; count: number } {
  const position = new Map<string, number>();
  const group = Int32Array.from(names, (name) => {
    if (name === undefined) return -1;
    const known = position.get(name) ?? position.size;
    position.set(name, known);
    return known;
  });
  return { group, count: position.size };
}

function checkGroups(
  rows: readonly (SimulatedUpdatesInput | undefined)[],
  group: Int32Array,
  chance: number | undefined,
  refuse: Refuse,
): void {
  const first = group.findIndex((each) => each >= 0);
  if (first < 0) return;
  if (chance === undefined) {
    refuse(['share'], 'share-missing', 'is required where pages have a group: a chance from 0 to 1', undefined);
  }
  for (const [i, each] of rows.entries()) {
    if (group[i] < 0 || each === undefined || each.type === 'poisson') continue;
    const message = `must be poisson for a page with a group; got ${each.type}`;
    refuse(['pages', i, 'updates', 'type'], 'group-not-poisson', message, each.type);
  }
}

function policyOf(policy: Policy, pages: number, weight: Float64Array, refuse: Refuse): FetchPolicy {
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
  if (planned !== undefined) return planningPolicy({ ...planned, weight });
  // A bound of the caller's alone moves the other default along, so that the shortest stays below the longest.
  const shipped = adaptive === 'nutch' ? nutchDefaults : stormCrawlerDefaults;
  const minInterval =
    policy.minInterval ?? Math.min(shipped.minInterval, policy.maxInterval ?? Number.POSITIVE_INFINITY);
  const maxInterval = policy.maxInterval ?? Math.max(shipped.maxInterval, minInterval);
  const chosen = Object.entries(policy).filter(([, value]) => value !== undefined);
  const given = { ...Object.fromEntries(chosen), minInterval, maxInterval };
  if (adaptive === 'nutch') return { type: 'adaptive', rule: nutchRule(merged<NutchParameters>(nutchDefaults, given)) };
  for (const name of ['syncDelta', 'syncDeltaRate'] as const) {
    if (policy[name] !== undefined) {
      refuse(['policy', name], 'not-applicable', 'belongs to nutch; StormCrawler has no such parameter', policy[name]);
    }
  }
  return { type: 'adaptive', rule: stormCrawlerRule(merged<StormCrawlerParameters>(stormCrawlerDefaults, given)) };
}

function merged<Parameters extends object>(defaults: Parameters, given: Readonly<Record<string, unknown>>): Parameters {
  const known = Object.keys(defaults).filter((name) => name in given);
  return { ...defaults, ...Object.fromEntries(known.map((name) => [name, given[name]])) };
}

function mustBePage(pages: number, page: number): string {
  return `must be the position of a page, 0..${pages - 1}; got ${page}`;
}

const estimate = z.object({
  mean: z.number().describe('Mean over the replications'),
  interval: z.array(z.number()).length(2).describe('95% confidence interval of the mean: [low, high]'),
});
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
      fetches: z.number().describe('Fetches in the horizon'),
      changesSeen: z.number().describe('Fetches that found it changed'),
    },
    'The pages, in the order and form of the request; on request (perPage)',
  ).optional(),
});
