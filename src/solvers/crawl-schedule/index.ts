/** Crawl schedule: Wolf et al.'s allocation, times and slots in one. */

export type { TimesByPage } from '../crawl-allocation/index.ts';
export type { CrawlScheduleProblem, HostDelays, ScheduleConflict } from './problem.ts';
export { solveCrawlSchedule } from './solve.ts';
