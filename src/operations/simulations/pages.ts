import {
  simulationsPagesLimits,
  simulationsPagesRequest,
  simulationsPagesSentence,
  simulationsPagesSolution,
} from '../../schemas/simulations-pages/index.ts';
import { tableAnswer } from '../../schemas/table/table-answer.ts';
import { pageSimulationWork, solvePageSimulation } from '../../solvers/page-simulation/index.ts';
import { defineOperation } from '../operation.ts';

/** What a policy of fetches does to pages that change, by simulation. */
export const simulationsPages = defineOperation({
  name: 'simulations/pages',
  tag: 'simulations',
  summary: 'Simulate pages that change and a policy that fetches them, with confidence intervals',
  description: [
    'Pages change by the laws you name (all of crawl-allocation’s, periodic, bursty, and groups that change together); a policy fetches them: given rates,',
    'a schedule, a cycle, crawl-plan’s rule replanned every so often from what the fetches have seen, or the adaptive rules of Apache Nutch and StormCrawler.',
    'Out come freshness, age, delay and embarrassment with 95% intervals: what to believe a plan by. The same seed gives the same answer, and two policies',
    'under one seed meet the same changes of ungrouped pages from the same starting points. Any consistent time unit; plans and adaptive rules count in seconds.',
    '',
    'Independent replications. Update processes are in equilibrium; rates, cycles and adaptive rules start in their steady state or spread evenly over a first',
    'interval; schedules and plans start from `lastCrawlAge`. It shares no code with the solvers whose answers it judges.',
  ].join('\n'),
  request: simulationsPagesRequest,
  solution: simulationsPagesSolution,
  sentence: simulationsPagesSentence,
  beside: {},
  examples: [
    {
      name: 'simulations-pages',
      summary: 'Five pages under given rates: Poisson, periodic, bursty and Weibull updates',
    },
    {
      name: 'simulations-pages-nutch',
      summary: 'Pages of three speeds under Nutch’s adaptive schedule, for half a year',
    },
    { name: 'simulations-pages-plan', summary: 'Three hosts whose pages change together, under plans made every day' },
  ],
  limits: simulationsPagesLimits,
  work: ({ problem }) => pageSimulationWork(problem),
  solve({ problem, pages }, budget) {
    const { measures, pages: means, warnings, statistics } = solvePageSimulation(problem, budget);
    return {
      status: 'evaluated',
      solution: {
        measures,
        ...(means !== null && {
          pages: tableAnswer(pages, {
            ...means,
            freshnessInterval: means.freshnessInterval.map((each) => [...each]),
            ageInterval: means.ageInterval.map((each) => [...each]),
            delayInterval: means.delayInterval.map((each) => each && [...each]),
          }),
        }),
      },
      beside: {},
      warnings,
      statistics,
    };
  },
});
