/** `target` (find the fewest crawls) and `curve` of every operation that has them, in requests and answers. */
import * as z from 'zod';
import { type ObjectiveName, objectiveNames } from '../../solvers/pages/objectives/index.ts';
import {
  type MeasureName,
  type MeasureTarget,
  measureNames,
  objectiveOf,
  residualOf,
  scaleOf,
} from '../../solvers/pages/targets/index.ts';
import { crawlCount, id, number, plain, share, time } from '../contract/field.ts';
import { chance, numberOrNull, real } from '../contract/range.ts';
import type { Refuse } from '../contract/refusals.ts';
import { choice, closedObject, object } from '../contract/strict-object.ts';

/** The measure of a stale copy whose mean is minimised, or bounded by a target. */
export const objectiveName = choice('StalenessObjective', objectiveNames).default('freshness');

const part = chance.optional();
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
  target: closedObject(ofFreshness).meta({ id: 'FreshnessTarget', description }).optional(),
  curve,
};

/** For operations with every objective. */
export const targetFields = {
  target: closedObject(measures).meta({ id: 'Target', description }).optional(),
  curve,
};

/** The parts of a request that define a target. */
interface TargetRequest {
  readonly target?: Partial<Record<MeasureName, number | undefined>> | undefined;
  readonly objective: ObjectiveName;
  readonly weight: Float64Array;
  /** Change rates; NaN if unknown. */
  readonly rate: Float64Array;
}

/** The target of a request; null if it has none, or it is refused: not one measure, or one of another objective. */
export function targetOfRequest(request: TargetRequest, refuse: Refuse): MeasureTarget | null {
  const { target, objective, weight } = request;
  if (target === undefined) return null;
  const allowedMeasures = measureNames.filter((name) => objectiveOf(name) === objective);
  const givenMeasures = measureNames.filter((name) => target[name] !== undefined);
  const [measure] = givenMeasures;
  if (givenMeasures.length !== 1 || !allowedMeasures.includes(measure)) {
    const code = givenMeasures.length === 1 ? 'not-applicable' : 'one-of';
    const got = givenMeasures.length === 0 ? 'none' : givenMeasures.join(' and ');
    const message = `give one of ${allowedMeasures.join(', ')}, which measure objective ${objective}; got ${got}`;
    refuse(givenMeasures.length === 1 ? ['target', measure] : ['target'], code, message, target);
    return null;
  }
  const value = target[measure] ?? 0;
  const scaleOfPage = scaleOf(measure, request);
  let scale = 0;
  for (let i = 0; i < weight.length; i++) scale += scaleOfPage(i);
  return { measure, value, scale, maxResidual: residualOf(measure, value) * scale };
}

const measuredFields = {
  freshness: z
    .number()
    .optional()
    .meta(share('Share of the time with a current copy, mean by weight', { unit: 'of the time' })),
  staleness: z
    .number()
    .optional()
    .meta(share('Share of the time with a stale copy, mean by weight', { unit: 'of the time' })),
  meanDelay: z.number().optional().meta(time('Time that an item waits, mean by weight')),
  harmonic: z.number().optional().meta(number('Value of objective harmonic, mean by weight')),
};
const price = numberOrNull.meta(number('Change of the measure by one more crawl; null: none is needed'));

/** Top-level answer fields of every operation with a target. */
export const targetAnswerFields = {
  curve: z
    .array(
      object('CurvePoint', {
        crawls: z.number().meta(crawlCount('Crawls, in the unit of the answer’s', { role: 'first' })),
        ...measuredFields,
        price,
      }),
    )
    .optional()
    .meta(plain('With curve: what more or fewer crawls reach, fewest first')),
};

/** `crawls` of the solution, with a target. */
export const crawlsNeeded = z
  .number()
  .optional()
  .meta(crawlCount('With target: the fewest crawls that keep it', { role: 'first' }));

export const targetConflict = object('TargetConflict', {
  detail: z.string().meta(plain('The target that cannot be reached, and how near one can come')),
  measure: z.string().meta(plain('The measure of the target')),
  target: z.number().meta(number('The target, in its measure')),
  reachable: z.number().meta(number('The best that any number of crawls reaches')),
  limits: z
    .array(
      object('BindingLimit', {
        limit: z.string().meta(plain('Property of the limit that binds')),
        host: z.string().optional().meta(id()),
        price: z.number().meta(number('Gain of the measure by one more crawl at this limit')),
      }),
    )
    .meta(plain('The limits that bind, most expensive first, at most 20')),
});
