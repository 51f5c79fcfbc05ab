/**
 * The pictures of an answer. Each kind of picture looks for its data in the answer and is left out where there is none,
 * so no operation is named here.
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

/** The kinds of pictures, in the order of display. */
const solutionPictures: readonly Pictures[] = [
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

/** The answer with an evaluated policy in place of the solution, so that both are drawn alike. */
function asSolution(exchange: Exchange): Exchange {
  const { answer } = exchange;
  const { solution, evaluation } = answer;
  return solution === undefined && isJsonObject(evaluation)
    ? { ...exchange, answer: { ...answer, solution: evaluation } }
    : exchange;
}

export function picturesOf(exchange: Exchange): readonly Picture[] {
  const drawnExchange = asSolution(exchange);
  return drawnExchange.answer.solution ? solutionPictures.flatMap((pictures) => pictures(drawnExchange)) : [];
}

/** The further questions that the pictures of an answer need. */
export const followUpsOf = (operation: string, exchange: Exchange): readonly FollowUp[] => [
  ...crawlsCurveFollowUp(operation, exchange),
  ...countCurve(operation, exchange),
];
