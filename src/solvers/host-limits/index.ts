export { nextDelay } from './next-delay.ts';
export {
  answeredOutcome,
  type HostEvidence,
  type HostLimit,
  type HostLimitsProblem,
  type HostQuota,
  inconclusiveOutcome,
  type RequestLog,
  refusedOutcome,
} from './problem.ts';
export { solveHostLimits } from './solve.ts';
