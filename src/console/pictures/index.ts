/**
 * The pictures of an answer. Each kind looks for what it draws in the answer, and is left out where that is missing. So
 * an operation has the pictures of its answer without being named here.
 */
import type { Exchange } from '../api/answer.ts';
import { isJsonObject } from '../api/json.ts';
import { baselines, candidates, methods, modeSets, weights } from './comparisons.ts';
import { costByCount, countCurve } from './curves/cost-by-count.ts';
import { crawlsCurve, crawlsCurveFollowUp } from './curves/crawls-curve.ts';
import { fittedLaws } from './curves/fitted-laws.ts';
import { sweepPictures } from './curves/variations.ts';
import { byChangeRate } from './dots/by-change-rate.ts';
import { estimatedRates, hostDelays, measuredFreshness, signalQuality } from './estimates.ts';
import type { FollowUp, Picture, Pictures } from './frame/picture.ts';
import { crawlersByQueueLength, statePictures, switchingPictures } from './policies.ts';

/** In the order they are shown. */
const ofSolutions: readonly Pictures[] = [
  crawlsCurve,
  costByCount,
  switchingPictures,
  crawlersByQueueLength,
  statePictures,
  byChangeRate,
  fittedLaws,
  signalQuality,
  hostDelays,
  measuredFreshness,
  estimatedRates,
  weights,
  methods,
  candidates,
  modeSets,
  baselines,
  sweepPictures,
];

/** An evaluated policy is drawn like a solution. */
function asSolution(exchange: Exchange): Exchange {
  const { answer } = exchange;
  const { solution, evaluation } = answer;
  return solution === undefined && isJsonObject(evaluation)
    ? { ...exchange, answer: { ...answer, solution: evaluation } }
    : exchange;
}

export function picturesOf(exchange: Exchange): readonly Picture[] {
  const drawnExchange = asSolution(exchange);
  return drawnExchange.answer.solution ? ofSolutions.flatMap((pictures) => pictures(drawnExchange)) : [];
}

/** The further questions that the pictures of an answer need. */
export const followUpsOf = (operation: string, exchange: Exchange): readonly FollowUp[] => [
  ...crawlsCurveFollowUp(operation, exchange),
  ...countCurve(operation, exchange),
];
