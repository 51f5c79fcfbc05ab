import { ConditionNotMet } from '../../condition.ts';

/**
 * Refuses laws whose moments leave double precision, which shows only in the staleness they give.
 *
 * @param staleness by page
 * @throws ConditionNotMet `too-variable`, at the first page without a finite staleness
 */
export function refuseUncomputable(staleness: Float64Array): void {
  let beyond = 0;
  while (beyond < staleness.length && Number.isFinite(staleness[beyond])) beyond++;
  if (beyond === staleness.length) return;
  const message = 'the gaps are too variable to compute with: choose parameters nearer to 1, or another law';
  throw new ConditionNotMet(['pages', beyond], 'too-variable', message);
}
