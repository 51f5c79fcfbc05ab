/**
 * `target` (find the fewest crawls) and `curve` in requests, shared by all operations that have them.
 */

import * as z from 'zod';
import { type MeasureName, measureNames } from '../../../solvers/pages/targets/index.ts';
import { number, plain, share, time } from '../../contract/field.ts';
import { real } from '../../contract/range.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { strictObject } from '../../contract/strict-object.ts';

const part = real({ atLeast: 0, atMost: 1 }).optional();
const span = real({ atLeast: 0, atMost: 1e15 }).optional();
const measures = {
  freshness: part.meta(
    share('Least share of the time with a current copy', {
      unit: 'of the time',
      role: 'first',
      lever: { from: 0.5, to: 0.999 },
    }),
  ),
  staleness: part.meta(
    share('Largest share of the time with a stale copy', {
      unit: 'of the time',
      lever: { from: 0.001, to: 0.5 },
    }),
  ),
  meanDelay: span.meta(time('Under delay: longest time that an item waits', { lever: { factor: 4 } })),
  harmonic: span.meta(number('Under harmonic: largest value', { lever: { factor: 4 } })),
};

const ofFreshness = { freshness: measures.freshness, staleness: measures.staleness };

const description = 'In place of a number of crawls: the measure to keep with the fewest, mean by weight';
const curve = z.boolean().default(false).meta(plain('Whether to answer what half to twice the crawls reach'));

/** For operations whose pages have one objective, freshness. */
export const freshnessTargetFields = {
  target: strictObject(ofFreshness)
    .optional()
    .meta(plain(description, { component: 'FreshnessTarget' })),
  curve,
};

/** For operations with every objective. */
export const targetFields = {
  target: strictObject(measures)
    .optional()
    .meta(plain(description, { component: 'Target' })),
  curve,
};

type SolvedAnswer = { readonly [Name in MeasureName]?: number | undefined };

/** The single measure of a target; refuses none, several, or one of another objective. */
export function targetMeasure(
  target: SolvedAnswer,
  allowed: readonly MeasureName[],
  refuse: Refuse,
): { readonly measure: MeasureName; readonly value: number } | null {
  const given = measureNames.filter((name) => target[name] !== undefined);
  if (given.length !== 1) {
    const message = `give one of ${allowed.join(', ')}; got ${given.length === 0 ? 'none' : given.join(' and ')}`;
    refuse(['target'], 'one-of', message, target);
    return null;
  }
  const [measure] = given;
  const value = target[measure] ?? 0;
  if (!allowed.includes(measure)) {
    const message = `does not go with this objective, which is measured by ${allowed.join(' or ')}`;
    refuse(['target', measure], 'not-applicable', message, value);
    return null;
  }
  return { measure, value };
}
