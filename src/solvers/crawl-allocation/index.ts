export type { Certificate } from './certificate.ts';
export type { AllocationConflict } from './model/feasibility.ts';
export type { IdealTimes } from './model/ideal-times.ts';
export { RENEWAL } from './model/pages.ts';
export type { CrawlAllocationProblem, PageHosts } from './model/problem.ts';
export { largest, UpdateProcesses } from './model/update-processes.ts';
export {
  type Allocation,
  type AllocationRequest,
  type AllocationResult,
  allocateCrawls,
  type HostAllocation,
} from './solve.ts';
