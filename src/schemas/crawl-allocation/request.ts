/** The request of `crawl-allocation`, as it is written and as the solver takes it. */

import * as z from 'zod';
import {
  type CrawlAllocationProblem,
  type CrawlAllocationQuestion,
  maxTime,
  type PageHosts,
  poissonProcess,
  quasiDeterministicProcess,
} from '../../solvers/crawl-allocation/index.ts';
import { objectiveNames } from '../../solvers/pages/objectives/index.ts';
import { crawlCount, id, plain, time, weight } from '../contract/field.ts';
import { requestSchema } from '../contract/options.ts';
import { quoted } from '../contract/problem.ts';
import { integer, real } from '../contract/range.ts';
import { type Refuse, refusals } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { list } from '../parts/list.ts';
import { processColumns, processesOfColumns } from '../parts/process-columns.ts';
import { targetFields } from '../parts/targets/request.ts';
import { targetOfRequest } from '../parts/targets/target-of-request.ts';
import { changeColumns, maxUpdateTimes, processesOfRows } from '../parts/update-process.ts';
import { numberColumn, textColumn } from '../table/column.ts';
import { type Columns, rowsOrColumns, type Table } from '../table/table.ts';

export const crawlAllocationLimits = {
  pages: 10_000_000,
  hosts: 1_000_000,
  crawls: 1_000_000_000,
  idealTimes: 20_000_000,
  updateTimesPerPage: maxUpdateTimes,
} as const;

const wholeCrawls = { atLeast: 0, atMost: crawlAllocationLimits.crawls, integer: true } as const;

const pageColumns = {
  weight: numberColumn(weight('Importance: the objective is Σ weight·staleness'), {
    atLeast: 0,
    atMost: maxTime,
    optional: true,
    absent: 1,
  }),
  minCrawls: numberColumn(crawlCount('Fewest crawls in this interval'), { ...wholeCrawls, optional: true, absent: 0 }),
  maxCrawls: numberColumn(crawlCount('Most crawls in this interval'), { ...wholeCrawls, optional: true }),
  lastCrawlAge: numberColumn(time('Time since the last crawl; left out: never crawled'), {
    atLeast: 0,
    optional: true,
  }),
  host: textColumn(id('Host of the page, which may have a limit'), { optional: true }),
};
const allocationRows = { ...changeColumns, ...pageColumns };
const allocationColumns = { ...processColumns, ...pageColumns };

/** The pages of an allocation, or of a schedule. */
export const allocationTable = (maxRows: number) =>
  rowsOrColumns(allocationRows, allocationColumns, { maxRows, description: pagesSaid, rowName: 'AllocatedPage' });

const pagesSaid = 'The pages: how each changes, its weight, limits and age';

const hostLimit = strictObject({
  host: z.string().max(2048).meta(id('The host')),
  maxCrawls: integer({ atLeast: 0, atMost: crawlAllocationLimits.crawls }).meta(
    crawlCount('Most crawls of its pages together'),
  ),
});

const wireRequest = requestSchema({
  interval: real({ above: 0 }).meta(time('Length of the interval')),
  crawls: integer({ atLeast: 0, atMost: crawlAllocationLimits.crawls })
    .optional()
    .meta(crawlCount('Crawls to give out, all of them; or send target', { lever: { factor: 4 } })),
  pages: allocationTable(crawlAllocationLimits.pages),
  ...targetFields,
  idealTimes: z.boolean().default(false).meta(plain('Whether to answer ideal times of the crawls')),
  baselines: z.boolean().default(false).describe('Whether to cost simpler allocations as well'),
  hosts: list(hostLimit, { minItems: 0, maxItems: crawlAllocationLimits.hosts }, 'hosts {host, maxCrawls}')
    .optional()
    .describe('Hosts with limits'),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .describe('What staleness costs; other than freshness for Poisson pages only'),
  quasiDeterministic: z
    .enum(['exact', 'greedy'])
    .default('exact')
    .meta(plain('Crawl times of quasi-deterministic pages: exact, or the paper’s greedy rule', { role: 'advanced' })),
});

