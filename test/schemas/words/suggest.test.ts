/** What a refusal says of a word that is not known where it stands. */
import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../../src/schemas/words/suggest.ts';

const page = ['id', 'host', 'weight', 'changeRate', 'lastCrawl', 'checks', 'observations', 'feed'];

describe('a word that is not known', () => {
  it.each([
    ['chnageRate', 'changeRate'],
    ['change_rate', 'changeRate'],
    ['ChangeRate', 'changeRate'],
    ['last-crawl', 'lastCrawl'],
  ])('%s is asked back as %s', (word, name) => {
    expect(didYouMean(word, page)).toBe(`did you mean ${name}?`);
  });

  it.each(['zzzzzzzz', 'x'.repeat(100_000), 'constructor', '__proto__'])(
    'is left alone where nothing is near',
    (word) => {
      expect(didYouMean(word, page)).toBe('');
    },
  );
});
