/** The measures that are asked for beyond the usual ones, of any policy. */
import { type Warning, warning } from '../../answer.ts';
import { type Budget, unlessStopped } from '../../budget.ts';
import { modeArrivals } from '../../queue/mode-arrivals.ts';
import { writtenPhases } from '../../queue/phase-type.ts';
import type { ModeByLevel, PhaseTypeLaw, Queue } from '../../queue/queue.ts';
import type { Evaluator } from './chain/evaluator.ts';
import type { FurtherMeasures } from './chain/measure-kinds.ts';
import type { PageChain } from './chain/page-chain.ts';
import { type AskedOfTimes, timesOfPages } from './chain/sojourn-times.ts';
import { type LevelShares, type ModeOf, phaseViews, queueLengthViews } from './chain/views.ts';

/** The measures that a problem asks for beyond the usual ones. */
export interface AskedMeasures {
  /** The time to index a page, as the caller wrote it: phases are numbered so. */
  readonly service: PhaseTypeLaw;
  readonly measures?:
    | {
        readonly distribution?: boolean | undefined;
        readonly phases?: boolean | undefined;
        readonly modes?: boolean | undefined;
        /** The law of the times of pages that are indexed, and of those that expire. */
        readonly response?: AskedOfTimes | undefined;
        readonly expired?: AskedOfTimes | undefined;
      }
    | undefined;
}

/** A problem made ready, as far as its measures need it. */
interface MeasuredSetting {
  readonly problem: AskedMeasures;
  readonly queue: Queue;
  readonly budget: Budget;
}

/** A policy, as far as its measures need it. */
interface MeasuredPolicy {
  readonly modeOf: ModeOf;
  shares(): LevelShares;
  pageChain(): PageChain;
}

interface Further {
  readonly measures: FurtherMeasures;
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

/** What was asked for of a policy; a warning instead where the budget ends first. */
export function furtherMeasures({ problem, queue, budget }: MeasuredSetting, policy: MeasuredPolicy): Further {
  const { measures, service } = problem;
  if (measures === undefined) return { measures: {}, warnings: [] };
  const { distribution = false, phases = false, modes = false, response, expired } = measures;
  const detail =
    'the time limit ended before the further measures were computed, or they need more jumps of the chain than are ' +
    'followed; the rest of the answer is complete';
  const pointer = response === undefined && expired === undefined ? ['measures'] : ['measures', 'response'];
  const none: Further = { measures: {}, warnings: [warning('measures-not-computed', detail, pointer)] };
  return unlessStopped(none, () => {
    const shares = distribution || phases ? policy.shares() : [];
    const written = { written: writtenPhases(service), phases: service.initial.length };
    const times =
      response === undefined && expired === undefined ? {} : timesOfPages(policy.pageChain(), measures, budget);
    const found: FurtherMeasures = {
      ...(distribution && { queueLengths: queueLengthViews(queue, shares, policy.modeOf) }),
      ...(phases && { phases: phaseViews(queue, shares, policy.modeOf, written) }),
      ...(modes && { modes: queue.modes.map(modeArrivals) }),
      ...times,
    };
    return { measures: found, warnings: [] };
  });
}
