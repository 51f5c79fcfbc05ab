import { expect, it } from 'vitest';
import { withPageNames } from '../../src/cli/plan/page-names.ts';

const ids = Array.from({ length: 9 }, (_, i) => `https://a.example/${i}`);

it.each([
  ['2 pages change (first: 1, 3, …): so', '2 pages change (first: https://a.example/1, https://a.example/3, …): so'],
  ['1 page is dear: page 2; a weight', '1 page is dear: https://a.example/2; a weight'],
  [
    '9 pages are dear: pages 0, 1, 2, 3, 4, 5, and 3 more (fetchInterval null); a weight',
    `9 pages are dear: ${ids.slice(0, 5).join(', ')}, and 4 more; a weight`,
  ],
  [
    '3 of 9 pages get no crawl in these 86400 s (positions in solution.withoutCrawl)',
    '3 of 9 pages get no crawl in the next 1 d',
  ],
  ['(12) is no page', '(12) is no page'],
])('names pages in a warning: %s', (detail, named) => {
  expect(withPageNames(detail, ids)).toBe(named);
});
