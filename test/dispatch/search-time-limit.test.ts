/** The search of large bodies for the time limit that they name. */
import { describe, expect, it, vi } from 'vitest';
import { searchTimeLimit } from '../../src/dispatch/ahead/asked-time-limit.ts';
import { OptionsSearch } from '../../src/dispatch/ahead/options-search.ts';
import { Turns } from '../../src/dispatch/ahead/turns.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const pad = `"pages":[${'1,'.repeat(2 ** 22)}1]`;
const asked = { fallback: 10_000, isOver: () => false, turns: new Turns() };

describe('the time limit of a large body', () => {
  it.each([
    ['at its end', `{${pad},"options":{"timeLimitMs":300}}`, 300],
    [
      'across the border of what is looked through at once',
      `{${' '.repeat(4_194_276)}"options":{"timeLimitMs":300}}`,
      300,
    ],
    ['spelt with escapes', `{${pad},"options":{"time\\u004cimitMs":300}}`, 300],
    ['within its pages', `{"pages":[{"options":{"timeLimitMs":300}}],${pad}}`, 10_000],
    ['before what ends it', `{${pad},"options":{"timeLimitMs":300},"sweep":[1,2]}`, 300],
    ['at its end, twice', `{${pad},"options":{"timeLimitMs":200},"options":{"timeLimitMs":300}}`, 300],
    ['at its beginning', `{"options":{"timeLimitMs":300},${pad}}`, 300],
    ['in the last of its pages', `{${pad},"last":{"options":{"timeLimitMs":300}}}`, 10_000],
    ['in a name that ends so', `{${pad},"\\"options":{"timeLimitMs":300}}`, 10_000],
    ['nowhere', `{${pad},"options":{"seed":3}}`, 10_000],
  ])('%s', async (_, body, limit) => {
    expect(await searchTimeLimit(bytes(body), 'json', asked)).toBe(limit);
  });

  it('is not searched for where it is not named', async () => {
    const advance = vi.spyOn(OptionsSearch.prototype, 'advance');
    await searchTimeLimit(bytes(`{${pad}}`), 'json', asked);
    expect(advance).not.toHaveBeenCalled();
    advance.mockRestore();
  });

  it.each([
    ['at its end', `{${pad},"options":{"timeLimitMs":300}}`, 0],
    ['at its beginning', `{"options":{"timeLimitMs":300},${pad}}`, 1],
  ])('is found in a slice where it stands %s', async (_, body, slices) => {
    const advance = vi.spyOn(OptionsSearch.prototype, 'advance');
    expect(await searchTimeLimit(bytes(body), 'json', asked)).toBe(300);
    expect(advance).toHaveBeenCalledTimes(slices);
    advance.mockRestore();
  });

  it('is searched for in one slice a turn, however many bodies are searched', async () => {
    let [slices, most] = [0, 0];
    const { advance } = OptionsSearch.prototype;
    const watched = vi.spyOn(OptionsSearch.prototype, 'advance').mockImplementation(function (
      this: OptionsSearch,
      count,
    ) {
      slices++;
      most = Math.max(most, slices);
      return advance.call(this, count);
    });
    let searching = true;
    const turns = (): void => {
      slices = 0;
      if (searching) setImmediate(turns);
    };
    turns();
    const body = bytes(`{"a":[${'1,'.repeat(500_000)}1],"options":{"timeLimitMs":300},"b":[${'1,'.repeat(50_000)}1]}`);
    const limits = await Promise.all(Array.from({ length: 20 }, () => searchTimeLimit(body, 'json', asked)));
    searching = false;
    expect(watched.mock.calls.length).toBeGreaterThan(100);
    watched.mockRestore();
    expect(limits).toEqual(Array(20).fill(300));
    expect(most).toBe(1);
  });

  it('is given up when the request is over', async () => {
    const body = bytes(`{${pad},"options":{"timeLimitMs":300}}`);
    expect(await searchTimeLimit(body, 'json', { ...asked, fallback: 7, isOver: () => true })).toBe(7);
  });
});
