/**
 * How a request asks how few crawls will do: `target` for all pages, `targets` for classes and hosts, and `curve`.
 * Shared by every operation that has both directions.
 */

import * as z from 'zod';
import { type AskedMeasure, type MeasureName, measureNames } from '../../../solvers/pages/targets/index.ts';
import { id, number, plain, share, time } from '../../contract/field.ts';
import { real } from '../../contract/range.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { strictObject } from '../../contract/strict-object.ts';
import { textColumn } from '../../table/column.ts';
import { list } from '../list.ts';

/** Classes and hosts that may have a target of their own. */
export const mostTargets = 1000;

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
  meanAge: span.meta(time('Under age: largest age of the copy', { lever: { factor: 4 } })),
  harmonic: span.meta(number('Under harmonic: largest value', { lever: { factor: 4 } })),
};

const ofFreshness = { freshness: measures.freshness, staleness: measures.staleness };

const told = 'In place of a number of crawls: the measure to keep with the fewest, mean by weight';
const toldByClass = 'Targets of classes or hosts; a page has at most one';
const size = { minItems: 1, maxItems: mostTargets };
const group = {
  class: z.string().min(1).max(2048).optional().meta(id('Class of its pages')),
  host: z.string().min(1).max(2048).optional().meta(id('In place of class: host of its pages')),
};

const curve = z.boolean().default(false).meta(plain('Whether to answer what half to twice the crawls reach'));

/** For operations whose pages have one objective, freshness. */
export const freshnessTargetFields = {
  target: strictObject(ofFreshness)
    .optional()
    .meta(plain(told, { component: 'FreshnessTarget' })),
  targets: list(strictObject({ ...group, ...ofFreshness }), size, 'targets {class or host, freshness or staleness}')
    .optional()
    .meta(plain(toldByClass)),
  curve,
};

/** For operations with every objective. */
export const targetFields = {
  target: strictObject(measures)
    .optional()
    .meta(plain(told, { component: 'Target' })),
  targets: list(strictObject({ ...group, ...measures }), size, 'targets {class or host, and one measure}')
    .optional()
    .meta(plain(toldByClass)),
  curve,
};

/** The cell of a page that `targets` by class look at. */
export const classColumn = textColumn(id('Class of the page, for targets'), { optional: true });

type Told = { readonly [Name in MeasureName]?: number | undefined };

/** The one measure of a target; refuses none and several, and those of another objective. */
export function measureIn(
  target: Told,
  allowed: readonly MeasureName[],
  at: readonly PropertyKey[],
  refuse: Refuse,
): AskedMeasure | null {
  const given = measureNames.filter((name) => target[name] !== undefined);
  if (given.length !== 1) {
    const message = `give one of ${allowed.join(', ')}; got ${given.length === 0 ? 'none' : given.join(' and ')}`;
    refuse([...at], 'one-of', message, target);
    return null;
  }
  const [measure] = given;
  const value = target[measure] ?? 0;
  if (!allowed.includes(measure)) {
    const message = `does not go with this objective, which is measured by ${allowed.join(' or ')}`;
    refuse([...at, measure], 'not-applicable', message, value);
    return null;
  }
  return { measure, value };
}
