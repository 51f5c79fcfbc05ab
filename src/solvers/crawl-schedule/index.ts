/** Crawl schedule: Wolf et al.'s allocation, times and slots in one. */
export { certifyCrawlSchedule } from './certify.ts';
export type {
  CrawlSchedule,
  CrawlScheduleAnswer,
  CrawlScheduleProblem,
  HostDelays,
  ScheduleConflict,
  TimesByPage,
} from './problem.ts';
export { solveCrawlSchedule } from './solve.ts';
