/** Parts of a solve that another thread does. */
import { describe, expect, it } from 'vitest';
import { ThreadAside } from '../../src/dispatch/aside/thread-aside.ts';
import { type Budget, deadlineBudget, unlimitedBudget } from '../../src/solvers/budget.ts';
import { endsThread, failsAside, twice, untilStopped } from './aside-tasks.ts';

const tasksFile = new URL('./aside-tasks.ts', import.meta.url);
const within = (ms: number): Budget => {
  const clock = () => performance.now();
  return deadlineBudget({ clock, deadline: clock() + ms, seed: 0 });
};

/** A count that threads share. */
const counter = () => new Int32Array(new SharedArrayBuffer(4));

describe('another thread', () => {
  it('does a task while this one goes on, and gives what the task gives', () => {
    const aside = new ThreadAside(tasksFile);
    const result = aside.start(twice, Float64Array.of(1, 2, 3), unlimitedBudget());
    expect(result()).toEqual(Float64Array.of(2, 4, 6));
  });

  it('leaves a task that fails there to whoever gave it away', () => {
    expect(new ThreadAside(tasksFile).start(failsAside, null, unlimitedBudget())()).toBe(1);
  });

  it('stops with the budget', () => {
    const aside = new ThreadAside(tasksFile);
    const looks = counter();
    const budget = { ...unlimitedBudget(), stopRequested: () => Atomics.load(looks, 0) > 0 };
    expect(aside.start(untilStopped, looks, budget)()).toBe(true);
    expect(aside.start(twice, Float64Array.of(4), unlimitedBudget())()).toEqual(Float64Array.of(8));
  });

  it('drops a task that nobody waited for, once the next one comes', () => {
    const aside = new ThreadAside(tasksFile);
    aside.start(untilStopped, counter(), unlimitedBudget());
    expect(aside.start(twice, Float64Array.of(5), unlimitedBudget())()).toEqual(Float64Array.of(10));
  });

  it('that has ended costs a while once: its task is done here, and so are all later ones', () => {
    const aside = new ThreadAside(tasksFile);
    expect(aside.start(endsThread, null, within(500))()).toBe(2);
    expect(aside.start(twice, Float64Array.of(6), unlimitedBudget())()).toEqual(Float64Array.of(12));
  });
});
