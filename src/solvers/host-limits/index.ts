export { certifyHostLimits } from './certify.ts';
export {
  answered,
  type HostEvidence,
  type HostLimit,
  type HostLimitsAnswer,
  type HostLimitsProblem,
  type RequestLog,
  refused,
  unclear,
} from './problem.ts';
export { solveHostLimits } from './solve.ts';
