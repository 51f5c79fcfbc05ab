import { expectTypeOf, it } from 'vitest';
import { crawlAllocation, type RequestOf } from '../../src/index.ts';

it('lists are typed as rows and as columns', () => {
  type Request = RequestOf<typeof crawlAllocation>;
  const rows: Request = { interval: 1, crawls: 3, pages: [{ changeRate: 2, weight: 1 }] };
  const columns: Request = { interval: 1, crawls: 3, pages: { changeRate: [1, 2], weight: 1 } };
  expectTypeOf(rows).toEqualTypeOf(columns);
  // @ts-expect-error a rate is a number
  const wrong: Request = { interval: 1, crawls: 3, pages: { changeRate: ['fast'] } };
  expectTypeOf(wrong).toEqualTypeOf(rows);
  const { solution } = crawlAllocation(columns);
  if (solution !== undefined && !Array.isArray(solution.pages)) {
    expectTypeOf(solution.pages.crawls).toEqualTypeOf<(number | null)[]>();
  }
});
