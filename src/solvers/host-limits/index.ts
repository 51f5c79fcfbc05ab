export {
  answered,
  type HostEvidence,
  type HostLimit,
  type HostLimitsAnswer,
  type HostLimitsProblem,
  type HostQuota,
  type RequestLog,
  refused,
  unclear,
} from './problem.ts';
export { solveHostLimits } from './solve.ts';
