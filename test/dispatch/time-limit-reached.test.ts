import { describe, expect, it } from 'vitest';
import { timeLimitReached } from '../../src/dispatch/pipeline.ts';

describe('the refusal of a request whose time has passed', () => {
  it('names the limit, the time used and how far it came', () => {
    const { status, detail } = timeLimitReached(10_000, 10_233, 'the price was not known');
    expect(status).toBe(504);
    expect(detail).toBe(
      'the time limit of 10000 ms was reached after 10233 ms: the price was not known; raise options.timeLimitMs',
    );
  });

  it.each([100, 8200, 40_000])('asks for more time than was used, where solving takes %d ms', (neededMs) => {
    const { detail } = timeLimitReached(10_000, 10_233, 'the price was not known', neededMs);
    const wanted = Number(/options\.timeLimitMs (\d+) should do$/.exec(detail)?.[1]);
    expect(wanted).toBeGreaterThan(10_233);
    expect(wanted).toBeGreaterThanOrEqual(neededMs);
  });
});
