export type { Certificate } from './certificate.ts';
export { certifyCrawlAllocation } from './certify.ts';
export { refuseUncomputable } from './model/computable.ts';
export type { AllocationConflict } from './model/feasibility.ts';
export type { IdealTimes } from './model/ideal-times.ts';
export { lomaxProcess, poissonProcess, quasiDeterministicProcess, renewalProcess } from './model/pages.ts';
export { type CrawlAllocationProblem, type PageHosts, staleAtStart } from './model/problem.ts';
export { maxTime, UpdateProcesses } from './model/update-processes.ts';
export {
  type CrawlAllocation,
  type CrawlAllocationAnswer,
  type HostAllocation,
  solveCrawlAllocation,
} from './solve.ts';
