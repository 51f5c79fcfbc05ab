/**
 * The pages of an interval in the order in which they are due: a model for the schedule by index.
 *
 * A page that is to have x fetches, a gap apart, is worth (age/gap)² of the price. It is fetched when its turn has come
 * relative to the others, within all that the schedule keeps. It has no worth once it has had them.
 */
import type { PageModel } from '../../rates/page-model.ts';

/**
 * @param price what a fetch at its time is worth; @param gap of each page's fetches; @param counts how many each is to
 * have
 */
export function dueOrder(
  model: PageModel,
  { price, gap, counts }: { readonly price: number; readonly gap: Float64Array; readonly counts: Int32Array },
): PageModel {
  const left = counts.slice();
  /** A page never fetched comes first. */
  const ratio = (i: number, age: number): number => Math.min(1e6, age / gap[i]);
  return {
    ...model,
    worth: (i, age) => (left[i] > 0 ? price * ratio(i, age) ** 2 : 0),
    ageAt: (i, at) => (left[i] > 0 ? gap[i] * Math.sqrt(at / price) : Number.POSITIVE_INFINITY),
    fetched(i) {
      left[i] = Math.max(0, left[i] - 1);
      model.fetched(i);
    },
  };
}
