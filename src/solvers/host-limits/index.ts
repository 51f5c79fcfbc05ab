export { nextDelay } from './next-delay.ts';
export {
  answered,
  type HostEvidence,
  type HostLimit,
  type HostLimitsProblem,
  type HostQuota,
  inconclusive,
  type RequestLog,
  refused,
} from './problem.ts';
export { solveHostLimits } from './solve.ts';
