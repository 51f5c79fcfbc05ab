/** Automatic retries of requests refused with a Retry-After: the service starts, is busy or limits the rate. */
import type { Outcome, Problem } from './answer.ts';

/** Automatic retries; after that the reader has to ask again. */
export const maxRetries = 4;
const longestWaitMs = 30_000;

/** The wait a Retry-After header asks for, in milliseconds; undefined where it names none, or a date. */
export function retryAfterMs(header: string | null): number | undefined {
  if (header === null || !/^\d+$/.test(header.trim())) return undefined;
  return Math.min(longestWaitMs, Number(header) * 1000);
}

/** Resolves after a while; rejects as soon as `signal` is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/**
 * The outcome of `ask`, which is repeated up to `maxRetries` times while the refusal names a time to wait. `onWait` gets
 * each such refusal; `wait` waits, and rejects to give up.
 */
export async function retryWhileBusy(
  ask: () => Promise<Outcome>,
  wait: (milliseconds: number) => Promise<void>,
  onWait: (problem: Problem) => void,
): Promise<Outcome> {
  for (let retry = 0; ; retry++) {
    const outcome = await ask();
    if (outcome.kind !== 'problem' || outcome.problem.retryAfterMs === undefined || retry >= maxRetries) return outcome;
    onWait(outcome.problem);
    await wait(outcome.problem.retryAfterMs);
  }
}
