import { describe, expect, it } from 'vitest';
import { readLog } from '../../src/logs/read-log.ts';

const log = (...urls: string[]) =>
  readLog([['url,time,etag', ...urls.map((url, k) => `${url},2026-11-0${k + 1}T00:00:00Z,v${k}`)].join('\n')]);

describe('URLs of a log', () => {
  it.each([
    ['https://Messy4.example/x/54', 'https://messy4.example/x/54#frag'],
    ['HTTP://a.example:80/x', 'http://a.example/x'],
    ['https://a.example', 'https://a.example/'],
    ['https://a.example/b/../c', 'https://a.example/c'],
    ['https://a.example/%7e%c3%a9', 'https://a.example/~%C3%A9'],
    ['https://a.example/%69tem', 'https://a.example/item'],
  ])('%s and %s are one page, which is said', (first, second) => {
    const { pages, notes } = log(first, second);
    expect(pages.map(({ id, observations }) => [id, observations.length])).toEqual([[first, 2]]);
    expect(notes.join(' ')).toContain(
      `1 URL is joined with equal ones (RFC 3986), under the spelling that came first: "${second}" is "${first}".`,
    );
  });

  it('that were joined are named, three of them', () => {
    const variants = ['#a', '#b', '#c', '#d'].map((part) => `https://a.example/x${part}`);
    const [said] = log('https://a.example/x', ...variants).notes.filter((note) => note.includes('joined'));
    expect(said).toMatch(/^4 URLs are joined .* came first: "https:\/\/a.example\/x#a" is "https:\/\/a.example\/x", /);
    expect(said).toMatch(/x#c" is "https:\/\/a.example\/x", …\.$/);
  });

  it.each([
    ['https://a.example/X', 'https://a.example/x'],
    ['https://a.example/x', 'https://a.example/x/'],
    ['https://a.example/x', 'https://a.example/x?'],
    ['http://a.example/x', 'https://a.example/x'],
    ['Page A', 'page a'],
  ])('%s and %s stay two', (first, second) => {
    const { pages, notes } = log(first, second);
    expect(pages.map(({ id }) => id)).toEqual([first, second]);
    expect(notes.join(' ')).not.toContain('joined');
  });
});
