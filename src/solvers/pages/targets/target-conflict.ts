/** A target that no number of crawls reaches: the best reachable value, and which limits bind. */

import type { Conflict } from '../../answer.ts';
import { figure, share as percent } from '../../figures.ts';
import { type MeasureName, type MeasureTarget, residualOf } from './measures.ts';

/** A limit that binds. */
export interface BindingLimit {
  readonly limit: string;
  readonly host?: string;
  /** Gain of the measure by one more crawl there. */
  readonly price: number;
}

/** Residual measure below which it counts as rounding. */
const negligibleResidual = 1e-6;

/** The conflict of a target that was missed. */
export interface TargetConflict extends Conflict {
  readonly measure: MeasureName;
  readonly target: number;
  readonly reachable: number;
  readonly limits: readonly BindingLimit[];
}

/** The hosts whose limits bind, the highest price first. @param price by host; 0 where its limit does not bind */
export const bindingHosts = (limit: string, hosts: readonly string[], price: Float64Array): BindingLimit[] =>
  Array.from(price, (each, h) => ({ limit, host: hosts[h], price: each }))
    .filter((each) => each.price > 0)
    .sort((a, b) => b.price - a.price);

/**
 * The conflict of a target that was missed, with the limits that bind.
 *
 * @param minCost smallest Σ weight·cost that any number of crawls leaves
 * @param limits with prices in Σ weight·cost a crawl, the highest price first
 */
export function targetConflict(
  { measure, value, scale }: MeasureTarget,
  minCost: number,
  limits: readonly BindingLimit[],
): TargetConflict {
  const reachable = residualOf(measure, scale > 0 ? minCost / scale : 0);
  const [first] = limits;
  const bindingLimit =
    first === undefined ? '' : `; ${first.limit}${first.host === undefined ? '' : ` of host ${first.host}`}`;
  return {
    detail: `a ${inWords(measure, value)} cannot be reached: ${atBest(measure, reachable, limits)}${bindingLimit && `${bindingLimit} binds most`}`,
    measure,
    target: value,
    reachable,
    limits: limits.slice(0, 20).map((each) => ({ ...each, price: each.price / scale })),
  };
}

/** The best value that any number of crawls reaches, in words. */
function atBest(measure: MeasureName, reachable: number, limits: readonly BindingLimit[]): string {
  if (limits.length > 0) return `the limits leave ${figure(reachable, 6)} at best`;
  if (residualOf(measure, reachable) < negligibleResidual)
    return 'crawls bring it as near as you like, but no number of them reaches it';
  return `no number of crawls brings it ${measure === 'freshness' ? 'above' : 'below'} ${figure(reachable, 6)}`;
}

/** A value of a measure, in words: a share close to 0 or 1 gets more digits, so that it does not read as 0% or 100%. */
function inWords(measure: MeasureName, value: number): string {
  if (measure !== 'freshness' && measure !== 'staleness') return `${measure} of ${figure(value)}`;
  const short = percent(value, 3);
  const isExtreme = value < 1 && value > 0 && (short === percent(1, 3) || short === percent(0, 3));
  return `${measure} of ${isExtreme ? percent(value, 9) : short}`;
}
