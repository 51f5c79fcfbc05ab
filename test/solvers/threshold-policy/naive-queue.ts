/**
 * The queue written down state by state, as the paper describes it, and solved as one dense linear system: shares no
 * code with the solver. Waiting pages are kept one by one in order of arrival with their own phases; a tagged page is
 * followed through the same transitions. For tiny systems only.
 */
import type { CostWeights } from '../../../src/solvers/queue/measures.ts';
import type { ArrivalModel, PhaseTypeLaw, QueueDescription } from '../../../src/solvers/queue/queue.ts';

/** A state: arrival phase, service phase (null when idle), phases of the waiting pages, oldest first. */
interface State {
  readonly v: number;
  readonly m: number | null;
  readonly waiting: readonly number[];
  /** Where the tagged page is: its place among those waiting, or 'service'; absent when none is followed. */
  readonly tagged?: number | 'service';
}

interface Move {
  readonly rate: number;
  /** Null: the tagged page has left, as `fate` says. */
  readonly to: State | null;
  readonly fate?: 'served' | 'expired';
}

const key = (state: State): string => JSON.stringify([state.v, state.m, state.waiting, state.tagged ?? null]);

export interface NaiveMeasures {
  readonly arrivalRate: number;
  readonly lossProbability: number;
  readonly obsolescenceProbability: number;
  readonly successProbability: number;
  readonly starvationProbability: number;
  readonly activeCrawlers: number;
  readonly queueLength: number;
  readonly responseTime: number;
  readonly obsoleteSojournTime: number | null;
  readonly sojournTime: number;
}

/** D_0, D_1, … of each crawler count, for descriptions of the per-mode form. */
export function matricesByCount(arrivals: ArrivalModel): Map<number, readonly (readonly (readonly number[])[])[]> {
  if (arrivals.model !== 'per-mode') throw new Error('the naive queue takes per-mode arrivals');
  return new Map(arrivals.modes.map(({ crawlers, matrices }) => [crawlers, matrices]));
}

/**
 * Crawlers by queue length, or by queue length, arrival phase and service phase (null when nothing is being indexed).
 */
export type NaivePolicy = readonly number[] | ((length: number, v: number, m: number | null) => number);

class NaiveQueue {
  readonly #description: QueueDescription;
  readonly #counts: NaivePolicy;
  readonly #matrices: Map<number, readonly (readonly (readonly number[])[])[]>;

  constructor(description: QueueDescription, crawlersByQueueLength: NaivePolicy) {
    this.#description = description;
    this.#counts = crawlersByQueueLength;
    this.#matrices = matricesByCount(description.arrivals);
  }

  length(state: State): number {
    return state.m === null ? 0 : 1 + state.waiting.length;
  }

  crawlers(state: State): number {
    const length = this.length(state);
    if (typeof this.#counts === 'function') return this.#counts(length, state.v, state.m);
    return this.#counts[Math.min(length, this.#description.capacity)];
  }

  /** Batches from a state: [rate, size, next arrival phase]. */
  batches(state: State): [number, number, number][] {
    const matrices = this.#matrices.get(this.crawlers(state)) ?? [];
    return matrices.flatMap((matrix, size) =>
      matrix[state.v].flatMap((rate, to): [number, number, number][] =>
        rate > 0 && !(size === 0 && to === state.v) ? [[rate, size, to]] : [],
      ),
    );
  }

  entering(state: State, size: number): number {
    const { capacity, admission } = this.#description;
    const room = capacity - this.length(state);
    if (admission === 'complete-rejection') return size <= room ? size : 0;
    if (admission === 'complete-admission') return room > 0 ? size : 0;
    return Math.min(size, Math.max(0, room));
  }

  /** Every way in which `size` new pages may join: [probability, state]. `place`: which of them is tagged. */
  joined(state: State, v: number, size: number, place?: number): [number, State][] {
    const { service, obsolescence } = this.#description;
    let ways: [number, State][] = [[1, { ...state, v }]];
    for (let page = 0; page < size; page++) {
      ways = ways.flatMap(([probability, before]): [number, State][] => {
        if (before.m === null) {
          return service.initial.map((share, m): [number, State] => [
            probability * share,
            { ...before, m, ...(place === page ? { tagged: 'service' as const } : {}) },
          ]);
        }
        const law = obsolescence ?? { initial: [1], generator: [[0]] };
        return law.initial.map((share, phase): [number, State] => [
          probability * share,
          {
            ...before,
            waiting: [...before.waiting, phase],
            ...(place === page ? { tagged: before.waiting.length } : {}),
          },
        ]);
      });
      ways = ways.filter(([probability]) => probability > 0);
    }
    return ways;
  }

  moves(state: State): Move[] {
    const { service, obsolescence } = this.#description;
    const moves: Move[] = [];
    for (const [rate, size, v] of this.batches(state)) {
      for (const [probability, to] of this.joined(state, v, this.entering(state, size))) {
        moves.push({ rate: rate * probability, to });
      }
    }
    if (state.m !== null) {
      for (const [m, rate] of service.generator[state.m].entries()) {
        if (m !== state.m && rate > 0) moves.push({ rate, to: { ...state, m } });
      }
      moves.push(...this.#serviceEnds(state, exitRate(service, state.m)));
    }
    if (obsolescence !== null) {
      for (const [place, phase] of state.waiting.entries()) {
        for (const [next, rate] of obsolescence.generator[phase].entries()) {
          if (next === phase || rate === 0) continue;
          moves.push({ rate, to: { ...state, waiting: state.waiting.with(place, next) } });
        }
        const rate = exitRate(obsolescence, phase);
        if (state.tagged === place) moves.push({ rate, to: null, fate: 'expired' });
        else moves.push({ rate, to: removeWaiting(state, place) });
      }
    }
    return moves.filter(({ rate }) => rate > 0);
  }

  #serviceEnds(state: State, rate: number): Move[] {
    if (state.tagged === 'service') return [{ rate, to: null, fate: 'served' }];
    if (state.waiting.length === 0) return [{ rate, to: { ...state, m: null } }];
    return this.#description.service.initial.map((share, m): Move => {
      const next = removeWaiting(state, 0);
      const to: State = state.tagged === 0 ? { ...next, m, tagged: 'service' } : { ...next, m };
      return { rate: rate * share, to };
    });
  }
}

