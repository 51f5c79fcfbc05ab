import { maxPlanCrawls } from '../../solvers/crawl-plan/index.ts';

export const crawlPlanLimits = {
  pages: 1_000_000,
  checksPerPage: 100_000,
  crawlers: 100_000,
  crawls: maxPlanCrawls,
  hosts: 1_000_000,
} as const;
