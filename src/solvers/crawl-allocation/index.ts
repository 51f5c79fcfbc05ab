export type { Certificate } from './certificate.ts';
export {
  type Allocation,
  type AllocationRequest,
  type AllocationResult,
  allocateCrawls,
  type HostAllocation,
} from './crawl-allocation.ts';
export type { AllocationConflict } from './feasibility.ts';
export type { IdealTimes } from './ideal-times.ts';
export { RENEWAL } from './pages.ts';
export type { CrawlAllocationProblem, PageHosts } from './problem.ts';
export { largest, UpdateProcesses } from './update-processes.ts';