function exitRate(law: PhaseTypeLaw, phase: number): number {
  return -law.generator[phase].reduce((sum, rate) => sum + rate, 0);
}

function removeWaiting(state: State, place: number): State {
  const waiting = state.waiting.toSpliced(place, 1);
  const { tagged } = state;
  return { ...state, waiting, ...(typeof tagged === 'number' && tagged > place ? { tagged: tagged - 1 } : {}) };
}

/** All states reachable from some, with their moves. */
function explore(queue: NaiveQueue, from: readonly State[]) {
  const index = new Map<string, number>();
  const states: State[] = [];
  const add = (state: State): number => {
    const position = index.get(key(state));
    if (position !== undefined) return position;
    index.set(key(state), states.length);
    states.push(state);
    return states.length - 1;
  };
  for (const state of from) add(state);
  const moves: { to: number | null; rate: number; fate?: 'served' | 'expired' }[][] = [];
  for (let at = 0; at < states.length; at++) {
    moves.push(
      queue.moves(states[at]).map(({ rate, to, fate }) => ({
        rate,
        to: to === null ? null : add(to),
        ...(fate === undefined ? {} : { fate }),
      })),
    );
  }
  return { states, moves, index };
}

/** A page's chain as a dense matrix: rates between its states, of starting in each, and of each fate from each. */
export interface NaivePages {
  readonly generator: readonly Float64Array[];
  readonly start: Float64Array;
  readonly served: Float64Array;
  readonly expired: Float64Array;
}

/** What is seen at any time, by arriving pages, and behind indexed ones: weights by name of what is seen. */
export type NaiveViews = Readonly<Record<'atAnyTime' | 'atArrivals' | 'atDepartures', ReadonlyMap<string, number>>>;

/**
 * Lengths ("length 2"), arrival phases ("arrival 0") and phases of indexing ("service 1"), as three observers see them.
 */
export function naiveViews(description: QueueDescription, policy: NaivePolicy): NaiveViews {
  const { queue, states, law } = stationaryStates(description, policy);
  const views = { atAnyTime: new Map<string, number>(), atArrivals: new Map(), atDepartures: new Map() };
  for (const [at, state] of states.entries()) {
    const pages = queue.batches(state).reduce((sum, [rate, size]) => sum + rate * size, 0);
    const ends = state.m === null ? 0 : exitRate(description.service, state.m);
    const length = queue.length(state);
    const note = (map: Map<string, number>, weight: number, left: number): void => {
      const names = [`length ${left}`, `arrival ${state.v}`, ...(state.m === null ? [] : [`service ${state.m}`])];
      for (const name of names) map.set(name, (map.get(name) ?? 0) + weight);
    };
    note(views.atAnyTime, law[at], length);
    note(views.atArrivals, law[at] * pages, length);
    if (length > 0) note(views.atDepartures, law[at] * ends, length - 1);
  }
  return views;
}

