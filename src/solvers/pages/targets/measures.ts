/** The measures of the objectives of pages, and targets and curves as in requests and answers. */
import type { CurvePoint } from '../../market/index.ts';
import { type ObjectiveName, objectiveNames, residualMeasure } from '../objectives/index.ts';

/** The measure of a target: the mean cost that a plan leaves (the residual), or freshness, which is 1 − staleness. */
export type MeasureName = 'freshness' | (typeof residualMeasure)[ObjectiveName];
export const measureNames: readonly MeasureName[] = ['freshness', ...Object.values(residualMeasure)];

/** The target of a request. */
export interface MeasureTarget {
  readonly measure: MeasureName;
  readonly value: number;
  /** Sum of the pages' scales ({@link scaleOf}); the residual measure is Σ weight·cost over this sum. */
  readonly scale: number;
  /** Largest Σ weight·cost that keeps the target. */
  readonly maxResidual: number;
}

/** The objective that a measure belongs to. */
export const objectiveOf = (measure: MeasureName): ObjectiveName =>
  objectiveNames.find((name) => residualMeasure[name] === measure) ?? 'freshness';

/** The measure that answers use where the request names none. */
export const measureOf = (objective: ObjectiveName): MeasureName =>
  objective === 'freshness' ? objective : residualMeasure[objective];

/** A value of a measure as the mean cost that is left, and back: 1 − freshness, and any other measure itself. */
export const residualOf = (measure: MeasureName, value: number): number =>
  measure === 'freshness' ? 1 - value : value;

/**
 * The weighted cost of a page whose measure is 1, by page: its weight, and under the mean delay weight × rate, because
 * the delay is a mean over items.
 */
export function scaleOf(
  measure: MeasureName,
  { weight, rate }: { readonly weight: ArrayLike<number>; readonly rate: ArrayLike<number> },
): (page: number) => number {
  return measure === 'meanDelay' ? (i) => weight[i] * rate[i] : (i) => weight[i];
}

/** The measure reached with a number of crawls, under the measure's name, and its change by one more crawl. */
type MeasuredPoint = { readonly [Name in MeasureName]?: number } & {
  readonly crawls: number;
  readonly price: number | null;
};

/** A curve in the units of an answer. @param perCrawl crawls of the answer that are one crawl of the solver */
export function measuredCurve(
  curve: readonly CurvePoint[],
  { measure, scale, perCrawl }: { readonly measure: MeasureName; readonly scale: number; readonly perCrawl: number },
): MeasuredPoint[] {
  return curve.map(({ crawls, cost, price }) => ({
    crawls: crawls * perCrawl,
    [measure]: residualOf(measure, scale > 0 ? cost / scale : 0),
    price: Number.isFinite(price) && scale > 0 ? price / perCrawl / scale : null,
  }));
}
