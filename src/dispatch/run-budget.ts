/** The budget of a solve, here or in a worker, on the clock that all threads share. */
import { type Budget, deadlineBudget } from '../solvers/budget.ts';
import { now } from './clock.ts';
import type { Control } from './control.ts';

/** The budget of a solve that runs under a Control: deadline and cancel flag polled, progress published. */
export function runBudget(control: Control, deadline: number, seed: number): Budget {
  return deadlineBudget({
    clock: now,
    deadline,
    seed,
    cancelled: () => control.cancelled,
    report: (progress) => control.publish(progress),
  });
}

/** The budget of a solve on the event loop: short, and nobody can interrupt it there but the clock. */
export function inlineBudget(deadline: number, seed: number): Budget {
  return deadlineBudget({ clock: now, deadline, seed });
}
