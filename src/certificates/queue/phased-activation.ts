/**
 * Checks an answer for phases, batches and correlated arrivals without the code that found it: the parts of its cost
 * and the balance of pages. Where the chain is small it computes the averages too. That chain is written out here from
 * the request, state by state from an empty queue.
 */

import { createLaw, type PhaseTypeForm } from '../../solvers/laws/index.ts';
import { close } from '../faults.ts';
import { type AskedActivation, type CheckedActivation, costOf } from './checked-activation.ts';
import { frontFaults, pointsIn } from './front-faults.ts';
import { type Move, recurrentSets, sharesIn } from './naive-chain.ts';

/** The largest chain that is written out. */
const mostStates = 400;

type Policy = Pick<CheckedActivation['policy'], 'crawlers' | 'targets'> & Partial<CheckedActivation['policy']>;

export function phasedFaults(asked: AskedActivation, { policy, classes, front = [] }: CheckedActivation): string[] {
  const faults: string[] = [];
  for (const c of classes) {
    const parts = costOf(asked, c);
    if (!close(c.cost, parts, 1e-10)) faults.push(`the cost ${c.cost} is not the sum of its parts ${parts}`);
  }
  const criteriaOf = (index: number) => {
    const found = writtenOut(asked, { crawlers: policy.crawlers, targets: front[index].policy.targets });
    if (found === null) return null;
    const { lossRate, starvationProbability, meanActive, meanQueueLength } = found;
    return { loss: lossRate, starvation: starvationProbability, crawlers: meanActive, queueLength: meanQueueLength };
  };
  faults.push(...frontFaults(pointsIn(front), criteriaOf));
  if (classes.length > 1) return faults;
  const found = writtenOut(asked, policy);
  if (found === null) return faults;
  for (const name of ['starvationProbability', 'lossRate', 'meanActive', 'meanQueueLength'] as const) {
    if (close(found[name], classes[0][name], 1e-8)) continue;
    faults.push(`${name} is stated as ${classes[0][name]} and found to be ${found[name]}`);
  }
  return faults;
}

/** The laws of the request, as written. */
interface Written {
  readonly service: PhaseTypeForm;
  readonly matrices: readonly (readonly (readonly number[])[])[];
  /** Law of the phase in which a crawler that is switched on begins. */
  readonly begins: readonly number[];
}

function writtenLaws({ service: law, arrivals, batchSizes, crawlerRate = Number.NaN }: AskedActivation): Written {
  const sizes = batchSizes ?? [{ size: 1, probability: 1 }];
  const total = sizes.reduce((sum, { probability }) => sum + probability, 0);
  const rateOf = (size: number): number =>
    (crawlerRate * (sizes.find((each) => each.size === size)?.probability ?? 0)) / total;
  const largest = Math.max(...sizes.map(({ size }) => size));
  const service = createLaw(law).phaseType() ?? { initial: [], generator: [] };
  const matrices = arrivals?.matrices ?? [
    [[-crawlerRate]],
    ...Array.from({ length: largest }, (_, k) => [[rateOf(k + 1)]]),
  ];
  const size = matrices[0].length;
  const all = matrices[0].map((row, i) => row.map((_, j) => matrices.reduce((sum, d) => sum + d[i][j], 0)));
  const phases = stationary(all.map((row) => row.map((rate, to) => ({ to, rate }))));
  const left = Array.from({ length: size }, (_, j) =>
    matrices.slice(1).reduce((sum, d) => sum + phases.reduce((inner, share, i) => inner + share * d[i][j], 0), 0),
  );
  const batches = left.reduce((sum, rate) => sum + rate, 0);
  return { service, matrices, begins: left.map((rate) => rate / batches) };
}

interface State {
  readonly queue: number;
  /** Active crawlers in each phase. */
  readonly active: readonly number[];
  /** Phase of indexing; 0 where nothing is indexed. */
  readonly phase: number;
}

type Visit = (rate: number, to: State) => void;

const countOf = (active: readonly number[]): number => active.reduce((sum, count) => sum + count, 0);
const moved = (active: readonly number[], w: number, more: number): number[] => active.with(w, active[w] + more);

/**
 * Whether the answer activates where an event leaves this, the crawler that brought a batch (in phase `bringer`) left
 * out.
 */
