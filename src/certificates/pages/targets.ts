/**
 * Checks an answer to "how few crawls": its targets are kept, its figures agree, and its curve is one. Its bound must
 * follow from its own prices. It shares no code with the solver.
 *
 * Let θ = 1/price of each target, in crawls per unit of what is left. Crawls that keep the targets then sum to at least
 * Σ_i min_f (f + Σ θ·c_i(f)) − Σ θ·s, whatever the prices are (weak duality).
 */
import { faultList } from '../faults.ts';
import { isObject, listIn, numberIn, objectAt, objectiveOf, textIn, type WireObject } from '../wire.ts';

/** Differences of this size are rounding, relative to what is compared. */
const slack = 1e-7;

/** A target of the whole, or of the pages that have a text in a cell. */
interface Target {
  readonly name: string;
  readonly measure: string;
  readonly holds: (page: number) => boolean;
  /** Most that may be left of the pages' scale. */
  readonly most: number;
}

/** The pages as the answer leaves them, lists by page. */
export interface LeftPages {
  /** What each leaves: weight·cost, and what it would leave of a measure of 1. */
  readonly left: ArrayLike<number>;
  readonly scale: ArrayLike<number>;
  readonly class: readonly (string | null)[];
  readonly host: readonly (string | null)[];
}

const measureNames = ['freshness', 'staleness', 'meanDelay', 'meanAge', 'harmonic'];

/** What a measure of this value leaves. */
export const leftOf = (measure: string, value: number): number => (measure === 'freshness' ? 1 - value : value);

export const asksForCrawls = (request: WireObject): boolean =>
  isObject(request.target) || (request.targets !== undefined && request.targets !== null);

/** The targets of a request: that of the whole first, where there is one. */
export function targetsOf(request: WireObject, pages: LeftPages): readonly Target[] {
  const told = (object: WireObject, name: string, holds: (page: number) => boolean): Target => {
    const measure = measureNames.find((each) => typeof object[each] === 'number') ?? 'freshness';
    return { name, measure, holds, most: leftOf(measure, numberIn(object, measure)) };
  };
  const targets = isObject(request.target) ? [told(request.target, 'all pages', () => true)] : [];
  for (const item of listIn(request, 'targets', true)) {
    const each = objectAt(item);
    const kind = typeof each.class === 'string' ? 'class' : 'host';
    const name = textIn(each, kind);
    targets.push(told(each, `${kind} ${name}`, (page) => pages[kind][page] === name));
  }
  return targets;
}

/**
 * What is wrong with the targets, the crawls and the curve of an answer.
 *
 * @param atMost whether crawls rounded up leave less than is said of the targets
 */
export function targetFaults(
  request: WireObject,
  answer: WireObject,
  pages: LeftPages,
  { atMost = false }: { readonly atMost?: boolean } = {},
): string[] {
  const { faults, expect } = faultList();
  const own = listIn(answer, 'targets', true).map((each) => objectAt(each));
  const targets = targetsOf(request, pages);
  const wholes = targets.length - listIn(request, 'targets', true).length;
  for (const [k, { name, measure, holds, most }] of targets.entries()) {
    const mean = meanLeft(pages, holds);
    expect(mean <= most + slack * Math.max(most, 1e-3), `${name} are left with ${mean}, above the target ${most}`);
    if (k < wholes) continue;
    const said = leftOf(measure, numberIn(own[k - wholes] ?? {}, measure));
    const near = atMost ? mean <= said + slack : Math.abs(said - mean) <= slack * Math.max(1, mean);
    expect(near, `${name} are left with ${mean}, not ${said}`);
  }
  const { value } = objectiveOf(answer);
  const crawls = numberIn(objectAt(answer, 'solution'), 'crawls');
  expect(Math.abs(crawls - value) <= slack * value, `the objective ${value} is not the crawls ${crawls}`);
  return [...faults, ...curveFaults(answer)];
}

export function meanLeft({ left, scale }: LeftPages, holds: (page: number) => boolean): number {
  let sum = 0;
  let all = 0;
  for (let i = 0; i < left.length; i++) {
    if (!holds(i)) continue;
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
