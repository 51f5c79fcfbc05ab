/** The wire shapes of `crawl-allocation`, and its request as the solver takes it. */
import * as z from 'zod';
import {
  type CrawlAllocationProblem,
  maxTime,
  type PageHosts,
  poissonProcess,
  quasiDeterministicProcess,
} from '../solvers/crawl-allocation/index.ts';
import { objectiveNames } from '../solvers/objectives/index.ts';
import { requestSchema } from './contract/options.ts';
import { quoted } from './contract/problem.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { list } from './parts/list.ts';
import { processColumns, processesOfColumns } from './parts/process-columns.ts';
import { strictObject } from './parts/strict-object.ts';
import { maxUpdateTimes, processesOfRows, updatesColumn } from './parts/update-process.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, rowsOrColumns, type Table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const crawlAllocationLimits = {
  pages: 10_000_000,
  hosts: 1_000_000,
  crawls: 1_000_000_000,
  idealTimes: 20_000_000,
  updateTimesPerPage: maxUpdateTimes,
} as const;

const wholeCrawls = { atLeast: 0, atMost: crawlAllocationLimits.crawls, integer: true } as const;

const pageColumns = {
  weight: numberColumn('Importance w of the page: the objective is Σ weight·staleness (weight·cost)', {
    atLeast: 0,
    atMost: maxTime,
    optional: true,
    absent: 1,
  }),
  minCrawls: numberColumn('Fewest crawls in this interval', { ...wholeCrawls, optional: true, absent: 0 }),
  maxCrawls: numberColumn('Most crawls in this interval; left out: no limit', { ...wholeCrawls, optional: true }),
  lastCrawlAge: numberColumn('Time since the last crawl, at the start of the interval; left out: never crawled', {
    atLeast: 0,
    optional: true,
  }),
  host: textColumn('Host of the page; pages of a host named in `hosts` share its limit', { optional: true }),
};
export const allocationRows = { updates: updatesColumn, ...pageColumns };
export const allocationColumns = { ...processColumns, ...pageColumns };

const hostLimit = strictObject({
  host: z.string().max(2048).describe('The host, as the pages name it'),
  maxCrawls: z.int().min(0).max(crawlAllocationLimits.crawls).describe('Most crawls of its pages together'),
});

const wireRequest = requestSchema({
  interval: z.number().positive().describe('Length T of the interval, in time units'),
  crawls: z
    .int()
    .min(0)
    .max(crawlAllocationLimits.crawls)
    .describe('Crawls R to give out in the interval; all are given out'),
  pages: rowsOrColumns(allocationRows, allocationColumns, {
    maxRows: crawlAllocationLimits.pages,
    description: 'The pages: how each changes, what it weighs, its limits, and how long ago it was crawled',
  }),
  idealTimes: z.boolean().default(false).describe('Whether to answer when each crawl should be made'),
  baselines: z
    .boolean()
    .default(false)
    .describe('Whether to cost simpler allocations as well: equal counts, by update rate, both by weight, unweighted'),
  hosts: list(hostLimit, { minItems: 0, maxItems: crawlAllocationLimits.hosts }, 'hosts {host, maxCrawls}')
    .optional()
    .describe('Hosts whose pages together may take only so many crawls'),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .describe(
      'What staleness costs: freshness (share of time with a stale copy), and for Poisson pages delay (how long items ' +
        'wait), age (how old what is shown is), harmonic (no page may starve)',
    ),
  quasiDeterministic: z
    .enum(['exact', 'greedy'])
    .default('exact')
    .describe(
      'How the crawl times of quasi-deterministic pages are chosen: exact dynamic programme, or the greedy rule of the paper ' +
        '(the answer then says how far from the exact optimum it is)',
    ),
});

