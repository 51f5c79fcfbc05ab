/** The measures that are asked for beyond the usual ones, of any policy. */
import { type Warning, warning } from '../answer.ts';
import { type Budget, unlessStopped } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import { type PageChain, responseQuantiles } from './evaluation/response-quantiles.ts';
import { type AskedOfTimes, timesOfPages } from './evaluation/sojourn-times.ts';
import { type LevelShares, type ModeOf, phaseViews, queueLengthViews } from './evaluation/views.ts';
import type { FurtherMeasures } from './model/further-measures.ts';
import type { ResponseQuantile } from './model/measures.ts';
import { modeArrivals } from './model/mode-arrivals.ts';
import { writtenPhases } from './model/phase-type.ts';
import type { ModeByLevel, Queue } from './model/queue.ts';
import type { ThresholdPolicyProblem } from './problem.ts';

/** A problem made ready, as far as its measures need it. */
export interface MeasuredSetting {
  readonly problem: ThresholdPolicyProblem;
  readonly queue: Queue;
  readonly budget: Budget;
}

/** A policy, as far as its measures need it. */
export interface MeasuredPolicy {
  readonly modeOf: ModeOf;
  shares(): LevelShares;
  pageChain(): PageChain;
}

interface Further {
  readonly measures: FurtherMeasures & { readonly responseQuantiles?: readonly ResponseQuantile[] };
  readonly warnings: readonly Warning[];
}

/** A policy by queue length. */
export function policyByLevel(evaluator: Evaluator, byLevel: ModeByLevel, budget: Budget): MeasuredPolicy {
  return {
    modeOf: (level) => byLevel[level],
    shares: () => evaluator.shares(byLevel, budget),
    pageChain: () => evaluator.pageChain(byLevel, budget),
  };
}

/** @throws ConditionNotMet for points of laws that are not asked for */
export function checkMeasures({ measures = [], times, transformAt }: ThresholdPolicyProblem): void {
  if (measures.includes('response') || measures.includes('expired')) return;
  if (times === undefined && transformAt === undefined) return;
  const message = 'is for the laws of times: ask for response or expired in measures, or leave it out';
  throw new ConditionNotMet([times === undefined ? 'transformAt' : 'times'], 'not-applicable', message);
}

/** What was asked for of a policy, quantiles first; warnings instead where the budget ends first. */
export function furtherMeasures(setting: MeasuredSetting, policy: MeasuredPolicy): Further {
  const quantiles = quantilesOf(setting, policy);
  const others = othersOf(setting, policy);
  return {
    measures: { ...quantiles.measures, ...others.measures },
    warnings: [...quantiles.warnings, ...others.warnings],
  };
}

function quantilesOf({ problem, budget }: MeasuredSetting, policy: MeasuredPolicy): Further {
  const { quantiles } = problem;
  if (quantiles === undefined) return { measures: {}, warnings: [] };
  const detail =
    'the time limit ended before the quantiles of the response time were computed, or they need more jumps of the chain ' +
    'than are followed; the rest of the answer is complete';
  return unlessStopped(without('quantiles-not-computed', detail, 'quantiles'), () => ({
    measures: { responseQuantiles: responseQuantiles(policy.pageChain(), quantiles, budget) },
    warnings: [],
  }));
}

function othersOf(setting: MeasuredSetting, policy: MeasuredPolicy): Further {
  const kinds = new Set(setting.problem.measures);
  if (kinds.size === 0) return { measures: {}, warnings: [] };
  const detail =
    'the time limit ended before the further measures were computed, or they need more jumps of the chain than are ' +
    'followed; the rest of the answer is complete';
  return unlessStopped(without('measures-not-computed', detail, 'measures'), () => {
    const shares = kinds.has('distribution') || kinds.has('phases') ? policy.shares() : [];
    return { measures: { ...viewsOf(setting, shares, policy.modeOf), ...timesIn(setting, policy) }, warnings: [] };
  });
}

/** What is answered in place of measures that could not be had. */
function without(code: string, detail: string, property: string): Further {
  return { measures: {}, warnings: [warning(code, detail, [property])] };
}

/** What is seen of lengths and phases, and the arrivals of each mode. */
function viewsOf({ problem, queue }: MeasuredSetting, shares: LevelShares, modeOf: ModeOf): FurtherMeasures {
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

function timesIn({ problem, budget }: MeasuredSetting, policy: MeasuredPolicy): FurtherMeasures {
  const { measures = [], quantiles = [], times = [], transformAt = [] } = problem;
  if (!measures.includes('response') && !measures.includes('expired')) return {};
  const asked: AskedOfTimes = { probabilities: quantiles, times, transformAt };
  const { served, expired } = timesOfPages(policy.pageChain(), asked, budget);
  return {
    ...(measures.includes('response') ? { response: served } : {}),
    ...(measures.includes('expired') ? { expired } : {}),
  };
}
