/** Asking again: as often and as late as the service says, and no more. */
import { describe, expect, it } from 'vitest';
import type { Outcome, Problem } from '../../src/console/api/answer.ts';
import { maxRetries, pause, retryAfterMs, retryWhileBusy } from '../../src/console/api/ask-patiently.ts';

const refusal = (status: number, wait?: number): Problem => ({
  title: 'busy',
  status,
  detail: '',
  errors: [],
  errorCount: 0,
  ...(wait === undefined ? {} : { retryAfterMs: wait }),
});

/** Asks where the service answers with these, one after the other; the last again and again. */
async function outcomeOf(problems: readonly Problem[], isEndless = false) {
  const waits: number[] = [];
  let count = 0;
  const answer: Outcome = {
    kind: 'answer',
    answer: { status: 'optimal', warnings: [], statistics: { solver: '', solveMs: 0 } },
    elapsedMs: 0,
  };
  const ask = async (): Promise<Outcome> => {
    const problem = problems[isEndless ? Math.min(count, problems.length - 1) : count];
    count++;
    return problem === undefined ? answer : { kind: 'problem', problem };
  };
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  const reports: Problem[] = [];
  const outcome = await retryWhileBusy(ask, wait, (problem) => reports.push(problem));
  return { kind: outcome.kind, count, waits, reports: reports.length };
}

describe('a request that is refused for now', () => {
  it('is sent again after the time the service names, until it is answered', async () => {
    const outcome = await outcomeOf([refusal(503, 2000), refusal(429, 1000)]);
    expect(outcome).toEqual({ kind: 'answer', count: 3, waits: [2000, 1000], reports: 2 });
  });

  it('is sent again only a few times', async () => {
    const outcome = await outcomeOf([refusal(503, 1000)], true);
    expect(outcome).toMatchObject({ kind: 'problem', count: maxRetries + 1, reports: maxRetries });
  });

  it('is not sent again where no time is named', async () => {
    expect(await outcomeOf([refusal(503)])).toMatchObject({ kind: 'problem', count: 1, waits: [] });
    expect(await outcomeOf([refusal(422)])).toMatchObject({ kind: 'problem', count: 1, waits: [] });
  });

  it('waits as the header says, half a minute at most', () => {
    expect([null, '3', '0', '86400', 'Fri, 31 Dec 1999 23:59:59 GMT'].map(retryAfterMs)).toEqual([
      undefined,
      3000,
      0,
      30_000,
      undefined,
    ]);
  });

  it('is not sent again after its caller has aborted it', async () => {
    const leaving = new AbortController();
    const waiting = pause(1e9, leaving.signal);
    leaving.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(pause(0, leaving.signal)).rejects.toThrow('left');
  });
});
