/**
 * The controlled queue written down naively, sharing nothing with the solver. It goes event by event from the model's
 * words, with dense Gaussian elimination with pivoting, and every policy there is.
 */
import { requireDefined } from '../../require-defined.ts';

export interface Queue {
  readonly crawlerRate: number;
  readonly indexingRate: number;
  readonly capacity: number;
  readonly crawlers: number;
  readonly starvationWeight: number;
  readonly crawlerCost: number;
}

/** Whether to activate one crawler: the kind of event, the state just before it. */
export type Rule = (event: 'arrival' | 'departure', q: number, r: number) => boolean;

export interface Averages {
  readonly cost: number;
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanActive: number;
  readonly meanQueueLength: number;
}

/** The rule "activate iff active < targets[new queue length]". */
export function ruleOf(queue: Queue, targets: ArrayLike<number>): Rule {
  return (event, q, r) =>
    event === 'arrival' ? r - 1 < targets[Math.min(q + 1, queue.capacity)] : r < queue.crawlers && r < targets[q - 1];
}

interface Jump {
  readonly to: number;
  readonly rate: number;
}

/** States (q, r) without (0, 0), and the jumps out of each. */
function chainOf(queue: Queue, rule: Rule): { states: [q: number, r: number][]; jumps: Jump[][] } {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate } = queue;
  const states: [number, number][] = [];
  const number = new Map<string, number>();
  for (let q = 0; q <= K; q++) {
    for (let r = 0; r <= N; r++) {
      if (q === 0 && r === 0) continue;
      number.set(`${q},${r}`, states.length);
      states.push([q, r]);
    }
  }
  const find = (q: number, r: number): number => {
    const position = number.get(`${q},${r}`);
    if (position === undefined) throw new Error(`no state (${q}, ${r})`);
    return position;
  };
  const jumps = states.map(([q, r]) => {
    const out: Jump[] = [];
    if (r > 0) {
      const to = find(Math.min(q + 1, K), rule('arrival', q, r) ? r : r - 1);
      out.push({ to, rate: crawlerRate * r });
    }
    if (q > 0) out.push({ to: find(q - 1, rule('departure', q, r) ? r + 1 : r), rate: indexingRate });
    return out;
  });
  return { states, jumps };
}

/** Solves A·x = b by Gaussian elimination with partial pivoting; destroys its arguments. */
export function solveDense(a: number[][], b: number[]): number[] {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[p][k])) p = i;
    [a[k], a[p]] = [a[p], a[k]];
    [b[k], b[p]] = [b[p], b[k]];
    for (let i = k + 1; i < n; i++) {
      const factor = a[i][k] / a[k][k];
      if (factor === 0) continue;
      for (let j = k; j < n; j++) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
  return b;
}

/** The averages over every recurrent class of a rule, dearest first. */
export function denseClasses(queue: Queue, rule: Rule): Averages[] {
  return classesOf(queue, chainOf(queue, rule));
}

function classesOf(queue: Queue, { states, jumps }: { states: [number, number][]; jumps: Jump[][] }): Averages[] {
  const n = states.length;
  const reaches = jumps.map((_, start) => {
    const reachableStates = new Set([start]);
    for (const x of reachableStates) for (const { to } of jumps[x]) reachableStates.add(to);
    return reachableStates;
  });
  const classes: number[][] = [];
  for (let x = 0; x < n; x++) {
    const members = [...reaches[x]];
    if (members.every((y) => reaches[y].has(x)) && Math.min(...members) === x) classes.push(members);
  }
  return classes.map((members) => averagesOf(queue, members, states, jumps)).sort((a, b) => b.cost - a.cost);
}

function averagesOf(queue: Queue, members: number[], states: [number, number][], jumps: Jump[][]): Averages {
  const { capacity: K, crawlerRate, starvationWeight, crawlerCost } = queue;
  const position = new Map(members.map((x, i) => [x, i]));
  const n = members.length;
  // Balance equations of all states but the first, and the sum of the probabilities.
  const a = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const [i, x] of members.entries()) {
    for (const { to, rate } of jumps[x]) {
      a[requireDefined(position.get(to), 'state')][i] += rate;
      a[i][i] -= rate;
    }
  }
  a[0].fill(1);
  const b = new Array<number>(n).fill(0);
  b[0] = 1;
  const probabilities = solveDense(a, b);
  let starvationProbability = 0;
  let lossRate = 0;
  let meanActive = 0;
  let meanQueueLength = 0;
  for (const [i, x] of members.entries()) {
    const [q, r] = states[x];
    if (q === 0) starvationProbability += probabilities[i];
    if (q === K) lossRate += probabilities[i] * crawlerRate * r;
    meanActive += probabilities[i] * r;
    meanQueueLength += probabilities[i] * q;
  }
  const cost = starvationWeight * starvationProbability + lossRate + crawlerCost * meanActive;
  return { cost, starvationProbability, lossRate, meanActive, meanQueueLength };
}

/** The averages of every recurrent class of every stationary deterministic policy. */
export function everyClass(queue: Queue): Averages[] {
  const classAverages: Averages[] = [];
  eachPolicy(queue, (rule) => void classAverages.push(...denseClasses(queue, rule)));
  return classAverages;
}

/**
 * The least average cost of any stationary deterministic policy, arrivals and departures deciding apart, by trying all.
 */
export function exhaustiveOptimum(queue: Queue): { cost: number; policies: number } {
  let cost = Number.POSITIVE_INFINITY;
  const policies = eachPolicy(queue, (rule) => {
    const classes = denseClasses(queue, rule);
    cost = Math.min(cost, classes[classes.length - 1].cost);
  });
  return { cost, policies };
}

/** Calls `visit` with every policy; answers how many there are. */
function eachPolicy(queue: Queue, visit: (rule: Rule) => void): number {
  const { capacity: K, crawlers: N } = queue;
  const choices: string[] = [];
  for (let q = 0; q <= K; q++) {
    for (let r = 0; r <= N; r++) {
      if (r > 0) choices.push(`arrival,${q},${r}`);
      // With one page, none active: activation is forced.
      if (q > 0 && r < N && !(q === 1 && r === 0)) choices.push(`departure,${q},${r}`);
    }
  }
  const bit = new Map(choices.map((choice, i) => [choice, i]));
  const policies = 2 ** choices.length;
  for (let policy = 0; policy < policies; policy++) {
    const rule: Rule = (event, q, r) => {
      const i = bit.get(`${event},${q},${r}`);
      if (i === undefined) return event === 'departure' && r === 0 && q === 1;
      return ((policy >> i) & 1) === 1;
    };
    visit(rule);
  }
  return policies;
}
