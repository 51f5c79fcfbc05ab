/** Collections of garbage wait until nobody asks for anything. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IdleCollection, idleMs } from '../../src/http/bodies/idle-collection.ts';

let busy = false;
let collected = 0;
let collection: IdleCollection;

beforeEach(() => {
  vi.useFakeTimers();
  busy = false;
  collected = 0;
  collection = new IdleCollection(
    () => busy,
    () => collected++,
  );
  collection.asked();
  collection.soon();
});
afterEach(() => {
  collection.cancel();
  vi.useRealTimers();
});

describe('what large bodies left is collected', () => {
  it('twice, after a while with nothing to do', () => {
    vi.advanceTimersByTime(idleMs - 1);
    expect(collected).toBe(0);
    vi.advanceTimersByTime(10 * idleMs);
    expect(collected).toBe(2);
  });

  it('not between two requests, however short they are', () => {
    for (let i = 0; i < 100; i++) {
      vi.advanceTimersByTime(idleMs / 10);
      collection.asked();
    }
    expect(collected).toBe(0);
    vi.advanceTimersByTime(2 * idleMs);
    expect(collected).toBe(2);
  });

  it('not while anything is being solved', () => {
    busy = true;
    vi.advanceTimersByTime(10 * idleMs);
    expect(collected).toBe(0);
    busy = false;
    vi.advanceTimersByTime(2 * idleMs);
    expect(collected).toBe(2);
  });
});
