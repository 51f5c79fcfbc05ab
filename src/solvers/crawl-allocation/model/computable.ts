import { ConditionNotMet } from '../../condition.ts';

/**
 * Refuses laws whose moments leave double precision, which shows only in the staleness they give.
 *
 * @param staleness by page
 * @throws ConditionNotMet `too-variable`, at the first page without a finite staleness
 */
export function refuseUncomputable(staleness: Float64Array): void {
  const beyond = staleness.findIndex((share) => !Number.isFinite(share));
  if (beyond < 0) return;
  const message = 'the gaps are too variable to compute with: choose parameters nearer to 1, or another law';
  throw new ConditionNotMet(['pages', beyond], 'too-variable', message);
}
