import { expectTypeOf, it } from 'vitest';
import { type AnswerOf, type activationPolicy, crawlAllocation, type RequestOf, type Status } from '../../src/index.ts';

it('the types of a request and its answer are those of the schemas', () => {
  type Request = RequestOf<typeof activationPolicy>;
  type Answer = AnswerOf<typeof activationPolicy>;
  expectTypeOf<Request['capacity']>().toEqualTypeOf<number>();
  expectTypeOf<Request['crawlers']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Answer['status']>().toEqualTypeOf<Status>();
  expectTypeOf<NonNullable<Answer['solution']>['targets']>().toEqualTypeOf<number[]>();
  // @ts-expect-error a misspelt property
  const misspelt: Request = { capacity: 5, crawlerRat: 1, service: 1, costs: { starvation: 1 } };
  expectTypeOf(misspelt).toExtend<Request>();
});

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
