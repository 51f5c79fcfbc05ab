/**
 * A time limit that many parts share, on a clock that moves only where a solver looks at it. Whatever the limit, there
 * is an answer, or nearly all of the time has been used.
 */
import { describe, expect, it } from 'vitest';
import { requestsOfManyParts } from '../../scripts/torment/requests/many-parts.ts';
import { readConfig } from '../../src/config.ts';
import { now } from '../../src/dispatch/clock.ts';
import { prepareParsed, type Ready, run } from '../../src/dispatch/pipeline.ts';
import { operations } from '../../src/operations/index.ts';
import { type Budget, deadlineBudget } from '../../src/solvers/budget.ts';

const parts = 4;
/** What a look at the clock takes, milliseconds: some solvers keep a share of the time for their end. */
const lookMs = 10;

function readyOf(name: string, body: object): Ready {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const ready = prepareParsed(operation, body, readConfig({}));
  if (ready.kind !== 'ready') throw new Error(JSON.stringify(ready.problem));
  return ready;
}

/** What a request ends in when its limit allows so many looks at the clock, and how many it took. */
function within(ready: Ready, looks: number): { readonly status: string; readonly looked: number } {
  let time = 0;
  const clocked = deadlineBudget({ clock: () => time, deadline: looks * lookMs, seed: 0 });
  const budget: Budget = {
    ...clocked,
    stopRequested: () => {
      time += lookMs;
      return clocked.stopRequested();
    },
  };
  const done = run(ready, budget, now);
  const status = done.kind === 'answer' ? JSON.parse(done.json).status : done.problem.type;
  return { status, looked: time / lookMs };
}

describe('a limit that many parts share', () => {
  it.each(requestsOfManyParts(parts))(
    'in $operation: an answer, or none once the time is over',
    ({ operation, body }) => {
      const ready = readyOf(operation, body);
      const whole = within(ready, Number.POSITIVE_INFINITY);
      expect(['optimal', 'feasible', 'evaluated']).toContain(whole.status);
      const shares = [0.02, 0.1, 0.3, 0.6, 0.9];
      for (const looks of new Set([1, 2, ...shares.map((share) => Math.ceil(share * whole.looked))])) {
        const { status, looked } = within(ready, looks);
        if (status.startsWith('urn:')) {
          expect(status).toBe('urn:crawl-optimizer:problem:time-limit');
          expect(looked, `${looks} of ${whole.looked} looks`).toBeGreaterThanOrEqual(0.9 * looks);
        } else expect(['optimal', 'feasible', 'evaluated']).toContain(status);
      }
    },
  );
});
