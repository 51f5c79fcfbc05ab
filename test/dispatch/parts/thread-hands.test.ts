/** Parts of a solve that other threads do. */
import { describe, expect, it } from 'vitest';
import { PartThreads } from '../../../src/dispatch/parts/thread-hands.ts';
import { type Hands, unlimitedBudget } from '../../../src/solvers/budget.ts';
import { evenCuts } from '../../../src/solvers/parts.ts';
import { endsThread, failsThere, twice, untilStopped } from './small-parts.ts';

const partsFile = new URL('./small-parts.ts', import.meta.url);

/** A count that threads share. */
const counter = () => new Int32Array(new SharedArrayBuffer(4));

function handsOf(threads: PartThreads, others: number): Hands {
  const hands = threads.hands(others);
  if (hands === undefined) throw new Error('no hands');
  return hands;
}

describe('another thread', () => {
  it('does a part while this one goes on, and gives what the part gives', () => {
    const result = handsOf(new PartThreads(partsFile), 1).start(twice, Float64Array.of(1, 2, 3), unlimitedBudget());
    expect(result()).toEqual(Float64Array.of(2, 4, 6));
  });

  it('is joined by more where several parts are given', () => {
    const hands = handsOf(new PartThreads(partsFile), 3);
    const results = [1, 2, 3].map((x) => hands.start(twice, Float64Array.of(x), unlimitedBudget()));
    expect(results.map((result) => result()[0])).toEqual([2, 4, 6]);
  });

  it('leaves a part that fails there to whoever gave it away', () => {
    expect(handsOf(new PartThreads(partsFile), 1).start(failsThere, null, unlimitedBudget())()).toBe(1);
  });

  it('stops with the budget', () => {
    const hands = handsOf(new PartThreads(partsFile), 1);
    const looks = counter();
    const budget = { ...unlimitedBudget(), stopRequested: () => Atomics.load(looks, 0) > 0 };
    expect(hands.start(untilStopped, looks, budget)()).toBe(true);
    expect(hands.start(twice, Float64Array.of(4), unlimitedBudget())()).toEqual(Float64Array.of(8));
  });

  it('drops a part that nobody waited for when the solve is over', () => {
    const threads = new PartThreads(partsFile);
    handsOf(threads, 1).start(untilStopped, counter(), unlimitedBudget());
    threads.rest();
    expect(handsOf(threads, 1).start(twice, Float64Array.of(5), unlimitedBudget())()).toEqual(Float64Array.of(10));
  });

  it('that has ended leaves its part, and all later ones, to this one', () => {
    const hands = handsOf(new PartThreads(partsFile), 1);
    expect(hands.start(endsThread, null, unlimitedBudget())()).toBe(2);
    expect(hands.start(twice, Float64Array.of(6), unlimitedBudget())()).toEqual(Float64Array.of(12));
  });

  it('is not there where no processor is free', () => {
    expect(new PartThreads(partsFile).hands(0)).toBeUndefined();
  });
});

describe('evenCuts', () => {
  const hands: Hands = { others: 2, start: (part, input, budget) => () => part.run(input, budget) };
  const offsets = Uint32Array.of(0, 10, 10, 20, 30, 60);

  it('cuts pages into runs of about as many items', () => {
    expect(evenCuts(offsets, hands, 1)).toEqual([0, 3, 5, 5]);
  });

  it('keeps in one run what is worth no hand, and where there is none', () => {
    expect(evenCuts(offsets, hands, 40)).toEqual([0, 5]);
    expect(evenCuts(offsets, undefined, 1)).toEqual([0, 5]);
    expect(evenCuts(Uint32Array.of(0), hands, 1)).toEqual([0, 0]);
  });
});
