/** The budget of a solve that runs under a Control: deadline and cancel flag polled, progress published. */
import type { Budget } from '../solvers/budget.ts';
import { now } from './clock.ts';
import type { Control } from './control.ts';

export function runBudget(control: Control, deadline: number, seed: number): Budget {
  return {
    seed,
    stopRequested: () => control.cancelled || now() >= deadline,
    remainingMs: () => (control.cancelled ? 0 : Math.max(0, deadline - now())),
    report: (progress) => control.publish(progress),
  };
}

/** The budget of a solve on the event loop: short, and nobody can interrupt it there but the clock. */
export function inlineBudget(deadline: number, seed: number): Budget {
  return {
    seed,
    stopRequested: () => now() >= deadline,
    remainingMs: () => Math.max(0, deadline - now()),
    report: () => {},
  };
}
