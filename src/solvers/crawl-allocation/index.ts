export { allocateCrawls, type CrawlAllocation, type CrawlAllocationAnswer } from './allocate-crawls.ts';
export type { Certificate } from './evaluate-counts.ts';
export type { AllocationConflict } from './feasibility.ts';
export {
  lomaxProcess,
  poissonProcess,
  quasiDeterministicProcess,
  renewalProcess,
  staleChance,
  staleGap,
} from './gains/page-gain.ts';
export type { TimesByPage } from './ideal-times.ts';
export type { CrawlAllocationProblem, PageHosts } from './problem.ts';
export { staleAtStart } from './scale-pages.ts';
export type { CrawlAllocationRequest } from './solve.ts';
/** @internal The library has operations for it. */
export { solveCrawlAllocation } from './solve.ts';
export { solveAllocationTarget } from './solve-target.ts';
export { maxTime, refuseUncomputable, UpdateProcesses } from './update-processes.ts';
