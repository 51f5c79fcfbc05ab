/** What an answer tells of a target that is met: the curve, and each class or host with its price. */
import type { AskedTarget } from './asked.ts';
import type { CurvePoint } from './curve.ts';
import { type MeasureName, toldOf } from './measures.ts';
import type { TargetMet } from './problem.ts';

/** A value, by the name of its measure. */
export type Measured = { readonly [Name in MeasureName]?: number };

/** What so many crawls reach, and the change of the measure by one more; null: none is needed. */
type ToldPoint = Measured & { readonly crawls: number; readonly price: number | null };

/** The same of a class or host with a target. */
type ToldTarget = ToldPoint & { readonly class?: string; readonly host?: string };

/** What is left of a scale, in a measure. */
export const told = (measure: MeasureName, left: number, scale: number): Measured => ({
  [measure]: toldOf(measure, scale > 0 ? left / scale : 0),
});

/** A price in the unit of the measure per crawl; freshness rises by it, the others fall. */
export const toldPrice = (price: number, scale: number): number | null =>
  Number.isFinite(price) && scale > 0 ? price / scale : null;

/** A curve in the unit of an answer: `perCrawl` of the answer's crawls are one of the solver's. */
export function toldCurve(
  curve: readonly CurvePoint[],
  { measure, scale, perCrawl }: { readonly measure: MeasureName; readonly scale: number; readonly perCrawl: number },
): ToldPoint[] {
  return curve.map(({ crawls, left, price }) => ({
    crawls: crawls * perCrawl,
    ...told(measure, left, scale),
    price: toldPrice(price / perCrawl, scale),
  }));
}

/** The highest price of a page that keeps the target of its own. */
export function ceilingOf({ own }: AskedTarget, met: Pick<TargetMet, 'own'>): (page: number) => number {
  if (own === null) return () => Number.POSITIVE_INFINITY;
  return (page) => (own.of[page] < 0 ? Number.POSITIVE_INFINITY : met.own[own.of[page]].ceiling);
}

/** What each class or host with a target reaches. */
export function toldTargets({ owns }: AskedTarget, { own }: Pick<TargetMet, 'own'>, perCrawl: number): ToldTarget[] {
  return owns.map((asked, g) => ({
    ...(asked.class !== undefined && { class: asked.class }),
    ...(asked.host !== undefined && { host: asked.host }),
    crawls: own[g].crawls * perCrawl,
    ...told(asked.measure, own[g].left, asked.scale),
    price: toldPrice(own[g].price / perCrawl, asked.scale),
  }));
}
