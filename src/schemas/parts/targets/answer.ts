/** What an answer says of how few crawls will do: the curve, each target with its price, and what cannot be reached. */

import * as z from 'zod';
import type { CurvePoint, TargetMet } from '../../../solvers/pages/targets/index.ts';
import { figure, share as percent } from '../../../words/numbers.ts';
import { count, id, number, plain, share, time } from '../../contract/field.ts';
import { numberOrNull } from '../../contract/range.ts';
import { type MeasureName, toldOf } from '../objective-measures.ts';
import type { AskedTarget } from './asked.ts';

const measured = {
  freshness: z
    .number()
    .optional()
    .meta(share('Share of the time with a current copy, mean by weight', { unit: 'of the time' })),
  staleness: z
    .number()
    .optional()
    .meta(share('Share of the time with a stale copy, mean by weight', { unit: 'of the time' })),
  meanDelay: z.number().optional().meta(time('Time that an item waits, mean by weight')),
  meanAge: z.number().optional().meta(time('Age of the copy, mean by weight')),
  harmonic: z.number().optional().meta(number('Value of objective harmonic, mean by weight')),
};
const price = numberOrNull.meta(number('Change of the measure by one more crawl; null: none is needed'));

/** Beside the solution, in every operation with both directions. */
export const targetBeside = {
  curve: z
    .array(
      z.object({
        crawls: z.number().meta(count('Crawls, in the unit of the answer’s', { unit: 'crawls', role: 'first' })),
        ...measured,
        price,
      }),
    )
    .optional()
    .meta(plain('With curve: what more or fewer crawls reach, fewest first')),
  targets: z
    .array(
      z.object({
        class: z.string().optional().meta(id('The class')),
        host: z.string().optional().meta(id('The host')),
        crawls: z.number().meta(count('Crawls of its pages', { unit: 'crawls' })),
        ...measured,
        price,
      }),
    )
    .optional()
    .meta(plain('With targets: what each class or host reaches, and its price')),
};

/** `crawls` of the solution, where they were asked for. */
export const crawlsNeeded = z
  .number()
  .optional()
  .meta(count('With target: the fewest crawls that keep it', { unit: 'crawls', role: 'first' }));

/** What is left of a scale, in a measure. */
export const told = (measure: MeasureName, left: number, scale: number): { [Name in MeasureName]?: number } => ({
  [measure]: toldOf(measure, scale > 0 ? left / scale : 0),
});

/** A price in the unit of the measure per crawl; freshness rises by it, the others fall. */
export const toldPrice = (price: number, scale: number): number | null =>
  Number.isFinite(price) && scale > 0 ? price / scale : null;

/** A curve in the unit of an answer: `perCrawl` of the answer's crawls are one of the solver's. */
export function toldCurve(
  curve: readonly CurvePoint[],
  { measure, scale, perCrawl }: { readonly measure: MeasureName; readonly scale: number; readonly perCrawl: number },
) {
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
export function toldTargets({ owns }: AskedTarget, { own }: Pick<TargetMet, 'own'>, perCrawl: number) {
  return owns.map((asked, g) => ({
    ...(asked.class !== undefined && { class: asked.class }),
    ...(asked.host !== undefined && { host: asked.host }),
    crawls: own[g].crawls * perCrawl,
    ...told(asked.measure, own[g].left, asked.scale),
    price: toldPrice(own[g].price / perCrawl, asked.scale),
  }));
}

/** A value of a measure, in words: what is nearly all or nothing does not read as that. */
export function saidMeasure(measure: MeasureName, value: number): string {
  if (measure !== 'freshness' && measure !== 'staleness') return `${measure} of ${figure(value)}`;
  const short = percent(value, 3);
  const rounded = value < 1 && value > 0 && (short === percent(1, 3) || short === percent(0, 3));
  return `${measure} of ${rounded ? percent(value, 9) : short}`;
}
