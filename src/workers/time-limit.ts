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

/** Two significant digits, a whole number. */
const roundUp = (milliseconds: number): number => Math.ceil(Number(milliseconds.toPrecision(2)));

/** Says the limit, the time used, how far the solve had come, and which limit to ask for, as far as that is known. */
export function timeLimitProblem({ timeLimitMs, maxTimeLimitMs, usedMs, reason, neededMs }: TimeSpent): Problem {
  const used = `${Math.round(usedMs)} ms`;
  const limit = `the time limit of ${timeLimitMs} ms`;
  const outcome =
    usedMs < 0.98 * timeLimitMs ? `${limit} left too little after ${used}` : `${limit} was reached after ${used}`;
  const suggestedMs =
    neededMs === undefined
      ? roundUp(2 * Math.max(usedMs, timeLimitMs))
      : roundUp(Math.max(usedMs + neededMs, 1.5 * timeLimitMs));
  const advice =
    suggestedMs > maxTimeLimitMs
      ? timeLimitMs < maxTimeLimitMs && neededMs === undefined
        ? `how much it needs is not known: try this server's maximum, options.timeLimitMs ${maxTimeLimitMs}`
        : `it needs more than this server's maximum of ${maxTimeLimitMs} ms: make the problem smaller`
      : neededMs === undefined
        ? `how much it needs is not known: try options.timeLimitMs ${suggestedMs}`
        : `options.timeLimitMs ${suggestedMs} should do`;
  return problem('time-limit', `${outcome}: ${reason}; ${advice}`);
}

/**
 * The same where the solver did not end by itself.
 *
 * @param fraction share of the solve in its last progress event
 */
export function overdueProblem(usage: Omit<TimeSpent, 'reason' | 'neededMs'>, fraction: number | undefined): Problem {
  if (fraction === undefined || !(fraction > 0 && fraction < 1)) {
    return timeLimitProblem({ ...usage, reason: 'it had no answer yet' });
  }
  const neededMs = usage.usedMs * (1 / fraction - 1);
  return timeLimitProblem({ ...usage, reason: `${Math.round(100 * fraction)}% was done`, neededMs });
}
