/** What an operation makes of a body, as a caller meets it: through the pipeline, JSON in and out. */
import { expect } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { FieldError } from '../../src/schemas/contract/problem.ts';
import { type Budget, deadlineBudget, unlimitedBudget } from '../../src/solvers/budget.ts';
import { now } from '../../src/workers/clock.ts';
import { type Outcome, prepare, type Ready, run } from '../../src/workers/pipeline.ts';

export function operationNamed(name: string): Operation {
  const operation = operations.find((each) => each.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return operation;
}

type BudgetOf = (ready: Ready) => Budget;

/** The budget of a solve that ends at its request's time limit. */
export const untilTimeLimit: BudgetOf = ({ timeLimitMs, request: { seed } }) =>
  deadlineBudget({ clock: now, deadline: now() + timeLimitMs, seed });

export function outcomeOf(operation: Operation, body: unknown, budget?: Budget | BudgetOf): Outcome {
  const ready = prepare(operation, JSON.stringify(body), readConfig({}));
  if (ready.kind !== 'ready') return ready;
  const own = typeof budget === 'function' ? budget(ready) : (budget ?? unlimitedBudget(ready.request.seed));
  return run(ready, own, now);
}

/** The status of a request, and its answer or problem. */
export function ask(operation: Operation, body: unknown, budget?: Budget | BudgetOf) {
  const outcome = outcomeOf(operation, body, budget);
  return outcome.kind === 'answer'
    ? { status: 200, body: JSON.parse(outcome.body) }
    : { status: outcome.problem.status, body: outcome.problem };
}

/** @throws Error where the body is refused */
export function answerOf(operation: Operation, body: unknown, budget?: Budget) {
  const outcome = outcomeOf(operation, body, budget);
  if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
  return JSON.parse(outcome.body);
}

/** The refused values of a body, each with its place. */
export function refusalsOf(operation: Operation, body: unknown): readonly FieldError[] {
  const outcome = outcomeOf(operation, body);
  if (outcome.kind !== 'problem') throw new Error('accepted');
  expect(outcome.problem.status, JSON.stringify(outcome.problem).slice(0, 500)).toBe(422);
  return outcome.problem.errors ?? [];
}

/** The refused values of a body, as `/pointer code`. */
export const refusalPlaces = (operation: Operation, body: unknown): string[] =>
  refusalsOf(operation, body).map(({ pointer, code }) => `${pointer} ${code}`);
