/** What a refusal says of a word that is not known where it stands. */
import { describe, expect, it } from 'vitest';
import { meant } from '../../src/words/meant.ts';

const page = ['id', 'host', 'weight', 'changeRate', 'lastCrawl', 'checks', 'observations', 'feed', 'cost'];

describe('a word that is not known', () => {
  it.each([
    ['chnageRate', 'changeRate'],
    ['change_rate', 'changeRate'],
    ['ChangeRate', 'changeRate'],
    ['last-crawl', 'lastCrawl'],
    ['url', 'id'],
    ['priority', 'weight'],
    ['lambda', 'changeRate'],
  ])('%s is asked back as %s', (word, name) => {
    expect(meant(word, page)).toBe(`did you mean ${name}?`);
  });

  it('of an earlier contract is told its new name, by the place where it stands', () => {
    expect(meant('windowItems', page)).toBe('windowItems is called feed.items now');
    expect(meant('horizon', ['interval', 'planFor'])).toBe('horizon is called planFor now');
    expect(meant('horizon', ['policy', 'duration'])).toBe('horizon is called duration now');
    expect(meant('starvationWeight', ['costs', 'capacity'])).toBe('starvationWeight is called costs.starvation now');
    expect(meant('precision', page)).toMatch(/stands at hosts/);
  });

  it('is left alone where nothing is near', () => {
    expect(meant('zzzzzzzz', page)).toBe('');
    expect(meant('x'.repeat(100_000), page)).toBe('');
    expect(meant('constructor', page)).toBe('');
    expect(meant('__proto__', page)).toBe('');
  });

  it('that is no longer a word where it stands gets no new name that is unknown there', () => {
    expect(meant('horizon', page)).toBe('');
  });
});