/** A checked request: the solver's input, and the list as it came, for the answer. */
export interface CheckedAllocation {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: CrawlAllocationProblem;
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export const crawlAllocationRequest = wireRequest.transform((request, context): CheckedAllocation => {
  const refuse = refusals(context.issues);
  const { crawls } = request;
  if (request.idealTimes && crawls > crawlAllocationLimits.idealTimes) {
    const message = `must be at most ${crawlAllocationLimits.idealTimes} when idealTimes are asked for; got ${crawls}`;
    refuse(['crawls'], 'too-many-crawls', message, crawls);
  }
  return { options: request.options, ...allocationOf(request, refuse) };
});

/** What the request of an allocation, or of a schedule, has in common. */
export type AllocationRequest = Pick<z.output<typeof wireRequest>, 'interval' | 'pages' | 'hosts'> &
  Pick<CrawlAllocationProblem, 'crawls' | 'objective' | 'quasiDeterministic' | 'idealTimes' | 'baselines'>;

/** The solver's problem; `refuse` is told of what does not fit. */
export function allocationOf(request: AllocationRequest, refuse: Refuse): Omit<CheckedAllocation, 'options'> {
  const { pages, interval, crawls } = request;
  const { columns } = pages;
  const updates =
    'updates' in columns
      ? processesOfRows(columns.updates, interval, refuse)
      : processesOfColumns(columns, interval, refuse);
  const { meanGap } = updates;
  for (let i = 0; i < pages.length; i++) {
    const ratio = interval / meanGap[i];
    if (Number.isNaN(ratio) || (ratio >= 1 / maxTime && ratio <= maxTime)) continue;
    const path = pages.form === 'rows' ? ['pages', i, 'updates'] : ['pages', 'process', i];
    const message = `must change between ${1 / maxTime} and ${maxTime} times an interval; it comes to ${ratio}: are the time units the same?`;
    refuse(path, 'out-of-range', message, ratio);
  }
  if (request.objective !== 'freshness') refuseOthersThanPoisson(request.objective, updates, pages.form, refuse);
  const minCrawls = new Int32Array(columns.minCrawls);
  const maxCrawls = new Int32Array(pages.length);
  const { maxCrawls: mostCrawls, lastCrawlAge } = columns;
  let crawledBefore = false;
  for (let i = 0; i < pages.length; i++) {
    const most = mostCrawls[i];
    maxCrawls[i] = Number.isNaN(most) ? -1 : most;
    crawledBefore ||= !Number.isNaN(lastCrawlAge[i]);
    if (maxCrawls[i] < 0 || minCrawls[i] <= maxCrawls[i]) continue;
    const path = pages.form === 'rows' ? ['pages', i, 'minCrawls'] : ['pages', 'minCrawls', i];
    const message = `must be at most the page's maxCrawls of ${maxCrawls[i]}; got ${minCrawls[i]}`;
    refuse(path, 'out-of-range', message, minCrawls[i]);
  }
  const hosts = request.hosts === undefined ? null : pageHosts(columns.host, request.hosts, refuse);
  const problem: CrawlAllocationProblem = {
    interval,
    crawls,
    updates,
    weight: columns.weight,
    minCrawls,
    maxCrawls,
    lastCrawlAge: crawledBefore ? lastCrawlAge : null,
    objective: request.objective,
    hosts,
    quasiDeterministic: request.quasiDeterministic,
    idealTimes: request.idealTimes,
    baselines: request.baselines,
  };
  return { problem, pages: { form: pages.form, length: pages.length, ids: pages.ids } };
}

/** A copy's cost by age averages over what may have happened since, which is worked out for Poisson updates. */
function refuseOthersThanPoisson(
  objective: string,
  { process, meanGap }: CrawlAllocationProblem['updates'],
  form: Table<Columns>['form'],
  refuse: Refuse,
): void {
  for (let i = 0; i < process.length; i++) {
    if (process[i] === poissonProcess) continue;
    const path = form === 'rows' ? ['pages', i, 'updates'] : ['pages', 'process', i];
    const [kind, instead] =
      process[i] === quasiDeterministicProcess
        ? ['at given times', 'the mean number of its updates a time unit']
        : ['by a renewal process', `its mean rate of ${1 / meanGap[i]}`];
    const message =
      `objective ${quoted(objective)} is defined for Poisson pages, and this one changes ${kind}: ` +
      `make it "poisson" with ${instead} as its rate, or take objective "freshness"`;
    refuse(path, 'objective-not-poisson', message, kind);
  }
}

/** Which of the limited hosts each page is on; null when no page is on any. */
function pageHosts(
  names: readonly (string | undefined)[],
  hosts: readonly z.output<typeof hostLimit>[],
  refuse: Refuse,
): PageHosts | null {
  const position = new Map<string, number>();
  for (let h = 0; h < hosts.length; h++) {
    const first = position.get(hosts[h].host);
    if (first === undefined) position.set(hosts[h].host, h);
    else {
      const message = `host ${quoted(hosts[h].host)} already has a limit, at position ${first}`;
      refuse(['hosts', h, 'host'], 'duplicate', message, hosts[h].host);
    }
  }
  const of = Int32Array.from(names, (name) => (name === undefined ? -1 : (position.get(name) ?? -1)));
  if (of.every((host) => host < 0) && hosts.length === 0) return null;
  return { of, maxCrawls: Float64Array.from(hosts, (host) => host.maxCrawls), names: hosts.map((host) => host.host) };
}

const gain = z.number().nullable();

export const crawlAllocationSolution = z.object({
  pages: tableAnswerSchema(
    {
      crawls: z.int().describe('Crawls in this interval'),
      staleness: z.number().describe('Share of the interval during which our copy is expected to be stale'),
      meanDelay: z
        .number()
        .optional()
        .describe('Under objective delay: time that a change of the interval waits for its crawl, in the mean'),
      meanAge: z
        .number()
        .optional()
        .describe('Under objective age: time since the first change that the copy lacks, in the mean'),
      idealTimes: z
        .array(z.number())
        .optional()
        .describe('When the crawls should be made, from the start of the interval, increasing'),
    },
    'The pages, in the order and form of the request',
  ),
  shadowPrice: z
    .number()
    .describe('What one more crawl would save in the objective (where none can be added: what the last one saved)'),
  certificate: z
    .object({
      maxNextGain: gain.describe('Most that a further crawl of any page would save; null where none can be added'),
      minLastGain: gain.describe('Least that the last crawl of any page saves; null where none can be taken'),
    })
    .describe('Proof of optimality: maxNextGain ≤ minLastGain, since gains of a page never increase'),
  hosts: z
    .array(
      z.object({
        host: z.string(),
        crawls: z.int().describe('Crawls of its pages together'),
        full: z.boolean().describe('Whether its limit is reached: its pages then count among themselves only'),
        maxNextGain: gain.describe('Most that a further crawl of its pages would save, its limit aside'),
        minLastGain: gain.describe('Least that the last crawl of its pages saves'),
      }),
    )
    .optional()
    .describe('The limited hosts, in the order of the request'),
});

export const crawlAllocationBeside = {
  baselines: z
    .object({
      uniform: z.number().describe('Objective with equal counts, as far as the limits allow'),
      proportional: z.number().describe('Objective with counts in proportion to update rates, as far as limits allow'),
      weightedUniform: z.number().describe('Objective with counts in proportion to weights'),
      weightedProportional: z.number().describe('Objective with counts in proportion to weight·update rate'),
      unweightedOptimal: z
        .number()
        .nullable()
        .describe('Objective with the counts that are best for equal weights; null where the time limit came first'),
    })
    .optional()
    .describe('The same objective under simpler allocations (Figure 7 of Wolf et al. 2002), when asked for'),
};

export const crawlAllocationConflict = z.object({
  detail: z.string().describe('Which limits clash, with the numbers'),
  limits: z
    .enum(['minCrawls', 'maxCrawls', 'host-minCrawls', 'host-maxCrawls'])
    .describe('minCrawls above the crawls; maxCrawls below them; minCrawls above a host limit; host limits below'),
  crawls: z.int().describe('Crawls to give out (of the host, where its own limit clashes)'),
  least: z.int().describe('Fewest crawls the limits allow'),
  most: z.int().nullable().describe('Most crawls the limits allow; null: no upper limit'),
  hosts: z.array(z.string()).describe('Hosts whose limits clash, at most 20'),
  pages: z.array(z.int()).describe('Positions of the pages with the largest of the limits that clash, at most 20'),
});
