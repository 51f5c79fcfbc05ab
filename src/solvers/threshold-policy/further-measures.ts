/** The measures beyond the usual ones, of any policy: laws instead of means. */
import { type Warning, warning } from '../answer.ts';
import { type Budget, unlessStopped } from '../budget.ts';
import { type ModeArrivals, modeArrivals } from '../queue/mode-arrivals.ts';
import { writtenPhases } from '../queue/phase-type.ts';
import type { PhaseTypeLaw, Queue } from '../queue/queue.ts';
import { type LevelShares, type ModeOf, type TimesLaw, type TimesRequest, timesOfPages } from './sojourn-times.ts';

/** The measures that a problem asks for beyond the usual ones. */
export interface MeasureRequest {
  /** The time to index a page, as the caller wrote it: phases are numbered so. */
  readonly service: PhaseTypeLaw;
  readonly measures?:
    | {
        readonly distribution?: boolean | undefined;
        readonly phases?: boolean | undefined;
        readonly modes?: boolean | undefined;
        /** The law of the times of pages that are indexed, and of those that expire. */
        readonly response?: TimesRequest | undefined;
        readonly expired?: TimesRequest | undefined;
      }
    | undefined;
}

/** A law at any time, as arriving pages find it, and as indexed pages leave it behind. */
export interface ObserverLaws<Law> {
  readonly atAnyTime: Law;
  readonly atArrivals: Law;
  readonly atDepartures: Law;
}

export interface PhaseShares {
  readonly arrival: readonly number[];
  /** Probability of each indexing phase, given that something is being indexed; 0 for a phase that never occurs. */
  readonly service: readonly number[];
}

export interface FurtherMeasures {
  readonly queueLengths?: ObserverLaws<readonly number[]>;
  readonly phases?: ObserverLaws<PhaseShares>;
  readonly modes?: readonly ModeArrivals[];
  readonly response?: TimesLaw;
  readonly expired?: TimesLaw | null;
}

/**
 * The further measures of a policy, or a warning when the budget ends first.
 *
 * @param shares the stationary distribution of the policy
 */
export function furtherMeasures(
  problem: MeasureRequest,
  queue: Queue,
  modeOf: ModeOf,
  shares: LevelShares,
  budget: Budget,
): { readonly measures: FurtherMeasures; readonly warnings: readonly Warning[] } {
  const { measures, service } = problem;
  if (measures === undefined) return { measures: {}, warnings: [] };
  const { distribution = false, phases = false, modes = false, response, expired } = measures;
  const asksTimes = response !== undefined || expired !== undefined;
  const detail =
    'the time limit ended before the further measures were computed, or they need more jumps of the chain than are ' +
    'followed; the rest of the answer is complete';
  const withoutMeasures = {
    measures: {},
    warnings: [warning('measures-not-computed', detail, asksTimes ? ['measures', 'response'] : ['measures'])],
  };
  return unlessStopped(withoutMeasures, () => {
    const views = viewsOf(queue, shares, modeOf, service);
    const results: FurtherMeasures = {
      ...(distribution && { queueLengths: views(({ lengths }) => lengths) }),
      ...(phases && { phases: views((view) => view.phases) }),
      ...(modes && { modes: queue.modes.map(modeArrivals) }),
      ...(asksTimes && timesOfPages(queue, shares, modeOf, measures, budget)),
    };
    return { measures: results, warnings: [] };
  });
}

/** What an observer sees. */
interface View {
  readonly lengths: readonly number[];
  readonly phases: PhaseShares;
}

/**
 * The same laws as three observers see them: at any time; as an arriving page, before its batch enters; as an indexed
 * page, of what it leaves behind. The first weighs each state with its share of time, the second with the rate of pages
 * that arrive in it, the third with the rate at which services end in it. Every page of a batch counts.
 * Source: Avrachenkov et al. (2012), section 3.
 */
function viewsOf(queue: Queue, shares: LevelShares, modeOf: ModeOf, service: PhaseTypeLaw) {
  const { arrivalPhases: w, topLevel } = queue;
  const { phases, exit } = queue.service;
  const phaseNumbers = writtenPhases(service);
  const arrivalPhaseOf = (level: number, state: number): number =>
    level === 0 ? state : Math.floor(state / phases) % w;
  const pages = queue.modes.map(({ matrices }) =>
    Float64Array.from({ length: w }, (_, phase) =>
      matrices.reduce(
        (rate, matrix, size) =>
          matrix.subarray(phase * w, (phase + 1) * w).reduce((sum, each) => sum + size * each, rate),
        0,
      ),
    ),
  );
  /** @param uncountedPages pages of the level that the observer does not count: a departing page leaves out itself */
  const view = (weigh: (level: number, state: number) => number, uncountedPages = 0): View => {
    const lengths = new Array<number>(topLevel + 1).fill(0);
    const arrival = new Array<number>(w).fill(0);
    const servicePhases = new Array<number>(service.initial.length).fill(0);
    for (const [level, states] of shares.entries()) {
      for (const [state, share] of states.entries()) {
        const weight = share * weigh(level, state);
        lengths[Math.max(0, level - uncountedPages)] += weight;
        arrival[arrivalPhaseOf(level, state)] += weight;
        if (level > 0) servicePhases[phaseNumbers[state % phases]] += weight;
      }
    }
    return { lengths: normalise(lengths), phases: { arrival: normalise(arrival), service: normalise(servicePhases) } };
  };
  return <Law>(lawOf: (view: View) => Law): ObserverLaws<Law> => ({
    atAnyTime: lawOf(view(() => 1)),
    atArrivals: lawOf(view((level, state) => pages[modeOf(level, state)][arrivalPhaseOf(level, state)])),
    atDepartures: lawOf(view((level, state) => (level > 0 ? exit[state % phases] : 0), 1)),
  });
}

function normalise(law: readonly number[]): number[] {
  const total = law.reduce((sum, share) => sum + share, 0);
  return law.map((share) => (total > 0 ? share / total : 0));
}
