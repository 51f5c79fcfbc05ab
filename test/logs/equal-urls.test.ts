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
      `1 URL is joined with equal ones written otherwise (RFC 3986): "${second}" is "${first}".`,
    );
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
