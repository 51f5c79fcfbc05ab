/** What a fetch saves until the interval ends, if no other follows. */
import type { CrawlPlanProblem } from '../../problem.ts';
import type { PageModel } from '../../rates/page-model.ts';

/** Pages worth the same to within this are parted. */
const alike = 1e-9;

/** What a fetch of a page at an age saves, so much time being left. */
export type Saving = (page: number, age: number, left: number) => number;

/**
 * Of a copy never fetched before, the time left is all that it can save.
 * Under objectives where such a copy costs nothing at the start it counts as a copy of now. It is then worth no more
 * than that in the long run.
 */
export function restWorth(
  model: PageModel,
  { weight, interval }: Pick<CrawlPlanProblem, 'weight' | 'interval'>,
): Saving {
  const cost = model.costTime ?? model.staleTime;
  return (i, age, left) => {
    const fetched = cost(i, 0, left);
    const unseen = age === Number.POSITIVE_INFINITY;
    if (unseen && model.copies.unseenIsStale) return weight[i] * Math.max(0, left - fetched);
    const own = unseen ? interval - left : age;
    const saved = weight[i] * Math.max(0, cost(i, own, own + left) - fetched);
    return unseen ? Math.min(saved, model.worth(i, own)) : saved;
  };
}

/** For plans for ever: models whose ties go to the pages that a fetch at the start saves most of. */
export function partingTies(
  saved: Saving,
  { age, interval, price }: { readonly age: Float64Array; readonly interval: number; readonly price: number },
): (model: PageModel) => PageModel {
  const favour = age.map((own, i) => {
    const worth = saved(i, own, interval);
    return 1 + (worth > 0 ? (alike * worth) / (worth + price) : 0);
  });
  return (model) => ({ ...model, worth: (i, time) => favour[i] * model.worth(i, time) });
}
