/** What a plan's fetches cost, one after another. */
import type { Answered } from './answered.ts';
import { column, number } from './read.ts';

export interface Spent {
  readonly hours: number;
  /** By then, the fetch of this moment included. */
  readonly spent: number;
}

/**
 * What the fetches are expected to cost, one after another: each has the chance of a change since the one before it.
 */
export function spendingOverTime({ request, answer }: Pick<Answered, 'request' | 'answer'>): Spent[] {
  const now = number(request, 'now');
  const cost = column(request.pages, 'cost', 1);
  const ifChanged = column(request.pages, 'costIfChanged', 0);
  const rate = column(answer.solution?.pages, 'changeRate');
  const last = column(request.pages, 'lastCrawl').slice();
  const time = column(answer.solution?.schedule, 'time');
  const page = column(answer.solution?.schedule, 'page');
  let spent = 0;
  return Array.from(time, (at, k) => {
    const i = page[k];
    const found = Number.isFinite(last[i]) ? -Math.expm1(-rate[i] * (at - last[i])) : 1;
    spent += cost[i] + ifChanged[i] * found;
    last[i] = at;
    return { hours: (at - now) / 3600, spent };
  });
}
