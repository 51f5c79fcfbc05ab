export type { AllocationQuestion } from './answer.ts';
/** @internal The library has operations for it. */
export { solveAllocationQuestion } from './answer.ts';
export type { Certificate } from './certificate.ts';
export { lomaxProcess, poissonProcess, quasiDeterministicProcess, renewalProcess } from './gains/pages.ts';
export { refuseUncomputable } from './model/computable.ts';
export type { AllocationConflict } from './model/feasibility.ts';
export { staleAtStart } from './model/scaled-pages.ts';
export { maxTime, UpdateProcesses } from './model/update-processes.ts';
export type { CrawlAllocationProblem, PageHosts } from './problem.ts';
export { type CrawlAllocation, type CrawlAllocationAnswer, solveCrawlAllocation } from './solve.ts';
export { solveAllocationTarget } from './solve-target.ts';
