export { allocateCrawls, type CrawlAllocation, type CrawlAllocationAnswer } from './allocate-crawls.ts';
export type { Certificate } from './certificate.ts';
export { lomaxProcess, poissonProcess, quasiDeterministicProcess, renewalProcess } from './gains/pages.ts';
export { refuseUncomputable } from './model/computable.ts';
export type { AllocationConflict } from './model/feasibility.ts';
export type { TimesByPage } from './model/ideal-times.ts';
export { staleAtStart } from './model/scaled-pages.ts';
export { maxTime, UpdateProcesses } from './model/update-processes.ts';
export type { CrawlAllocationProblem, PageHosts } from './problem.ts';
export type { CrawlAllocationQuestion } from './solve.ts';
/** @internal The library has operations for it. */
export { solveCrawlAllocation } from './solve.ts';
export { solveAllocationTarget } from './solve-target.ts';
