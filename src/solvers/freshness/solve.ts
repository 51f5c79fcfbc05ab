/**
 * Freshness, measured by probes at random times, and the difference of two ways to crawl.
 *
 * Model: a probe finds page i's copy current (x = 1) or not (x = 0). Probe times do not look at the crawler, so that
 * the chance of x = 1 is the freshness averaged over time. In a trial every unit is dealt to the plan (s = +1) or to
 * the incumbent (s = −1) in each period by a coin. With m any forecast of x that does not know the coin, Y = 2s(x − m)
 * has mean Δ = E[x | plan] − E[x | incumbent]. Only the first probe of a unit in a period counts, so that its coin is
 * independent of all that was counted before. Probes early in a period are left out whether or not the arm changed.
 * Were they left out only where it changed, a counted early probe would tell its arm by the one before.
 *
 * Method: confidence sequences (confidence-sequence.ts) over the probes in order of time; equal times keep the order
 * of the request. Complexity: O(n log n) for n probes. Deterministic.
 *
 * Source: R. Wolff, Operations Research 30 (1982); I. Waudby-Smith, A. Ramdas, J. R. Statist. Soc. B 86 (2024).
 * Known limits: where a mean drifts, an interval is for the bets' weighted mean of it. Limits that both arms share
 * (a host's delay) bias the difference; units must then be hosts.
 */
import { type Warning, warning } from '../answer.ts';
import { type Budget, pollOf } from '../budget.ts';
import { type Sequence, sequenceOf } from './confidence-sequence.ts';
import { DealtArms } from './dealt-arms.ts';
import { probesNeeded } from './probes-needed.ts';
import type { AnytimeEstimate, FreshnessAnswer, FreshnessProblem, Trial } from './problem.ts';

/** Elementary steps a probe takes beside sorting. */
const stepsAProbe = 60;

/** @throws NothingToReturn when the budget ends first: a part of the probes says something else than all */
export function solveFreshness(problem: FreshnessProblem, budget: Budget) {
  const { time, host, hosts, current, weight, trial, confidence } = problem;
  const alpha = 1 - confidence;
  const poll = pollOf(budget, 'not every probe had been counted');
  const order = inOrderOfTime(time);
  const weighing = weighingOf(weight);
  const begin = (): Sequence => sequenceOf(alpha, weighing.weighted);
  const all = begin();
  const byHost = hosts.map(begin);
  const looks = looksAt(order.length, problem.history);
  const past: AnytimeEstimate[] = [];
  for (let place = 0; place < order.length; place++) {
    const at = order[place];
    const share = weight[at] / weighing.heaviest;
    all.add(current[at], share);
    if (host[at] >= 0) byHost[host[at]].add(current[at], share);
    if (place === looks[past.length]) past.push(estimateOf(all));
    poll(stepsAProbe);
  }
  const judged = trial === null ? null : judge(problem, trial, { order, weighing, poll, looks });
  const solution: FreshnessAnswer = {
    freshness: estimateOf(all),
    byHost: byHost.map((sequence, h) => ({ host: hosts[h], ...estimateOf(sequence) })),
    ...(judged?.answer ?? { byArm: null, difference: null, verdict: null, probesNeeded: null, leftOut: null }),
    history: past.map((freshness, k) => ({
      time: time[order[looks[k]]],
      freshness,
      byArm: judged?.past[k].byArm ?? null,
      difference: judged?.past[k].difference ?? null,
    })),
  };
  const statistics = { solver: 'confidence-sequence', probes: time.length };
  return { status: 'evaluated' as const, solution, warnings: judged?.warnings ?? [], statistics };
}

/** The places, in order of time, of the probes after which is looked: the last of each of so many equal parts. */
function looksAt(count: number, history: number): number[] {
  const parts = Math.min(count, history);
  return Array.from({ length: parts }, (_, k) => Math.floor(((k + 1) * count) / parts) - 1);
}

interface Weighing {
  readonly heaviest: number;
  /** Whether any two weights differ. */
  readonly weighted: boolean;
}

function weighingOf(weight: Float64Array): Weighing {
  let heaviest = 0;
  let lightest = Number.POSITIVE_INFINITY;
  for (const each of weight) {
    heaviest = Math.max(heaviest, each);
    lightest = Math.min(lightest, each);
  }
  return { heaviest, weighted: lightest < heaviest };
}

/** What the whole has found before the trial is judged. */
interface Counting {
  readonly order: Int32Array;
  readonly weighing: Weighing;
  readonly poll: (steps: number) => void;
  /** Places in `order` after which an estimate is noted. */
  readonly looks: readonly number[];
}

const estimateOf = ({ count, value, interval }: Sequence): AnytimeEstimate => ({
  value: count === 0 ? null : value,
  interval,
  probes: count,
});

