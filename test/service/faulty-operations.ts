/** Operations that misbehave in every way a solver could: what the service's own tests run. */
import * as z from 'zod';
import { defineOperation, type Operation } from '../../src/operations/operation.ts';
import { requestSchema } from '../../src/schemas/contract/options.ts';
import type { Budget } from '../../src/solvers/budget.ts';
import { NothingToReturn } from '../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../src/solvers/condition.ts';

/** @param work at most 1: solved on the event loop */
function faulty(name: string, work: number, behave: (value: number, budget: Budget) => number): Operation {
  return defineOperation({
    name: `test/${name}`,
    tag: 'plans',
    summary: name,
    description: name,
    request: requestSchema({ value: z.number().describe('a number') }),
    solution: z.object({ value: z.number() }),
    supplement: {},
    examples: { 'inria-crawler': 'unused' },
    limits: {},
    work: () => work,
    solve: ({ value }, budget) => ({
      status: 'evaluated',
      solution: { value: behave(value, budget) },
      statistics: { solver: name },
    }),
  });
}

const inWorker = 1e9;

/** Polls once more at the end: a process that got no processor all the while must still see that it is to stop. */
function spinUntilStopped(milliseconds: number, budget: Budget): boolean {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) if (budget.stopRequested()) return true;
  return budget.stopRequested();
}

export const faultyOperations: readonly Operation[] = [
  faulty('echo', 1, (value) => value),
  faulty('echo-in-worker', inWorker, (value) => value),
  faulty('spin', inWorker, (value, budget) => {
    budget.report({ fraction: 0.25, incumbent: 2, bound: 1 });
    return spinUntilStopped(value, budget) ? 1 : 0;
  }),
  faulty('finish-late', inWorker, (value, budget) => {
    while (!budget.stopRequested());
    const end = performance.now() + value;
    while (performance.now() < end);
    return 1;
  }),
  faulty('empty-handed', inWorker, (value, budget) => {
    if (spinUntilStopped(value, budget)) throw new NothingToReturn();
    return 0;
  }),
  faulty('hang', inWorker, () => {
    for (;;) if (performance.now() < 0) return 0;
  }),
  faulty('exit', inWorker, () => process.exit(3)),
  faulty('kill', inWorker, () => Number(process.kill(process.pid, 'SIGKILL'))),
  faulty('exhaust-memory', inWorker, () => {
    const hoard: object[] = [];
    for (;;) hoard.push(Array.from({ length: 1e5 }, (_, i) => ({ i })));
  }),
  faulty('throw', inWorker, () => {
    throw new Error('a secret detail');
  }),
  faulty('throw-inline', 1, () => {
    throw new Error('a secret detail');
  }),
  faulty('throw-late', inWorker, (value) => {
    setTimeout(() => {
      throw new Error('thrown after the answer');
    }, 5);
    return value;
  }),
  faulty('not-a-number', 1, () => Number.NaN),
  faulty('condition', 1, () => {
    throw new ConditionNotMet(['value'], 'mean-not-finite', 'has no mean; give another');
  }),
  faulty('enormous', 1e300, () => 0),
];
