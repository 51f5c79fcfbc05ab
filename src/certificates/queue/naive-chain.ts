/**
 * The averages of a policy, computed for the certificate without the solver's numbering, classes or eliminations. The
 * chain is written out state by state. Its recurrent classes are the sets of states that all reach each other and
 * nothing else. Each class is solved by elimination from its outskirts towards a likely state. O(states·min(K, N)²).
 */

export interface ControlledQueue {
  readonly capacity: number;
  readonly crawlerRate: number;
  readonly indexingRate: number;
}

export interface NaiveAverages {
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanActive: number;
  readonly meanQueueLength: number;
  readonly minActive: number;
  readonly maxActive: number;
}

export interface Move {
  readonly to: number;
  readonly rate: number;
}

/** A decision that is left to chance: so many pages left, so many crawlers active before it. */
interface DrawnDecision {
  readonly queueLength: number;
  readonly activeCrawlers: number;
  /** Of activating one more. */
  readonly probability: number;
}

/** The classes of the policy `targets`, but for the decision that is drawn, in any order. */
export function naiveAverages(
  problem: ControlledQueue,
  crawlers: number,
  targets: ArrayLike<number>,
  drawn?: DrawnDecision,
): NaiveAverages[] {
  const moves = movesOf(problem, crawlers, targets, drawn);
  return recurrentSets(moves, [0]).map((members) => averagesOf(problem, moves, members));
}

/** The moves of each state: q pages and r active crawlers are state r·(K + 1) + q. */
export function movesOf(
  { capacity: K, crawlerRate, indexingRate }: ControlledQueue,
  crawlers: number,
  targets: ArrayLike<number>,
  drawn?: DrawnDecision,
): Move[][] {
  const chance = (q: number, r: number): number => {
    if (drawn?.queueLength === q && drawn.activeCrawlers === r) return drawn.probability;
    return r < crawlers && targets[q] > r ? 1 : 0;
  };
  const moves: Move[][] = [];
  for (let r = 0; r <= crawlers; r++) {
    for (let q = 0; q <= K; q++) {
      const here: Move[] = [];
      const leave = (rate: number, left: number, active: number): void => {
        const more = chance(left, active);
        if (more > 0) here.push({ to: (active + 1) * (K + 1) + left, rate: rate * more });
        if (more < 1) here.push({ to: active * (K + 1) + left, rate: rate * (1 - more) });
      };
      if (r > 0) leave(crawlerRate * r, Math.min(q + 1, K), r - 1);
      if (q > 0) leave(indexingRate, q - 1, r);
      moves.push(here);
    }
  }
  return moves;
}

/**
 * The closed sets of states that all reach each other: from any state one of them is reached.
 *
 * @param never states that do not occur
 */
export function recurrentSets(moves: readonly Move[][], never: readonly number[] = []): number[][] {
  const n = moves.length;
  const back: number[][] = Array.from({ length: n }, () => []);
  for (let x = 0; x < n; x++) for (const { to } of moves[x]) back[to].push(x);
  const settled = new Uint8Array(n);
  for (const x of never) settled[x] = 1;
  const sets: number[][] = [];
  for (let start = 0; start < n; start++) {
    if (settled[start] === 1) continue;
    // Of what is reached, the state finished last by a walk from the end of the walk before lies deepest.
    let reached = walk(start, (x) => moves[x].map(({ to }) => to));
    for (let deeper = true; deeper; ) {
      deeper = false;
      const returning = new Set(walk(reached[0], (x) => back[x]));
      const stray = reached.findLast((x) => !returning.has(x));
      if (stray !== undefined) {
        reached = walk(stray, (x) => moves[x].map(({ to }) => to));
        deeper = true;
      }
    }
    if (reached.every((x) => settled[x] === 0)) sets.push(reached);
    // Everything that leads into the set is transient or in it.
    for (const x of reached) settled[x] = 1;
    for (const x of walk(reached[0], (y) => back[y])) settled[x] = 1;
  }
  return sets;
}

/** Every state that can be reached from `start`, which comes first. */
function walk(start: number, next: (x: number) => readonly number[]): number[] {
  const seen = new Set([start]);
  for (const x of seen) for (const y of next(x)) seen.add(y);
  return [...seen];
}

/** The states of a recurrent set with their shares of the time. */
export function sharesIn(moves: readonly Move[][], members: readonly number[]): [state: number, share: number][] {
  const states = outwardFromLikely(moves, members);
  const weights = stationaryWeights(moves, states);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return states.map((x, i) => [x, weights[i] / total]);
}

function averagesOf(problem: ControlledQueue, moves: readonly Move[][], members: readonly number[]): NaiveAverages {
  const { capacity: K, crawlerRate } = problem;
  const width = K + 1;
  let [empty, lost, active, queued] = [0, 0, 0, 0];
  for (const [x, share] of sharesIn(moves, members)) {
    const q = x % width;
    const r = (x - q) / width;
    if (q === 0) empty += share;
    if (q === K) lost += share * crawlerRate * r;
    active += share * r;
    queued += share * q;
  }
  return {
    starvationProbability: empty,
    lossRate: lost,
    meanActive: active,
    meanQueueLength: queued,
    minActive: Math.floor(members.reduce((a, b) => Math.min(a, b)) / width),
    maxActive: Math.floor(members.reduce((a, b) => Math.max(a, b)) / width),
  };
}

/** The members, those around a likely state first: eliminated from the far end, a rare state is never divided by. */
function outwardFromLikely(moves: readonly Move[][], members: readonly number[]): number[] {
  let likely = members[0];
  for (let step = 0; step < members.length; step++) {
    likely = moves[likely].reduce((a, b) => (b.rate > a.rate ? b : a), { to: likely, rate: 0 }).to;
  }
  const near = new Map<number, number[]>(members.map((x) => [x, []]));
  for (const x of members) {
    for (const { to } of moves[x]) {
      near.get(x)?.push(to);
      near.get(to)?.push(x);
    }
  }
  return walk(likely, (x) => near.get(x) ?? []);
}

/** Weights of the states, the first of which should be a likely one. */
function stationaryWeights(moves: readonly Move[][], states: readonly number[]): Float64Array {
  const n = states.length;
  const place = new Map(states.map((x, i) => [x, i]));
  const into: Map<number, number>[] = states.map(() => new Map());
  const out: Map<number, number>[] = states.map(() => new Map());
  const add = (from: number, to: number, rate: number): void => {
    if (from === to) return;
    const sum = (out[from].get(to) ?? 0) + rate;
    out[from].set(to, sum);
    into[to].set(from, sum);
  };
  for (const [i, x] of states.entries()) {
    for (const { to, rate } of moves[x]) add(i, place.get(to) ?? i, rate);
  }
  for (let last = n - 1; last > 0; last--) {
    let pivot = 0;
    for (const [to, rate] of out[last]) if (to < last) pivot += rate;
    for (const [from, rate] of into[last]) {
      if (from > last) continue;
      for (const [to, onward] of out[last]) if (to < last) add(from, to, (rate * onward) / pivot);
      into[last].set(from, rate / pivot);
    }
  }
  const weights = new Float64Array(n);
  weights[0] = 1;
  for (let i = 1; i < n; i++) {
    for (const [from, share] of into[i]) if (from < i) weights[i] += weights[from] * share;
    if (weights[i] > 1e200) for (let k = 0, by = weights[i]; k <= i; k++) weights[k] /= by;
  }
  return weights;
}