/** Positions by time; equal times in their order. */
function inOrderOfTime(time: Float64Array): Int32Array {
  const order = new Int32Array(time.length);
  let isSorted = true;
  for (let i = 0; i < time.length; i++) {
    order[i] = i;
    if (i > 0 && time[i] < time[i - 1]) isSorted = false;
  }
  return isSorted ? order : order.sort((a, b) => time[a] - time[b] || a - b);
}

/** The members of an answer that a trial has. */
type Judged = {
  readonly [Name in 'byArm' | 'difference' | 'verdict' | 'leftOut']: NonNullable<FreshnessAnswer[Name]>;
} & Pick<FreshnessAnswer, 'probesNeeded'>;

type Looked = Pick<Judged, 'byArm' | 'difference'>;

/** The difference of the arms, from the first counted probe of each unit in each period. */
function judge(
  { time, current, weight, forecast, confidence }: FreshnessProblem,
  trial: Trial,
  { order, weighing, poll, looks }: Counting,
): { readonly answer: Judged; readonly past: readonly Looked[]; readonly warnings: Warning[] } {
  const alpha = 1 - confidence;
  const { period, settling, unit, units } = trial;
  const dealt = new DealtArms(trial);
  const begin = (): Sequence => sequenceOf(alpha, weighing.weighted);
  const arms = { plan: begin(), incumbent: begin() };
  const sequence = begin();
  /** By unit: the period of its last counted probe. */
  const counted = new Float64Array(units.length).fill(Number.NaN);
  const leftOut = { repeated: 0, settling: 0, withoutArm: 0 };
  let squares = 0;
  let found = 0;
  const look = (): Looked => ({
    byArm: { plan: estimateOf(arms.plan), incumbent: estimateOf(arms.incumbent) },
    difference: differenceOf(sequence),
  });
  const past: Looked[] = [];
  for (let place = 0; place < order.length; place++) {
    const at = order[place];
    const k = Math.floor(time[at] / period);
    const isEarly = time[at] - k * period < settling;
    const isRepeated = counted[unit[at]] === k;
    const sign = isEarly || isRepeated ? 0 : dealt.of(at, k);
    if (isEarly) leftOut.settling++;
    else if (isRepeated) leftOut.repeated++;
    else if (sign === 0) leftOut.withoutArm++;
    else {
      counted[unit[at]] = k;
      const share = weight[at] / weighing.heaviest;
      // A forecast from what was counted before knows nothing of this coin; half a copy of each kind begins it.
      const given = forecast[at];
      const m = given >= 0 ? given : (found + 0.5) / (sequence.count + 1);
      found += current[at];
      // Y = 2s(x − m) lies in [−2, 2].
      const y = 2 * sign * (current[at] - m);
      sequence.add((y + 2) / 4, share);
      squares += y * y;
      arms[sign > 0 ? 'plan' : 'incumbent'].add(current[at], share);
    }
    if (place === looks[past.length]) past.push(look());
    poll(stepsAProbe);
  }
  const n = sequence.count;
  const { byArm, difference } = look();
  const { value } = difference;
  const [low, high] = difference.interval;
  const verdict = low > 0 ? 'take-over' : high < 0 ? 'roll-back' : 'go-on';
  const isOpen = verdict === 'go-on' && value !== null && n > 1;
  const answer: Judged = {
    byArm,
    difference,
    verdict,
    probesNeeded: isOpen ? probesNeeded(value, squares / n - value ** 2, alpha) : null,
    leftOut,
  };
  return { answer, past, warnings: warningsOf(leftOut, dealt.disagreeing) };
}

/** From the scale of (Y + 2)/4 to that of Δ. */
function differenceOf({ count, value, interval: [least, most] }: Sequence): AnytimeEstimate {
  const scaled = (z: number): number => Math.max(-1, Math.min(1, 4 * z - 2));
  const [low, high] = [scaled(least), scaled(most)];
  return {
    value: count === 0 ? null : Math.max(low, Math.min(high, 4 * value - 2)),
    interval: [low, high],
    probes: count,
  };
}

function warningsOf({ repeated, settling, withoutArm }: Judged['leftOut'], disagreeing: number): Warning[] {
  const told: readonly [count: number, code: string, detail: string][] = [
    [repeated, 'repeated-probes', 'are not the first of their unit in a period: they count towards freshness alone'],
    [
      settling,
      'settling-probes',
      'came while copies of the arm before may still have been held: they count towards freshness alone',
    ],
    [
      withoutArm,
      'probes-without-arm',
      'name no arm, and there is no seed to deal them: they count towards freshness alone',
    ],
    [
      disagreeing,
      'arm-disagrees',
      'name another arm than the coin of this seed: what they name counts; is the seed right?',
    ],
  ];
  return told
    .filter(([count]) => count > 0)
    .map(([count, code, detail]) => warning(code, `${count} of the probes ${detail}`, ['probes']));
}
