/**
 * The activation policy with indexing in phases, batches and correlated crawlers, written down a second time and
 * naively. Crawlers are a list of phases, and states are found by following the events from one of them. Plain Gaussian
 * elimination solves the balance equations. Nothing of the solver is used.
 */

export interface NaiveQueue {
  readonly capacity: number;
  readonly crawlers: number;
  readonly starvationWeight: number;
  readonly crawlerCost: number;
  readonly service: { readonly initial: readonly number[]; readonly generator: readonly (readonly number[])[] };
  /** D_0, D_1, … of one crawler. */
  readonly matrices: readonly (readonly (readonly number[])[])[];
}

/**
 * What stands at a decision: pages, phases of the other active crawlers (sorted), of indexing, of the one that brought
 * a batch.
 */
export interface NaiveDecision {
  readonly queue: number;
  readonly active: readonly number[];
  readonly service: number | null;
  readonly bringer: number | null;
}

export type NaivePolicy = (decision: NaiveDecision) => boolean;

interface State {
  readonly queue: number;
  readonly active: readonly number[];
  readonly service: number | null;
}

export interface NaiveAverages {
  readonly cost: number;
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanActive: number;
  readonly meanQueueLength: number;
}

const keyOf = ({ queue, active, service }: State): string => `${queue}|${active.join(',')}|${service}`;
const sorted = (active: readonly number[]): number[] => [...active].sort((a, b) => a - b);

/** The law of the phase that batches leave, by iterating the chain of phases from batch to batch. */
export function phaseAfterBatches({ matrices }: NaiveQueue): number[] {
  const n = matrices[0].length;
  if (n === 1) return [1];
  // Time shares of the phases of one crawler by plain power iteration of the uniformised chain.
  const total = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => matrices.reduce((sum, d) => sum + d[i][j], 0)),
  );
  const fastest = 2 * Math.max(...matrices[0].map((row, i) => -row[i]));
  let law = new Array<number>(n).fill(1 / n);
  for (let step = 0, moved = 1; step < 20_000 && moved > 1e-17; step++) {
    const before = law;
    law = law.map((share, j) => share + law.reduce((sum, from, i) => sum + (from * total[i][j]) / fastest, 0));
    moved = Math.max(...law.map((share, i) => Math.abs(share - before[i])));
  }
  const left = law.map((_, j) =>
    matrices.slice(1).reduce((sum, d) => sum + law.reduce((inner, share, i) => inner + share * d[i][j], 0), 0),
  );
  const all = left.reduce((a, b) => a + b, 0);
  return left.map((rate) => rate / all);
}

/** Every state that is not shut out, and the rates from it. */
function outOf(queue: NaiveQueue, begins: readonly number[], policy: NaivePolicy, state: State) {
  const { capacity: K, crawlers: N, service, matrices } = queue;
  const moves: { rate: number; to: State }[] = [];
  let lost = 0;
  const decide = (rate: number, at: NaiveDecision): void => {
    const { queue: length, active, service: phase, bringer } = at;
    const must = length === 0 && active.length === 0;
    const on = must || (active.length < N && policy(at));
    if (!on) moves.push({ rate, to: { queue: length, active, service: phase } });
    else if (bringer !== null)
      moves.push({ rate, to: { queue: length, active: sorted([...active, bringer]), service: phase } });
    else {
      for (const [w, share] of begins.entries()) {
        moves.push({ rate: rate * share, to: { queue: length, active: sorted([...active, w]), service: phase } });
      }
    }
  };
  for (const [i, w] of state.active.entries()) {
    const others = state.active.filter((_, at) => at !== i);
    for (let v = 0; v < matrices[0].length; v++) {
      if (v !== w) moves.push({ rate: matrices[0][w][v], to: { ...state, active: sorted([...others, v]) } });
      for (let k = 1; k < matrices.length; k++) {
        const rate = matrices[k][w][v];
        const length = Math.min(K, state.queue + k);
        lost += rate * (state.queue + k - length);
        if (state.queue > 0) decide(rate, { queue: length, active: others, service: state.service, bringer: v });
        else {
          for (const [m, share] of service.initial.entries()) {
            decide(rate * share, { queue: length, active: others, service: m, bringer: v });
          }
        }
      }
    }
  }
  if (state.service !== null) {
    const row = service.generator[state.service];
    const exit = -row.reduce((a, b) => a + b, 0);
    for (const [m, rate] of row.entries()) if (m !== state.service) moves.push({ rate, to: { ...state, service: m } });
    if (state.queue === 1) decide(exit, { queue: 0, active: state.active, service: null, bringer: null });
    else {
      for (const [m, share] of service.initial.entries()) {
        decide(exit * share, { queue: state.queue - 1, active: state.active, service: m, bringer: null });
      }
    }
  }
  return { moves: moves.filter(({ rate }) => rate > 1e-300), lost };
}

/** Long-run averages of the policy from the state with an empty queue and one crawler active in phase `first`. */
export function naivePhasedAverages(queue: NaiveQueue, policy: NaivePolicy, first = 0): NaiveAverages {
  const begins = phaseAfterBatches(queue);
  const start: State = { queue: 0, active: [first], service: null };
  const known = new Map<string, number>([[keyOf(start), 0]]);
  const states = [start];
  const rates: Map<number, number>[] = [];
  const losses: number[] = [];
  for (let s = 0; s < states.length; s++) {
    const { moves, lost } = outOf(queue, begins, policy, states[s]);
    losses.push(lost);
    const row = new Map<number, number>();
    for (const { rate, to } of moves) {
      const key = keyOf(to);
      const number = known.get(key) ?? states.length;
      if (number === states.length) {
        known.set(key, number);
        states.push(to);
      }
      row.set(number, (row.get(number) ?? 0) + rate);
    }
    rates.push(row);
  }
  const shares = longRun(rates);
  const sum = (of: (s: number) => number): number => shares.reduce((total, share, s) => total + share * of(s), 0);
  const starvationProbability = sum((s) => (states[s].queue === 0 ? 1 : 0));
  const lossRate = sum((s) => losses[s]);
  const meanActive = sum((s) => states[s].active.length);
  return {
    cost: queue.starvationWeight * starvationProbability + lossRate + queue.crawlerCost * meanActive,
    starvationProbability,
    lossRate,
    meanActive,
    meanQueueLength: sum((s) => states[s].queue),
  };
}

/**
 * The long-run distribution from state 0, by (I + εQ)^t squared up: slow, plain, and right with several classes too.
 */
function longRun(rates: readonly ReadonlyMap<number, number>[]): number[] {
  const n = rates.length;
  const out = rates.map((row, i) => [...row].reduce((sum, [j, rate]) => sum + (j === i ? 0 : rate), 0));
  const fastest = 1.5 * Math.max(...out);
  let power = rates.map((row, i) => {
    const line = new Float64Array(n);
    for (const [j, rate] of row) if (j !== i) line[j] += rate / fastest;
    line[i] = 1 - out[i] / fastest;
    return line;
  });
  for (let squaring = 0; squaring < 40; squaring++) {
    const next = power.map((row) => {
      const line = new Float64Array(n);
      for (let k = 0; k < n; k++) if (row[k] > 0) for (let j = 0; j < n; j++) line[j] += row[k] * power[k][j];
      const total = line.reduce((a, b) => a + b, 0);
      return line.map((share) => share / total);
    });
    const moved = Math.max(...next[0].map((share, j) => Math.abs(share - power[0][j])));
    power = next;
    if (moved < 1e-14) break;
  }
  return [...power[0]];
}
