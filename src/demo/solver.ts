/**
 * The solver of the demonstration: runs in a worker of the browser, with the operations and the pipeline of the service.
 * One question at a time; whoever no longer wants an answer ends the worker.
 */
import { prepareParsed, run } from '../dispatch/pipeline.ts';
import { operations } from '../operations/index.ts';
import { deadlineBudget } from '../solvers/budget.ts';
import { limits } from './limits.ts';

export interface Asked {
  readonly operation: string;
  readonly request: unknown;
}

/** What goes back: how far the solve is, then the answer or the problem as JSON text. */
export type Told =
  | { readonly kind: 'progress'; readonly fraction?: number; readonly incumbent?: number; readonly bound?: number }
  | { readonly kind: 'answer' | 'problem'; readonly json: string };

const tell = (told: Told): void => postMessage(told);
const clock = (): number => performance.now();

function solve({ operation: name, request }: Asked): Told {
  const arrivedAt = clock();
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const ready = prepareParsed(operation, request, limits);
  if (ready.kind === 'problem') return { kind: 'problem', json: JSON.stringify(ready.problem) };
  const budget = deadlineBudget({
    clock,
    deadline: arrivedAt + ready.timeLimitMs,
    seed: ready.request.seed,
    report: (progress) => tell({ kind: 'progress', ...progress }),
  });
  const outcome = run(ready, budget, clock);
  return outcome.kind === 'answer'
    ? { kind: 'answer', json: outcome.json }
    : { kind: 'problem', json: JSON.stringify(outcome.problem) };
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => tell(solve(data)));
