import * as contract from '../schemas/crawler-count.ts';
import { crawlerCountWork, solveCrawlerCount } from '../solvers/crawler-count/index.ts';
import { defineOperation } from './operation.ts';

/** How many always-active crawlers to run (Liu & Nain 2006, section 1.2.1). */
export const crawlerCount = defineOperation({
  name: 'crawler-count',
  tag: 'crawlers',
  summary: 'How many crawlers to run',
  description: [
    'Each of N always-active crawlers brings pages at `crawlerRate` λ (Poisson) to one indexing engine. It has room for `capacity` K pages,',
    'including the one being indexed, and takes a time of law `service` for each. A page that finds the queue full is lost: an M/G/1/K',
    'queue. The answer is the N of least `costs.starvation`·P(empty) + `costs.loss`·λN·P(full) + `costs.crawler`·N. With `constraints` it is',
    'the cheapest N that keeps them: "how many crawlers for at most 1% loss?".',
    '',
    'The cost is convex in N for every law, so the bound proves the count. `evaluate` shows counts of your own.',
    '',
    'Source: Z. Liu, P. Nain, *Optimization issues in web search engines* (2006), section 1.2.1, equations (1.2)–(1.12), where',
    '`loss` costs 1 and γ is `starvation`; after J. Talim, Z. Liu, P. Nain, E. Coffman, *Controlling the robots of web search',
    'engines* (2001).',
  ].join('\n'),
  request: contract.crawlerCountRequest,
  solution: contract.crawlerCountSolution,
  supplement: contract.crawlerCountSupplement,
  conflict: contract.crawlerCountConflict,
  sentence: contract.crawlerCountSentence,
  objective: { measure: 'cost of idle time, lost pages and crawlers', unit: 'cost/time' },
  examples: {
    'inria-crawler': 'The INRIA crawler: measured hyperexponential indexing, a queue of twenty',
    'crawler-count-table-1.1': 'Liu & Nain, Table 1.1: exponential indexing, and the cost around the optimum',
    'crawler-count-heavy-tail': 'Heavy-tailed indexing, crawlers that cost, a cap, and the present count',
    'crawler-count-limits': 'How many crawlers for at most 12% of loss and 10% of idle time',
    'crawler-count-figure-1.2': 'Liu & Nain, Figure 1.2: the best count rises with the weight of an empty queue',
    'crawler-count-figure-1.3':
      'Liu & Nain, Figure 1.3: the best load by the capacity, where an empty queue weighs less than μ',
    'crawler-count-figure-1.4':
      'Liu & Nain, Figure 1.4: the best load by the capacity, where an empty queue weighs more than μ',
  },
  limits: contract.crawlerCountLimits,
  work: crawlerCountWork,
  solve: solveCrawlerCount,
});
