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
  type CheckedAllocationOrTarget,
  crawlAllocationLimits,
  crawlAllocationRequest,
} from './request.ts';