function activates(answer: Policy, { queue, active, phase }: State, bringer: number | null): boolean {
  const count = countOf(active);
  if (queue === 0 && count === 0) return true;
  if (count === answer.crawlers) return false;
  const { targetsByState, decisionsByState } = answer;
  if (targetsByState !== undefined) {
    const column = queue === 0 ? 0 : targetsByState.phases.indexOf(phase);
    return count < targetsByState.table[queue][column];
  }
  if (decisionsByState === undefined) return count < answer.targets[queue];
  const { columns, table } = decisionsByState;
  const arrival = active.length === 1 ? null : bringer;
  const column = columns.findIndex((one) => (queue === 0 || one.service === phase) && one.arrival === arrival);
  const row = decisionsByState.active.findIndex((counts) => counts.every((n, w) => n === active[w]));
  return table[queue][column][row] === '1';
}

/** The events out of a state; answers the pages lost per unit time. */
function eventsOf(
  { capacity: K }: AskedActivation,
  answer: Policy,
  { service, matrices, begins }: Written,
  { queue, active, phase }: State,
  visit: Visit,
): number {
  let lost = 0;
  const after = (rate: number, left: State, bringer: number | null): void => {
    if (rate === 0) return;
    if (!activates(answer, left, bringer)) visit(rate, left);
    else if (bringer !== null) visit(rate, { ...left, active: moved(left.active, bringer, 1) });
    else for (const [w, share] of begins.entries()) visit(rate * share, { ...left, active: moved(left.active, w, 1) });
  };
  const enter = (rate: number, length: number, others: readonly number[], bringer: number): void => {
    if (queue > 0) after(rate, { queue: length, active: others, phase }, bringer);
    else {
      for (const [m, share] of service.initial.entries()) {
        after(rate * share, { queue: length, active: others, phase: m }, bringer);
      }
    }
  };
  for (const [w, count] of active.entries()) {
    if (count === 0) continue;
    const others = moved(active, w, -1);
    for (const [k, matrix] of matrices.entries()) {
      for (const [v, one] of matrix[w].entries()) {
        if (k === 0 && v !== w) visit(count * one, { queue, active: moved(others, v, 1), phase });
        if (k === 0) continue;
        enter(count * one, Math.min(K, queue + k), others, v);
        lost += count * one * Math.max(0, queue + k - K);
      }
    }
  }
  if (queue === 0) return lost;
  const row = service.generator[phase];
  const end = -row.reduce((sum, rate) => sum + rate, 0);
  for (const [m, rate] of row.entries()) if (m !== phase) visit(rate, { queue, active, phase: m });
  if (queue === 1) after(end, { queue: 0, active, phase: 0 }, null);
  else
    for (const [m, share] of service.initial.entries())
      after(end * share, { queue: queue - 1, active, phase: m }, null);
  return lost;
}

/** The averages of the policy, null where the chain is too large to write out. */
export function writtenOut(problem: AskedActivation, answer: Policy) {
  const laws = writtenLaws(problem);
  const first = laws.begins.findIndex((share) => share > 0);
  const start: State = { queue: 0, active: laws.begins.map((_, w) => (w === first ? 1 : 0)), phase: 0 };
  const keyOf = ({ queue, active, phase }: State): string => [queue, phase, ...active].join();
  const number = new Map([[keyOf(start), 0]]);
  const states = [start];
  const moves: Move[][] = [];
  const losses: number[] = [];
  for (let s = 0; s < states.length; s++) {
    const here: Move[] = [];
    const lost = eventsOf(problem, answer, laws, states[s], (rate, to) => {
      if (!(rate > 0)) return;
      const known = number.get(keyOf(to));
      if (known === undefined) {
        number.set(keyOf(to), states.length);
        states.push(to);
      }
      here.push({ to: known ?? states.length - 1, rate });
    });
    moves.push(here);
    losses.push(lost);
    if (states.length > mostStates) return null;
  }
  const shares = stationary(moves);
  const mean = (of: (state: State, s: number) => number): number =>
    shares.reduce((sum, share, s) => sum + share * of(states[s], s), 0);
  return {
    starvationProbability: mean(({ queue }) => (queue === 0 ? 1 : 0)),
    lossRate: mean((_, s) => losses[s]),
    meanActive: mean(({ active }) => countOf(active)),
    meanQueueLength: mean(({ queue }) => queue),
  };
}

function stationary(moves: readonly Move[][]): Float64Array {
  const shares = new Float64Array(moves.length);
  const real = moves.map((here, from) => here.filter(({ to, rate }) => rate > 0 && to !== from));
  const [members] = recurrentSets(real);
  for (const [state, share] of sharesIn(real, members)) shares[state] = share;
  return shares;
}
