import * as contract from '../schemas/crawl-plan/index.ts';
import { solveCrawlPlan } from '../solvers/crawl-plan/index.ts';
import { stalenessCost } from '../solvers/pages/objectives/index.ts';
import { defineOperation } from './operation.ts';

export const crawlPlan = defineOperation({
  name: 'crawl-plan',
  tag: 'plans',
  summary: 'From a crawl log to a plan: what to fetch, when, and how often',
  description: [
    'You have a log (when each page was fetched, and whether it had changed) and a number of fetches. One call estimates every page’s',
    'change rate, finds the fetch intervals that the fetches can keep up for ever, and fills the slots of this interval. All times are',
    'seconds.',
    '',
    'The log may come as it is, as `text/csv`, `text/plain`, lines of JSON (`application/x-ndjson`) or `application/gzip`. The rest of the',
    'request then stands in the query: `?crawls=300&interval=1d&options.seed=3`.',
    '',
    'Every plan keeps `minInterval` and a host’s `minDelay`, and `maxInterval` to within one slot. A plan that misses a `maxInterval` says',
    'so in a warning; if counting proves that no schedule can keep it, the answer is `infeasible` with a `conflict`. `evenShare` bounds',
    'every `fetchInterval`. `intervalIfUnchanged` and `intervalIfChanged` let a controller act on a fetch before the next plan. Send',
    '`lastCrawl` with the next request.',
    '',
    'The schedule is the index rule of restless bandits, planned for ever.',
    '`longRun` has what no fetch intervals can beat for ever, and its gap is the number to read; one interval has no bound.',
    '',
    'Source: J. L. Wolf et al., WWW 2002; J. Cho, H. Garcia-Molina, *Effective page refresh policies for web crawlers*, ACM TODS 28 (2003);',
    'Y. Azar et al., *Tractable near-optimal policies for crawling*, PNAS 115 (2018); A. Kolobov et al., NeurIPS 2019.',
  ].join('\n'),
  request: contract.crawlPlanRequest,
  solution: contract.crawlPlanSolution,
  timeUnit: 'seconds',
  sentence: contract.crawlPlanSentence,
  objective: ({ problem, target }) =>
    target === null ? stalenessCost(problem.objective ?? 'freshness').measured : { measure: 'crawls', unit: 'crawls' },
  supplement: contract.crawlPlanSupplement,
  conflict: contract.crawlPlanConflict,
  examples: {
    'crawl-plan': 'A day of six pages on three hosts: checks, a log with 304s and a failure, a new page, a known rate',
    'crawl-plan-columns': 'Columns, two crawlers, a longest interval',
    'crawl-plan-target':
      'How few fetches a day keep copies current 90% of the time, the news 95%, by what the log tells',
  },
  limits: contract.crawlPlanLimits,
  work({ problem, pages }) {
    const slots = problem.slotsByCrawler.reduce((sum, count) => sum + count, 0);
    return (
      (problem.signals === undefined ? 400 : 3000) * problem.history.elapsed.length +
      20_000 * pages.length +
      1000 * slots +
      100_000
    );
  },
  solve: solveCrawlPlan,
});
