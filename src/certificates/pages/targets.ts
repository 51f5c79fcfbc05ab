/**
 * Checks an answer to "how few crawls": its target is kept, its figures agree, and its curve is one. It shares no code
 * with the solver.
 */
import { faultList } from '../faults.ts';
import { isObject, listIn, numberIn, objectAt, objectiveOf, type WireObject } from '../wire.ts';

/** Differences of this size are rounding, relative to what is compared. */
const slack = 1e-7;

/** The pages as the answer leaves them, lists by page. */
export interface LeftPages {
  /** What each leaves: weight·cost, and what it would leave of a measure of 1. */
  readonly left: ArrayLike<number>;
  readonly scale: ArrayLike<number>;
}

const measureNames = ['freshness', 'staleness', 'meanDelay', 'harmonic'];

/** What a measure of this value leaves. */
export const leftOf = (measure: string, value: number): number => (measure === 'freshness' ? 1 - value : value);

export const asksForCrawls = (request: WireObject): boolean => isObject(request.target);

/** Most that may be left of the pages' scale. */
export function targetOf(request: WireObject): number {
  const target = objectAt(request, 'target');
  const measure = measureNames.find((each) => typeof target[each] === 'number') ?? 'freshness';
  return leftOf(measure, numberIn(target, measure));
}

/** What is wrong with the target, the crawls and the curve of an answer. */
export function targetFaults(request: WireObject, answer: WireObject, pages: LeftPages): string[] {
  const { faults, expect } = faultList();
  const [mean, most] = [meanLeft(pages), targetOf(request)];
  expect(mean <= most + slack * Math.max(most, 1e-3), `pages are left with ${mean}, above the target ${most}`);
  const { value } = objectiveOf(answer);
  const crawls = numberIn(objectAt(answer, 'solution'), 'crawls');
  expect(Math.abs(crawls - value) <= slack * value, `the objective ${value} is not the crawls ${crawls}`);
  return [...faults, ...curveFaults(answer)];
}

export function meanLeft({ left, scale }: LeftPages): number {
  let sum = 0;
  let all = 0;
  for (let i = 0; i < left.length; i++) {
    sum += left[i];
    all += scale[i];
  }
  return all > 0 ? sum / all : 0;
}

/** The points of a curve: crawls, what they leave in the mean, and the price. */
export const curveIn = (answer: WireObject) =>
  listIn(answer, 'curve', true).map((item) => {
    const point = objectAt(item);
    const measure = measureNames.find((each) => typeof point[each] === 'number') ?? 'freshness';
    const left = leftOf(measure, numberIn(point, measure));
    return { crawls: numberIn(point, 'crawls'), left, price: numberIn(point, 'price', 0) };
  });

/** More crawls leave less, each less than the one before; the price lies between the slopes on both sides. */
function curveFaults(answer: WireObject): string[] {
  const points = curveIn(answer);
  const faults: string[] = [];
  for (let k = 1; k < points.length; k++) {
    const [before, here] = [points[k - 1], points[k]];
    const slope = (before.left - here.left) / (here.crawls - before.crawls);
    const rounding = 1e-6 * Math.max(before.price, slope) + 1e-12;
    const rises = here.crawls > before.crawls && slope >= -rounding;
    if (!rises || slope > before.price + rounding || slope < here.price - rounding) {
      faults.push(`point ${k} of the curve: a slope of ${slope} between the prices ${before.price} and ${here.price}`);
    }
  }
  return faults;
}
