/** The refusal of a request whose time limit ended with nothing to return. */
import { type Problem, problem } from '../schemas/contract/problem.ts';

interface TimeSpent {
  readonly timeLimitMs: number;
  /** The largest limit that this server accepts. */
  readonly maxTimeLimitMs: number;
  /** From the moment a worker took the request. */
  readonly usedMs: number;
  readonly reason: string;
  /** Time the solver still needs, if it can tell. */
  readonly neededMs?: number | undefined;
}

/** Says the limit, the time used, how far the solve had come, and which limit to ask for. */
export function timeLimitProblem({ timeLimitMs, maxTimeLimitMs, usedMs, reason, neededMs }: TimeSpent): Problem {
  const verb = usedMs < 0.98 * timeLimitMs ? 'left too little' : 'was reached';
  const outcome = `the time limit of ${timeLimitMs} ms ${verb} after ${Math.round(usedMs)} ms`;
  const enoughMs =
    neededMs === undefined
      ? Math.min(2 * Math.max(usedMs, timeLimitMs), maxTimeLimitMs)
      : Math.max(usedMs + neededMs, 1.5 * timeLimitMs);
  // two significant digits, a whole number
  const proposedMs = Math.ceil(Number(enoughMs.toPrecision(2)));
  const advice =
    proposedMs > timeLimitMs && proposedMs <= maxTimeLimitMs
      ? `try options.timeLimitMs ${proposedMs}`
      : `it needs more than this server's maximum of ${maxTimeLimitMs} ms: make the problem smaller`;
  return problem('time-limit', `${outcome}: ${reason}; ${advice}`);
}
