/** What a pilot will probably take, before it begins. */
import { probesNeeded } from '../solvers/freshness/index.ts';

/** Share of the fetches that are probes. */
const probeShare = 0.02;
const alpha = 0.05;
/** Probes early in a period do not count. */
const settlingShare = 1 / 4;

interface PilotTerms {
  /** Freshness under the plan less that under the incumbent, as it is expected. */
  readonly gain: number;
  /** Share of the copies that are stale, in the mean of both arms. */
  readonly stale: number;
  readonly fetchesADay: number;
  /** Pages or hosts that are dealt. */
  readonly units: number;
  readonly periodDays: number;
}

export interface Expectation {
  /** Probes that count until a verdict; null where none can be told. */
  readonly probes: number | null;
  /** Days until then; infinite where there is none. */
  readonly days: number;
  /** Probes made a day, of which some do not count. */
  readonly probesADay: number;
  readonly periodDays: number;
}

/** Source: probes-needed.ts. With forecasts of one half, Y = ±1: its variance is 1 − Δ², whatever is stale. */
export function expectedPilot({ gain, stale, fetchesADay, units, periodDays }: PilotTerms): Expectation {
  const probesADay = Math.max(1, probeShare * fetchesADay);
  // With the mean freshness as the forecast, Y = ±2(x − m).
  const probes = gain > 0 ? probesNeeded(gain, 4 * stale * (1 - stale), alpha) : null;
  // Probes late in a period fall on units as drops do; the first of each counts.
  const late = (probesADay * periodDays * (1 - settlingShare)) / units;
  const countedADay = (units * -Math.expm1(-late)) / periodDays;
  return { probes, days: probes === null ? Number.POSITIVE_INFINITY : probes / countedADay, probesADay, periodDays };
}