/** The chain of a page from its arrival to its end. */
export function naivePages(description: QueueDescription, policy: NaivePolicy): NaivePages {
  const { queue, states, law } = stationaryStates(description, policy);
  const starts: { state: State; rate: number }[] = [];
  for (const [at, state] of states.entries()) {
    for (const [rate, size, v] of queue.batches(state)) {
      const entering = queue.entering(state, size);
      for (let place = 0; place < entering; place++) {
        for (const [probability, joined] of queue.joined(state, v, entering, place)) {
          starts.push({ state: joined, rate: law[at] * rate * probability });
        }
      }
    }
  }
  const { moves, index } = explore(
    queue,
    starts.map(({ state }) => state),
  );
  const n = moves.length;
  const generator = Array.from({ length: n }, () => new Float64Array(n));
  const [start, served, expired] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (const [from, list] of moves.entries()) {
    for (const { to, rate, fate } of list) {
      generator[from][from] -= rate;
      if (to !== null) generator[from][to] += rate;
      if (fate === 'served') served[from] += rate;
      if (fate === 'expired') expired[from] += rate;
    }
  }
  for (const { state, rate } of starts) start[index.get(key(state)) ?? -1] += rate;
  return { generator, start, served, expired };
}

function stationaryStates(description: QueueDescription, policy: NaivePolicy) {
  const queue = new NaiveQueue(description, policy);
  const { states, moves } = explore(queue, [{ v: 0, m: null, waiting: [] }]);
  const n = states.length;
  const equations = Array.from({ length: n }, () => new Float64Array(n + 1));
  for (const [from, list] of moves.entries()) {
    for (const { to, rate } of list) {
      if (to === null || to === from) continue;
      equations[to][from] += rate;
      equations[from][from] -= rate;
    }
  }
  equations[n - 1].fill(1);
  return { queue, states, law: solveDense(equations) };
}

/** Exact measures by dense solves. */
export function naiveMeasures(description: QueueDescription, policy: NaivePolicy): NaiveMeasures {
  const { queue, states, law } = stationaryStates(description, policy);
  const total = { arrivals: 0, lost: 0, empty: 0, crawlers: 0, length: 0 };
  for (const [at, state] of states.entries()) {
    const share = law[at];
    total.length += share * queue.length(state);
    total.crawlers += share * queue.crawlers(state);
    if (state.m === null) total.empty += share;
    for (const [rate, size] of queue.batches(state)) {
      total.arrivals += share * rate * size;
      total.lost += share * rate * (size - queue.entering(state, size));
    }
  }
  const { generator, start, ...fates } = naivePages(description, policy);
  /** The rate of pages with a fate, and the times that they stay, in all. */
  const follow = (fate: Float64Array) => {
    const chance = resolvent(generator, 0, fate);
    return { rate: dot(start, chance), time: dot(start, resolvent(generator, 0, chance)) };
  };
  const [served, expired] = [follow(fates.served), follow(fates.expired)];
  return {
    arrivalRate: total.arrivals,
    lossProbability: total.lost / total.arrivals,
    obsolescenceProbability: expired.rate / total.arrivals,
    successProbability: served.rate / total.arrivals,
    starvationProbability: total.empty,
    activeCrawlers: total.crawlers,
    queueLength: total.length,
    responseTime: served.time / served.rate,
    obsoleteSojournTime: description.obsolescence === null || expired.rate < 1e-14 ? null : expired.time / expired.rate,
    sojournTime: (served.time + expired.time) / total.arrivals,
  };
}

/** J of the measures, from the paper's words. */
export const costOfMeasures = (m: Omit<NaiveMeasures, 'obsoleteSojournTime'>, costs: CostWeights): number =>
  m.arrivalRate * (costs.loss * m.lossProbability + costs.obsolescence * m.obsolescenceProbability) +
  costs.response * m.responseTime +
  costs.crawler * m.activeCrawlers +
  costs.starvation * m.starvationProbability;

/** Every policy whose counts at 0..K do not rise, above 0 in an empty system. */
export function everyPolicy(counts: readonly number[], capacity: number): number[][] {
  if (capacity === 0) return counts.filter((count) => count > 0).map((count) => [count]);
  return everyPolicy(counts, capacity - 1).flatMap((policy) =>
    counts.filter((count) => count <= policy[policy.length - 1]).map((count) => [...policy, count]),
  );
}

export const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i], 0);

/** x with (s·I − T)x = right. */
export function resolvent(generator: readonly Float64Array[], s: number, right: Float64Array): Float64Array {
  const n = right.length;
  return solveDense(
    generator.map((row, i) =>
      Float64Array.from({ length: n + 1 }, (_, j) => (j === n ? right[i] : (i === j ? s : 0) - row[j])),
    ),
  );
}

/** Gaussian elimination with partial pivoting; rows are [coefficients…, right-hand side]. */
function solveDense(rows: Float64Array[]): Float64Array {
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = rows[i][k] / rows[k][k];
      if (factor === 0) continue;
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Float64Array(n);
  for (let k = n - 1; k >= 0; k--) {
    let sum = rows[k][n];
    for (let j = k + 1; j < n; j++) sum -= rows[k][j] * x[j];
    x[k] = sum / rows[k][k];
  }
  return x;
}
