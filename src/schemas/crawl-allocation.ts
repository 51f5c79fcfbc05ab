/** Request and answer of `crawl-allocation`; a schedule shares the pages and the problem. */
import * as z from 'zod';
import {
  type CrawlAllocationProblem,
  maxTime,
  poissonProcess,
  quasiDeterministicProcess,
} from '../solvers/crawl-allocation/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { cost, crawlCount, id, moment, number, plain, position, time, weight } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { quoteValue } from './contract/problem.ts';
import { integer, nameText, real, staleShare } from './contract/range.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { choice, object, strictObject } from './contract/strict-object.ts';
import {
  crawlsNeeded,
  objectiveName,
  targetAnswerFields,
  targetConflict,
  targetFields,
  targetOfRequest,
} from './parts/target.ts';
import { changeColumns, maxUpdateTimes, processColumns, processesOf } from './parts/update-process.ts';
import { hostPositions, placeIn, refuseUnordered, table } from './table/table.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';
import { countText, figure } from './words/numbers.ts';

export const crawlAllocationLimits = {
  pages: 10_000_000,
  hosts: 1_000_000,
  crawls: 1_000_000_000,
  idealTimes: 20_000_000,
  updateTimesPerPage: maxUpdateTimes,
} as const;

const wholeCrawls = integer({ atLeast: 0, atMost: crawlAllocationLimits.crawls });

const pageColumns = {
  weight: real({ atLeast: 0, atMost: maxTime })
    .default(1)
    .meta(weight('Importance: the objective is Σ weight·staleness')),
  minCrawls: wholeCrawls.default(0).meta(crawlCount('Fewest crawls in this interval')),
  maxCrawls: wholeCrawls.optional().meta(crawlCount('Most crawls in this interval')),
  lastCrawlAge: real({ atLeast: 0 }).optional().meta(time('Time since the last crawl; left out: never crawled')),
  host: nameText.optional().meta(id('Host of the page, which may have a limit')),
};

/** The pages of an allocation, or of a schedule. */
export const allocationTable = (id: string, maxRows: number) =>
  table(
    id,
    maxRows,
    'The pages: how each changes, its weight, limits and age',
    { ...changeColumns, ...pageColumns },
    { ...processColumns, ...pageColumns },
    'AllocatedPage',
  );

const hostLimit = strictObject('CrawlAllocationHost', {
  host: z.string().max(2048).meta(id()),
  maxCrawls: wholeCrawls.meta(crawlCount('Most crawls of its pages together')),
});

const wireRequest = requestSchema({
  interval: real({ above: 0 }).meta(time()),
  crawls: wholeCrawls
    .optional()
    .meta(crawlCount('Crawls to give out, all of them; or send target', { lever: { factor: 4 } })),
  pages: allocationTable('CrawlAllocationPage', crawlAllocationLimits.pages),
  ...targetFields,
  idealTimes: z.boolean().default(false).meta(plain('Whether to answer ideal times of the crawls')),
  baselines: z.boolean().default(false).describe('Whether to cost simpler allocations as well'),
  hosts: list(hostLimit, { minItems: 0, maxItems: crawlAllocationLimits.hosts })
    .optional()
    .describe('Hosts with limits'),
  objective: objectiveName.describe('What staleness costs; other than freshness for Poisson pages only'),
  quasiDeterministic: choice('CrawlAllocationQuasiDeterministic', ['exact', 'greedy'])
    .default('exact')
    .meta(plain('Crawl times of quasi-deterministic pages: exact, or the paper’s greedy rule', { role: 'advanced' })),
});

export const crawlAllocationRequest = wireRequest.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { crawls = 0, pages, target, objective, idealTimes, curve } = request;
  if ((request.crawls === undefined) === (target === undefined)) {
    refuse(['crawls'], 'one-of', 'give crawls or target, one of the two', request.crawls);
  }
  if (idealTimes && crawls > crawlAllocationLimits.idealTimes) {
    const message = `must be at most ${crawlAllocationLimits.idealTimes} when idealTimes are asked for; got ${crawls}`;
    refuse(['crawls'], 'too-many-crawls', message, crawls);
  }
  const allocation = allocationOf({ ...request, crawls }, refuse);
  if (target === undefined) return { options: request.options, ...allocation, target: null, curve };
  const { weight } = pages.columns;
  const rate = allocation.problem.updates.meanGap.map((gap) => 1 / gap);
  const measureTarget = targetOfRequest({ target, objective, weight, rate }, refuse);
  return { options: request.options, ...allocation, target: measureTarget, curve };
});

/** The properties that requests of crawl-allocation and crawl-schedule share. */
type AllocationRequest = Pick<z.output<typeof wireRequest>, 'interval' | 'hosts'> & {
  readonly pages: z.output<ReturnType<typeof allocationTable>>;
} & Pick<CrawlAllocationProblem, 'crawls' | 'objective' | 'quasiDeterministic' | 'idealTimes' | 'baselines'>;

