import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OptionsSearch } from '../../src/dispatch/ahead/options-search.ts';

function found(text: string, slice: number): unknown {
  const search = new OptionsSearch(new TextEncoder().encode(text));
  while (!search.advance(slice));
  return search.options;
}

const objects = fc.dictionary(fc.oneof(fc.string(), fc.constant('options')), fc.jsonValue({ maxDepth: 3 }));

describe('the search for options', () => {
  it('finds in any object what a parser finds, in slices of any size', () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 3 }), (object, slice, space) => {
        const text = JSON.stringify(object, null, space);
        expect(found(text, slice)).toEqual(JSON.parse(text).options);
      }),
      { numRuns: 500 },
    );
  });

  it('takes the last of two, as a parser does', () => {
    expect(found('{"options": 1, "a": {"options": 2}, "options" : {"timeLimitMs": 3}}', 7)).toEqual({ timeLimitMs: 3 });
  });

  it('reads a name once, whatever stands behind it', () => {
    const { parse } = JSON;
    let read = 0;
    JSON.parse = (...given: Parameters<typeof parse>) => {
      read++;
      return parse(...given);
    };
    try {
      for (const text of ['"options"', `"${'a'.repeat(4000)}"`]) {
        const search = new OptionsSearch(new TextEncoder().encode(`{${text}${':'.repeat(50_000)}`));
        while (!search.advance(1000));
      }
    } finally {
      JSON.parse = parse;
    }
    expect(read).toBe(0);
    expect(found(`{"${'\\u006f'}ptions":{"timeLimitMs":4}}`, 3)).toEqual({ timeLimitMs: 4 });
  });

  it('ends with none in a text that is not JSON', () => {
    for (const text of ['', '{', '"options": 1', '{"options": [}', '}}}{"options":1', '{"options\\'])
      expect(found(text, 3)).toBeUndefined();
  });
});
