import * as contract from '../../schemas/simulations-pages/index.ts';
import { pageSimulationWork, solvePageSimulation } from '../../solvers/page-simulation/index.ts';
import { defineOperation } from '../operation.ts';

export const simulationsPages = defineOperation({
  name: 'simulations/pages',
  tag: 'simulations',
  summary: 'Simulate pages that change and a policy that fetches them, with confidence intervals',
  description: [
    'Pages change by the laws you name; a policy fetches them: at given rates, by a schedule, in a cycle, by crawl-plan replanned from what',
    'the fetches have seen, or by the adaptive rules of Apache Nutch and StormCrawler. The answer has freshness, age, delay and',
    'embarrassment with 95% intervals. Under one seed two policies meet the same changes. Use any time unit; plans and adaptive rules count',
    'in seconds.',
    '',
    'Replications are independent. Update processes, rates, cycles and adaptive rules start in their steady state; schedules and plans start',
    'from `lastCrawlAge`. It shares no code with the solvers whose answers it judges.',
  ].join('\n'),
  request: contract.simulationsPagesRequest,
  solution: contract.simulationsPagesSolution,
  sentence: contract.simulationsPagesSentence,
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
  limits: contract.simulationsPagesLimits,
  work: ({ problem }) => pageSimulationWork(problem),
  solve: ({ problem }, budget) => solvePageSimulation(problem, budget),
});
