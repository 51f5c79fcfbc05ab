/**
 * What a controller pays that does not see the phases, and follows its belief about them. The filter of
 * threshold-policy/observed/phase-filter.ts is played in the simulated queue, tick by tick. It acts on the likeliest
 * phases or on expected action values. A cost for each replication, hence with an interval.
 *
 * The simulation measures the difference to the policy that sees the phases, whose cost is known. With the linearised
 * cost B + k(n1 − V1*·D), k = a/D*, take the right-hand sides Q of its optimality equation. Then every policy π costs,
 * beyond that of the table, the mean over its time of Q(state, mode) − Q(state, the table's mode). The ratio adds
 * a(V1 − V1*)(1 − D/D*). A mode that is right adds nothing, so that chance enters by wrong ones alone. Source: Cao
 * (2007), performance differences; Henderson, Glynn (2002), as a control variate.
 */
import type { Budget } from '../budget.ts';
import {
  type CostWeights,
  leastWhenEmpty,
  type Measures,
  type PhaseTypeLaw,
  type Queue,
  type QueueDescription,
  writtenPhases,
} from '../queue/index.ts';
import type { ModeByState } from '../queue/state-policy.ts';
import type { BlindController, Regret } from './controllers.ts';
import { type Estimate, replicateQueue, type SimulatedMeasures } from './replications.ts';

/** What the controller computes with: made by threshold-policy. */
export interface PhaseFilter {
  /** δ. */
  readonly tick: number;
  /** For each mode: e^(D_0 δ), and D_1, D_2, …; W×W, row-major. */
  readonly modes: readonly { readonly quiet: Float64Array; readonly batches: readonly Float64Array[] }[];
  /** e^(S δ), M×M, and β, both in the phases of the assembled law. */
  readonly service: Float64Array;
  readonly initial: Float64Array;
  /** The best policy with phases in sight: table[level·W·M + ν·M + m]. */
  readonly table: ModeByState;
  /** Q less its least over the modes, at (level·W·M + ν·M + m)·N + mode. */
  readonly values: Float64Array;
}

/** How it acts on what it believes. */
type Acting = 'likeliest' | 'expected';

interface FilterRun {
  readonly queue: Queue;
  readonly description: Pick<QueueDescription, 'service' | 'obsolescence'>;
  readonly costs: CostWeights;
  readonly filter: PhaseFilter;
  /** The cost and the measures of the filter's table. */
  readonly seen: { readonly cost: number; readonly measures: Measures };
  /** Replications, and time units of each; left out: so many that about {@link usualBatches} batches come in each. */
  readonly replications: number;
  readonly duration?: number | undefined;
}

const usualBatches = 5000;

/** The cost of one way of acting. @throws NothingToReturn when fewer than two replications end within the budget */
export function filterCost(run: FilterRun, acting: Acting, budget: Budget): Estimate | null {
  const { queue, description, costs, filter, seen, replications } = run;
  const { responseTime, arrivalRate, successProbability } = seen.measures;
  const busiest = queue.modes.reduce((rate, mode) => Math.max(rate, mode.arrivalRate), 0);
  const duration = run.duration ?? usualBatches / busiest;
  const simulated = {
    ...queue,
    blind: () => new FilterController(queue, filter, acting),
    service: description.service,
    obsolescence: description.obsolescence,
    regret: regretOf(queue, filter, description.service),
  };
  const served = arrivalRate * successProbability;
  const costOf = (played: SimulatedMeasures, regret: number): number => {
    const rate = played.arrivalRate * played.successProbability;
    const ratio = costs.response > 0 ? costs.response * (played.responseTime - responseTime) * (1 - rate / served) : 0;
    return seen.cost + regret + ratio;
  };
  return replicateQueue(simulated, { duration, replications, cost: costOf }, budget).cost;
}

/** What a mode costs a time unit beyond the table's. */
function regretOf(queue: Queue, { table, values }: PhaseFilter, service: PhaseTypeLaw): Regret {
  const { phases } = queue.service;
  const n = queue.arrivalPhases * phases;
  const kinds = queue.modes.length;
  const place = new Int32Array(service.initial.length);
  for (const [m, written] of writtenPhases(service).entries()) place[written] = m;
  return (level, phase, m, mode) => {
    const state = level * n + phase * phases + (level === 0 ? 0 : place[m]);
    return values[state * kinds + mode] - values[state * kinds + table[state]];
  };
}

/** The belief, and the mode it chooses. */
export class FilterController implements BlindController {
  readonly tick: number;
  readonly #queue: Queue;
  readonly #filter: PhaseFilter;
  readonly #acting: Acting;
  #arrival: Float64Array;
  #service: Float64Array;

  constructor(queue: Queue, filter: PhaseFilter, acting: Acting) {
    this.tick = filter.tick;
    this.#queue = queue;
    this.#filter = filter;
    this.#acting = acting;
    this.#arrival = new Float64Array(queue.arrivalPhases).fill(1 / queue.arrivalPhases);
    this.#service = filter.initial.slice();
  }

  mode(level: number): number {
    const { modes, arrivalPhases, service } = this.#queue;
    const { table, values } = this.#filter;
    const n = arrivalPhases * service.phases;
    if (this.#acting === 'likeliest') {
      return table[level * n + largest(this.#arrival) * service.phases + (level === 0 ? 0 : largest(this.#service))];
    }
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let mode = level === 0 ? leastWhenEmpty(this.#queue) : 0; mode < modes.length; mode++) {
      let value = 0;
      for (let v = 0; v < arrivalPhases; v++) {
        for (let m = 0; m < service.phases; m++) {
          value +=
            this.#arrival[v] * this.#service[m] * values[(level * n + v * service.phases + m) * modes.length + mode];
        }
      }
      if (value < least) [best, least] = [mode, value];
    }
    return best;
  }

  passed(mode: number, level: number): void {
    this.#arrival = moved(this.#arrival, this.#filter.modes[mode].quiet);
    if (level > 0) this.#service = moved(this.#service, this.#filter.service);
  }

  arrived(mode: number, size: number): void {
    this.#arrival = moved(this.#arrival, this.#filter.modes[mode].batches[size - 1]);
  }

  begun(): void {
    this.#service = this.#filter.initial.slice();
  }
}

/** belief·matrix, normalised; the belief itself where that has no chance at all. */
function moved(belief: Float64Array, matrix: Float64Array): Float64Array {
  const n = belief.length;
  const next = new Float64Array(n);
  let total = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const share = belief[i] * matrix[i * n + j];
      next[j] += share;
      total += share;
    }
  }
  if (!(total > 0)) return belief;
  for (let j = 0; j < n; j++) next[j] /= total;
  return next;
}

function largest(shares: Float64Array): number {
  let best = 0;
  for (let i = 1; i < shares.length; i++) if (shares[i] > shares[best]) best = i;
  return best;
}
