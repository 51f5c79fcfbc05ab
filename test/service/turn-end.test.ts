import { describe, expect, it } from 'vitest';
import { TurnEnd } from '../../src/routes/turn-end.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('what is left to the end of a turn of the event loop', () => {
  it('is done there, in the order in which it came', async () => {
    const end = new TurnEnd();
    const done: number[] = [];
    for (let k = 0; k < 5; k++) end.later(() => done.push(k));
    await nextTurn();
    expect(done).toEqual([0, 1, 2, 3, 4]);
    end.later(() => done.push(5));
    await nextTurn();
    expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is not done before what else has come is taken in', async () => {
    const end = new TurnEnd();
    let done = false;
    end.later(() => {
      done = true;
    });
    expect(done).toBe(false);
    await nextTurn();
    expect(done).toBe(true);
  });

  it('does not wait for the end of a turn that takes long', () => {
    const end = new TurnEnd();
    const done: string[] = [];
    end.later(() => done.push('first'));
    for (const from = performance.now(); performance.now() - from < 5; );
    end.later(() => done.push('second'));
    expect(done).toEqual(['first', 'second']);
  });

  it('may leave more to the end of the next', async () => {
    const end = new TurnEnd();
    const done: string[] = [];
    end.later(() => {
      done.push('first');
      end.later(() => done.push('second'));
    });
    await nextTurn();
    await nextTurn();
    expect(done).toEqual(['first', 'second']);
  });
});
