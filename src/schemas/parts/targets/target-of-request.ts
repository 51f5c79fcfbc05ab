/** Converts the target of a request to the solvers' form. */
import type { ObjectiveName } from '../../../solvers/pages/objectives/index.ts';
import {
  type AskedTarget,
  leftOf,
  type MeasureName,
  measureNames,
  objectiveOf,
  scaleOf,
} from '../../../solvers/pages/targets/index.ts';
import type { Refuse } from '../../contract/refusals.ts';
import { targetMeasure } from './request.ts';

/** The parts of a request that define a target. */
interface TargetRequest {
  readonly target?: Partial<Record<MeasureName, number | undefined>> | undefined;
  readonly objective: ObjectiveName;
  readonly weight: Float64Array;
  /** Change rates; NaN if unknown. */
  readonly rate: Float64Array;
}

/** The target of a request; null if it has none or it is refused. */
export function targetOfRequest(request: TargetRequest, refuse: Refuse): AskedTarget | null {
  const { target, objective, weight } = request;
  if (target === undefined) return null;
  const measured = targetMeasure(
    target,
    measureNames.filter((name) => objectiveOf(name) === objective),
    refuse,
  );
  if (measured === null) return null;
  const scaleOfPage = scaleOf(measured.measure, request);
  let scale = 0;
  for (let i = 0; i < weight.length; i++) scale += scaleOfPage(i);
  return { ...measured, scale, whole: leftOf(measured.measure, measured.value) * scale };
}
