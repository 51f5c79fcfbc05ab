/** The life of a thread that does asides: take one, run it, send what came of it. */
import { workerData } from 'node:worker_threads';
import { type AsideTask, type Budget, deadlineBudget } from '../../solvers/budget.ts';
import { now } from '../clock.ts';
import { type AsideLine, type AsideOrder, type AsideReport, beatsAt, doneAt, stoppedAt } from './aside-line.ts';

/** Serves these tasks until the process ends. */
export function serveAsides(tasks: readonly AsideTask<unknown, unknown>[]): void {
  const { port, state }: AsideLine = workerData;
  const beat = (): void => {
    Atomics.add(state, beatsAt, 1);
  };
  const budgetOf = ({ id, seed, remainingMs }: AsideOrder): Budget =>
    deadlineBudget({
      clock: now,
      deadline: now() + remainingMs,
      seed,
      cancelled: () => {
        beat();
        return Atomics.load(state, stoppedAt) >= id;
      },
    });
  beat();
  port.on('message', (order: AsideOrder) => {
    beat();
    port.postMessage(reportOn(order, tasks, budgetOf(order)));
    Atomics.store(state, doneAt, order.id);
    Atomics.notify(state, doneAt);
  });
}

/** Why a task failed does not matter: whoever gave it away does it again, and fails himself. */
function reportOn({ id, task, input }: AsideOrder, tasks: readonly AsideTask<unknown, unknown>[], budget: Budget) {
  let report: AsideReport = { id, kind: 'failed' };
  try {
    const known = tasks.find(({ name }) => name === task);
    if (known !== undefined) report = { id, kind: 'done', output: known.run(input, budget) };
  } catch {
    // `failed`, as it stands
  }
  return report;
}
