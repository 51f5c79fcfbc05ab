export {
  crawlAllocationBeside,
  crawlAllocationConflict,
  crawlAllocationSentence,
  crawlAllocationSolution,
} from './answer.ts';
export {
  allocationOf,
  allocationTable,
  type CheckedAllocation,
  crawlAllocationLimits,
  crawlAllocationRequest,
} from './request.ts';