/** A checked request: the solver's input, and the list as it came, for the answer. */
export interface CheckedAllocation {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: CrawlAllocationProblem;
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export interface CheckedAllocationOrTarget extends CheckedAllocation, CrawlAllocationQuestion {}

export const crawlAllocationRequest = wireRequest.transform((request, context): CheckedAllocationOrTarget => {
  const refuse = refusals(context.issues);
  const { crawls = 0, pages, target, objective, idealTimes, curve } = request;
  if ((request.crawls === undefined) === (target === undefined)) {
    refuse(['crawls'], 'one-of', 'give crawls or target, one of the two', request.crawls);
  }
  if (idealTimes && crawls > crawlAllocationLimits.idealTimes) {
    const message = `must be at most ${crawlAllocationLimits.idealTimes} when idealTimes are asked for; got ${crawls}`;
    refuse(['crawls'], 'too-many-crawls', message, crawls);
  }
  const checked = allocationOf({ ...request, crawls }, refuse);
  if (target === undefined) return { options: request.options, ...checked, asked: null, curve };
  const { weight } = pages.columns;
  const rate = checked.problem.updates.meanGap.map((gap) => 1 / gap);
  const asked = targetOfRequest({ target, objective, weight, rate }, refuse);
  return { options: request.options, ...checked, asked, curve };
});

/** What the request of an allocation, or of a schedule, has in common. */
type AllocationRequest = Pick<z.output<typeof wireRequest>, 'interval' | 'hosts'> & {
  readonly pages: z.output<ReturnType<typeof allocationTable>>;
} & Pick<CrawlAllocationProblem, 'crawls' | 'objective' | 'quasiDeterministic' | 'idealTimes' | 'baselines'>;

/** The solver's problem; what does not fit is refused. */
export function allocationOf(request: AllocationRequest, refuse: Refuse): Omit<CheckedAllocation, 'options'> {
  const { pages, interval, crawls } = request;
  const { columns } = pages;
  const updates =
    'process' in columns
      ? processesOfColumns(columns, interval, refuse)
      : processesOfRows(columns.changeRate, columns.updates, interval, refuse);
  const { meanGap } = updates;
  let [least, greatest] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < pages.length; i++) {
    const gap = meanGap[i];
    if (gap < least) least = gap;
    if (gap > greatest) greatest = gap;
  }
  const someOutside = interval / least > maxTime || interval / greatest < 1 / maxTime;
  for (let i = 0; someOutside && i < pages.length; i++) {
    const ratio = interval / meanGap[i];
    if (Number.isNaN(ratio) || (ratio >= 1 / maxTime && ratio <= maxTime)) continue;
    const path = pages.form === 'rows' ? ['pages', i, 'updates'] : ['pages', 'process', i];
    const message = `must change between ${1 / maxTime} and ${maxTime} times an interval; it comes to ${ratio}: are the time units the same?`;
    refuse(path, 'out-of-range', message, ratio);
  }
  if (request.objective !== 'freshness') refuseOthersThanPoisson(request.objective, updates, pages.form, refuse);
  // most requests have none of these, and millions of pages
  const noMinima = pages.lacks('minCrawls');
  const minCrawls = noMinima ? new Int32Array(pages.length) : new Int32Array(columns.minCrawls);
  const maxCrawls = new Int32Array(pages.length).fill(-1);
  const mostCrawls = pages.lacks('maxCrawls') ? new Float64Array(0) : columns.maxCrawls;
  for (let i = 0; i < mostCrawls.length; i++) {
    const most = mostCrawls[i];
    maxCrawls[i] = Number.isNaN(most) ? -1 : most;
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
    lastCrawlAge: pages.lacks('lastCrawlAge') || columns.lastCrawlAge.every(Number.isNaN) ? null : columns.lastCrawlAge,
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
      `give ${instead} as its changeRate, or take objective "freshness"`;
    refuse(path, 'objective-not-poisson', message, kind);
  }
}

/** Which of the limited hosts each page is on; null when no page is on any. */
function pageHosts(
  names: readonly (string | undefined)[],
  hosts: readonly { readonly host: string; readonly maxCrawls: number }[],
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
  const maxCrawls = Float64Array.from(hosts, (host) => host.maxCrawls);
  return { of, maxCrawls, names: hosts.map((host) => host.host) };
}
