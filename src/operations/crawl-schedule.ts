import * as contract from '../schemas/crawl-schedule.ts';
import { solveCrawlSchedule } from '../solvers/crawl-schedule/index.ts';
import { allocationWork } from './crawl-allocation.ts';
import { defineOperation } from './operation.ts';

export const crawlSchedule = defineOperation({
  name: 'crawl-schedule',
  tag: 'schedules',
  summary: 'Which pages are crawled how often, when, and by which crawler, in one call',
  description: [
    'Joins `crawl-allocation` and `slot-assignment`: gives out the crawls, places them on the crawlers’ slots, and exchanges slots while',
    'Σ weight·staleness at the scheduled times falls. A crawl of a possible update is made after it. If no slot is left after it, the crawl',
    'goes to the page that gains most from another slot. A host’s `minDelay` is kept between any two crawls of its pages.',
    '',
    '`objective.bound` is what no schedule of as many crawls on these slots can beat. `infeasible` is proved: more crawls than slots, or',
    'limits and delays that exclude each other.',
    '',
    'Source: J. L. Wolf, M. S. Squillante, P. S. Yu, J. Sethuraman, L. Ozsen, Optimal crawling strategies for web search engines,',
    'WWW 2002, sections 2 and 3, joined.',
  ].join('\n'),
  request: contract.crawlScheduleRequest,
  solution: contract.crawlScheduleSolution,
  sentence: contract.crawlScheduleSentence,
  objective: { measure: 'staleness', unit: 'weight × share of the interval' },
  supplement: {},
  conflict: contract.crawlScheduleConflict,
  examples: {
    'crawl-schedule': 'Seven pages of every kind on two crawlers',
    'crawl-schedule-infeasible': 'Five pages of a host that takes four crawls an hour',
  },
  limits: contract.crawlScheduleLimits,
  work({ problem, pages }) {
    const slots = problem.slotCounts.reduce((sum, count) => sum + count, 0);
    return allocationWork(problem.allocation) + 5000 * slots + 1000 * pages.length;
  },
  solve: ({ problem }, budget) => solveCrawlSchedule(problem, budget),
});