/** The solver's problem; values that do not fit together are refused. */
export function allocationOf(request: AllocationRequest, refuse: Refuse) {
  const { pages, interval, objective, hosts = [] } = request;
  const { columns, length } = pages;
  const at = placeIn('pages', pages);
  const updates = processesOf(pages, interval, refuse);
  for (let i = 0; i < length; i++) {
    const ratio = interval / updates.meanGap[i];
    if (!(ratio < 1 / maxTime || ratio > maxTime)) continue;
    const message = `must change between ${1 / maxTime} and ${maxTime} times an interval; it comes to ${ratio}: are the time units the same?`;
    refuse(at(i, 'updates'), 'out-of-range', message, ratio);
  }
  if (objective !== 'freshness') refuseOthersThanPoisson(objective, updates, at, refuse);
  refuseUnordered(pages, ['minCrawls', 'maxCrawls'], at, refuse);
  const of = hostPositions(columns.host, hosts, refuse);
  const maxCrawls = Float64Array.from(hosts, (host) => host.maxCrawls);
  const problem: CrawlAllocationProblem = {
    interval,
    crawls: request.crawls,
    updates,
    weight: columns.weight,
    minCrawls: new Int32Array(columns.minCrawls),
    maxCrawls: new Int32Array(columns.maxCrawls.map((limit) => (Number.isNaN(limit) ? -1 : limit))),
    lastCrawlAge: columns.lastCrawlAge.every(Number.isNaN) ? null : columns.lastCrawlAge,
    objective,
    hosts: hosts.length === 0 ? null : { of, maxCrawls, names: hosts.map(({ host }) => host) },
    quasiDeterministic: request.quasiDeterministic,
    idealTimes: request.idealTimes,
    baselines: request.baselines,
  };
  return { problem, pages };
}

/** Refuses pages that are not Poisson: delay and harmonic need a mean cost by age, which only Poisson pages have. */
function refuseOthersThanPoisson(
  objective: string,
  { process, meanGap }: CrawlAllocationProblem['updates'],
  at: ReturnType<typeof placeIn>,
  refuse: Refuse,
): void {
  for (let i = 0; i < process.length; i++) {
    if (process[i] === poissonProcess) continue;
    const [kind, instead] =
      process[i] === quasiDeterministicProcess
        ? ['at given times', 'the mean number of its updates a time unit']
        : ['by a renewal process', `its mean rate of ${1 / meanGap[i]}`];
    const message =
      `objective ${quoteValue(objective)} is defined for Poisson pages, and this one changes ${kind}: ` +
      `give ${instead} as its changeRate, or take objective "freshness"`;
    refuse(at(i, 'updates'), 'objective-not-poisson', message, kind);
  }
}

const gain = z.number().nullable();

export const crawlAllocationSolution = object('CrawlAllocationSolution', {
  crawls: crawlsNeeded,
  pages: tableAnswerSchema('CrawlAllocationSolutionPage', 'The pages, in the order and form of the request', {
    crawls: z.int().meta(crawlCount('Crawls in this interval', { role: 'first' })),
    staleness: staleShare('of the interval'),
    meanDelay: z.number().optional().meta(time('Under delay: mean time until a change is seen')),
    idealTimes: z
      .array(z.number())
      .optional()
      .meta(moment('Ideal times of its crawls, from the start of the interval')),
  }),
  shadowPrice: z
    .number()
    .meta(cost('Objective saved by one more crawl, or by the last one', { unit: 'weight × share of the interval' })),
  certificate: object('CrawlAllocationCertificate', {
    maxNextGain: gain.meta(number('Most that a further crawl saves; null: none')),
    minLastGain: gain.meta(number('Least that the last crawl of a page saves')),
  }).describe('Proof of optimality: maxNextGain ≤ minLastGain'),
  hosts: z
    .array(
      object('CrawlAllocationSolutionHost', {
        host: z.string().meta(id()),
        crawls: z.int().meta(crawlCount()),
        full: z.boolean().describe('Whether its limit is reached'),
        maxNextGain: gain.meta(number('Most that a further crawl of its pages would save')),
        minLastGain: gain.meta(number('Least that the last crawl of its pages saves')),
      }),
    )
    .optional()
    .describe('The hosts with limits'),
});

export const crawlAllocationSupplement = {
  ...targetAnswerFields,
  baselines: object('CrawlAllocationBaselines', {
    uniform: z.number().meta(number('With equal counts')),
    proportional: z.number().meta(number('With counts in proportion to update rates')),
  })
    .optional()
    .describe('With baselines: the objective of simpler allocations'),
};

const allocationConflict = object('CrawlLimitsConflict', {
  detail: z.string(),
  limits: choice('CrawlAllocationLimits', ['minCrawls', 'maxCrawls', 'host-minCrawls', 'host-maxCrawls']).describe(
    'minCrawls above the crawls; maxCrawls below them; minCrawls above a host limit; host limits below',
  ),
  crawls: z.int().meta(crawlCount('Crawls to give out, of the request or the host')),
  least: z.int().meta(crawlCount('Fewest crawls the limits allow')),
  most: z.int().nullable().meta(crawlCount('Most crawls that limits allow; null: any number')),
  hosts: z.array(z.string()).describe('Hosts whose limits clash, at most 20'),
  pages: z.array(z.int()).meta(position('The pages with the largest limits that clash, at most 20')),
});

export const crawlAllocationConflict = z
  .union([allocationConflict, targetConflict])
  .meta({ id: 'CrawlAllocationConflict' });

export function crawlAllocationSentence({ solution, objective }: SolvedAnswer<typeof crawlAllocationSolution>): string {
  const crawls = Array.from(cellsOf(solution.pages, 'crawls'), Number);
  const total = crawls.reduce((sum, each) => sum + each, 0);
  const to = `${countText(total, 'crawl')} to ${countText(crawls.filter((each) => each > 0).length, 'page')}`;
  if (solution.crawls === undefined) return `Give ${to}: the objective is then ${figure(objective?.value)}.`;
  if (total === 0) return 'No crawl is needed: the target is kept without one.';
  return `${to} keep the target, and fewer than ${figure(objective?.bound)} do not.`;
}
