/** The measures that are asked for beyond the usual ones, of a policy by queue length. */
import { type Warning, warning } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import { type AskedOfTimes, timesOfPages } from './evaluation/sojourn-times.ts';
import { type LevelShares, type ModeOf, phaseViews, queueLengthViews } from './evaluation/views.ts';
import type { FurtherMeasures } from './model/further-measures.ts';
import { modeArrivals } from './model/mode-arrivals.ts';
import { writtenPhases } from './model/phase-type.ts';
import type { ModeByLevel, Queue } from './model/queue.ts';
import type { ThresholdPolicyProblem } from './problem.ts';

/** A problem made ready, as far as its measures need it. */
export interface MeasuredSetting {
  readonly problem: ThresholdPolicyProblem;
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  readonly budget: Budget;
}

interface Further {
  readonly measures: FurtherMeasures;
  readonly warnings: readonly Warning[];
}

/** @throws ConditionNotMet for points of laws that are not asked for */
export function checkMeasures({ measures = [], times, transformAt }: ThresholdPolicyProblem): void {
  if (measures.includes('response') || measures.includes('expired')) return;
  if (times === undefined && transformAt === undefined) return;
  const message = 'is for the laws of times: ask for response or expired in measures, or leave it out';
  throw new ConditionNotMet([times === undefined ? 'transformAt' : 'times'], 'not-applicable', message);
}

/** What was asked for of a policy; a warning instead where the budget ends first. */
export function furtherMeasures(setting: MeasuredSetting, byLevel: ModeByLevel): Further {
  const { problem, evaluator, budget } = setting;
  const kinds = new Set(problem.measures);
  if (kinds.size === 0) return { measures: {}, warnings: [] };
  try {
    const shares = kinds.has('distribution') || kinds.has('phases') ? evaluator.shares(byLevel, budget) : [];
    return {
      measures: { ...viewsOf(setting, shares, (level) => byLevel[level]), ...timesIn(setting, byLevel) },
      warnings: [],
    };
  } catch (error) {
    if (!(error instanceof NothingToReturn)) throw error;
    const detail =
      'the time limit ended before the further measures were computed, or they need more jumps of the chain than are ' +
      'followed; the rest of the answer is complete';
    return { measures: {}, warnings: [warning('measures-not-computed', detail, ['measures'])] };
  }
}

/** What is seen of lengths and phases, and the arrivals of each mode. */
export function viewsOf(
  { problem, queue }: Pick<MeasuredSetting, 'problem' | 'queue'>,
  shares: LevelShares,
  modeOf: ModeOf,
): FurtherMeasures {
  const { measures = [], service } = problem;
  return {
    ...(measures.includes('distribution') ? { queueLengths: queueLengthViews(queue, shares, modeOf) } : {}),
    ...(measures.includes('phases')
      ? {
          phases: phaseViews(queue, shares, modeOf, {
            written: writtenPhases(service),
            phases: service.initial.length,
          }),
        }
      : {}),
    ...(measures.includes('modes') ? { modes: queue.modes.map(modeArrivals) } : {}),
  };
}

function timesIn({ problem, evaluator, budget }: MeasuredSetting, byLevel: ModeByLevel): FurtherMeasures {
  const { measures = [], quantiles = [], times = [], transformAt = [] } = problem;
  if (!measures.includes('response') && !measures.includes('expired')) return {};
  const asked: AskedOfTimes = { probabilities: quantiles, times, transformAt };
  const { served, expired } = timesOfPages(evaluator.pageChain(byLevel, budget), asked, budget);
  return {
    ...(measures.includes('response') ? { response: served } : {}),
    ...(measures.includes('expired') ? { expired } : {}),
  };
}
