/**
 * A correlated arrival process for intervals no more variable than exponential ones, from moments and correlations.
 *
 * Model: spells of short and of long intervals, as often the one as the other. They have Erlang laws of k stages with
 * means m(1 − s) and m(1 + s). The next interval is of the same kind with the chance (1 + η)/2. Then c² = s² + (1 +
 * s²)/k and the correlation at lag j is η^j·s²/c². For every k > 1/c² one s has the observed c². More stages leave less
 * variation within a spell and more between, thus higher correlations, up to s²/c² → 1. Method: the amplitude that fits
 * the correlations best (least squares over amplitude and decay) names the least k that reaches it. Then η comes by
 * least squares. O(lags) for each of some 1000 trial decays.
 */
import type { ArrivalFit, SeriesMoments } from './arrival-process.ts';
import { bestDecay } from './arrival-process.ts';
import { hiddenErlangMatrices, hiddenErlangMoments } from './hidden-erlang/process.ts';

/** Both kinds together have at most 64 phases, what threshold-policy takes. */
const maxStages = 32;
const decays = 200;
/** η stays this far from −1 and 1. */
const margin = 1e-6;

/** Null where c² is so small that it takes more stages, or none of the lags was observed. */
export function fitRegularSpells(observed: SeriesMoments, batchShares: readonly number[]): ArrivalFit | null {
  const { mean, variance, correlations } = observed;
  const scv = variance / (mean * mean);
  const wanted = bestAmplitude(correlations);
  if (wanted === null || !(scv > 1 / maxStages)) return null;
  let stages = Math.floor(1 / scv) + 1;
  while (stages < maxStages && amplitude(scv, stages) < wanted) stages++;
  const reached = amplitude(scv, stages);
  const eta = bestDecay(correlations, reached, margin - 1);
  const spread = Math.sqrt(reached * scv);
  const process = {
    stages: [stages, stages],
    rates: Float64Array.of(stages / (mean * (1 - spread)), stages / (mean * (1 + spread))),
    transitions: Float64Array.of((1 + eta) / 2, (1 - eta) / 2, (1 - eta) / 2, (1 + eta) / 2),
  };
  const [d0, d1] = hiddenErlangMatrices(process);
  return {
    matrices: [d0, ...batchShares.map((share) => d1.map((row) => row.map((rate) => share * rate)))],
    fitted: hiddenErlangMoments(process, correlations.length),
    shape: 'erlang-spells',
    eta,
    largestCorrelation: reached,
  };
}

/** s²/c², the correlation that a spell without end would have. */
function amplitude(scv: number, stages: number): number {
  return (scv - 1 / stages) / (1 + 1 / stages) / scv;
}

/** The a ≤ 1 of the a·η^j that come nearest to the correlations; null without any. */
function bestAmplitude(correlations: readonly (number | null)[]): number | null {
  let best: { readonly amplitude: number; readonly explained: number } | null = null;
  for (let k = 0; k < 2 * decays; k++) {
    const eta = (k + 0.5) / decays - 1;
    let product = 0;
    let square = 0;
    let power = 1;
    for (const r of correlations) {
      power *= eta;
      if (r === null) continue;
      product += r * power;
      square += power * power;
    }
    if (square === 0 || product <= 0) continue;
    const own = Math.min(1, product / square);
    const explained = 2 * own * product - own * own * square;
    if (best === null || explained > best.explained) best = { amplitude: own, explained };
  }
  return best === null ? null : best.amplitude;
}
