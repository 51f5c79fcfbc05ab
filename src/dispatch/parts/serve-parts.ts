/** The life of a thread that does parts: take one, run it, send what it made. */
import { workerData } from 'node:worker_threads';
import { type Budget, deadlineBudget, type Part } from '../../solvers/budget.ts';
import { now } from '../clock.ts';
import { beatsAt, doneAt, endedAt, type PartOrder, type PartReport, type PartsLine, stoppedAt } from './parts-line.ts';

/** Serves these parts until the process ends. */
export function serveParts(parts: readonly Part<never, unknown>[]): void {
  const { port, state }: PartsLine = workerData;
  const beat = (): void => {
    Atomics.add(state, beatsAt, 1);
  };
  const budgetOf = ({ id, seed, remainingMs }: PartOrder): Budget =>
    deadlineBudget({
      clock: now,
      deadline: now() + remainingMs,
      seed,
      cancelled: () => {
        beat();
        return Atomics.load(state, stoppedAt) >= id;
      },
    });
  process.on('exit', () => {
    Atomics.store(state, endedAt, 1);
    Atomics.notify(state, doneAt);
  });
  beat();
  port.on('message', (order: PartOrder) => {
    beat();
    const report = reportOn(order, parts, budgetOf(order));
    port.postMessage(report, [...memoryOf(report)]);
    Atomics.store(state, doneAt, order.id);
    Atomics.notify(state, doneAt);
  });
}

/** The memory of the numbers of what was made. Nobody here needs them any more: they go without being copied. */
function memoryOf(made: unknown, found = new Set<ArrayBuffer>()): ReadonlySet<ArrayBuffer> {
  if (ArrayBuffer.isView(made)) {
    if (made.buffer instanceof ArrayBuffer) found.add(made.buffer);
  } else if (typeof made === 'object' && made !== null) for (const each of Object.values(made)) memoryOf(each, found);
  return found;
}

/** Why a part failed does not matter: whoever gave it away does it again, and fails himself. */
function reportOn({ id, part, input }: PartOrder, parts: readonly Part<never, unknown>[], budget: Budget): PartReport {
  try {
    const known = parts.find(({ name }) => name === part);
    if (known !== undefined) return { id, kind: 'done', output: Reflect.apply(known.run, known, [input, budget]) };
  } catch {
    // `failed`, as it stands
  }
  return { id, kind: 'failed' };
}
