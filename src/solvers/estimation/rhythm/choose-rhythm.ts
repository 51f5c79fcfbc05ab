/**
 * Whether changes keep a rhythm over the day and the week, and which: chosen on the log itself, by what it foretells of
 * its latest part.
 *
 * The course and the rates are fitted to the first four fifths of every page's checks, and rates with the course there
 * was before (none at first) as well. The new course is taken where it foretells the last fifth better by e^4.6, a
 * hundred to one; then it is fitted to all checks. So is the course of all pages chosen, and then that of each group,
 * which is drawn to the one of all pages: with so many groups tried, each has to show its own so many times better.
 * A log whose fetches all keep to one hour of the day tells nothing of the hours, and none is taken.
 */
import type { Budget } from '../../budget.ts';
import { unchanged } from '../changes/check-history.ts';
import { heldOutShare } from '../changes/filter-histories.ts';
import { type DescribedCourse, describeCourse } from './describe-course.ts';
import { fitRhythm, logLikelihoodOf } from './fit-rhythm.ts';
import { allPages, type CheckRange, type PlacedChecks, placeChecks, type RhythmLog } from './placed-checks.ts';
import { waves } from './week.ts';

const mostChecks = 50_000;
/** Of all groups together, but for the least of each. */
const mostGroupChecks = 200_000;
const leastGroupChecks = 1000;
/** Fewer changes seen tell nothing of a group's hours. */
const fewestChanges = 40;
/** ln of the odds from which a course is taken. */
const enough = Math.log(100);

export interface RhythmChoice extends DescribedCourse {
  readonly taken: boolean;
  /** ln P(the last checks): with the course over without. */
  readonly evidence: number;
  /** θ by the earlier checks, and by all where the course is taken. */
  readonly earlier: Float64Array;
  readonly theta: Float64Array;
}

/** A group whose course was taken. */
export interface GroupRhythm {
  readonly group: number;
  readonly pages: number;
  readonly choice: RhythmChoice;
}

/** @throws NothingToReturn when the budget ends first */
export function chooseRhythm(log: RhythmLog, budget: Budget): RhythmChoice {
  const flat = new Float64Array(waves);
  const checks = placeChecks(log, allPages(log.history), mostChecks);
  return choose(checks, { earlier: flat, theta: flat }, enough, budget);
}

/**
 * The groups that keep hours of their own.
 * @param group by page: position of its group, −1 for none
 * @param common the choice for all pages
 * @throws NothingToReturn when the budget ends first
 */
export function chooseGroupRhythms(
  log: RhythmLog,
  group: Int32Array,
  common: RhythmChoice,
  budget: Budget,
): GroupRhythm[] {
  const flat = new Float64Array(waves);
  const before = common.taken ? common : { earlier: flat, theta: flat };
  const members = new Map<number, number[]>();
  for (const [i, g] of group.entries()) {
    const own = members.get(g);
    if (own !== undefined) own.push(i);
    else if (g >= 0) members.set(g, [i]);
  }
  const each = Math.max(leastGroupChecks, mostGroupChecks / members.size);
  const taken: GroupRhythm[] = [];
  for (const [g, pages] of members) {
    const checks = placeChecks(log, Uint32Array.from(pages), each);
    const changes = checks.outcome.reduce((sum, outcome) => sum + (outcome === unchanged ? 0 : 1), 0);
    if (changes < fewestChanges) continue;
    const choice = choose(checks, before, enough + Math.log(members.size), budget);
    if (choice.taken) taken.push({ group: g, pages: pages.length, choice });
  }
  return taken;
}

function choose(
  checks: PlacedChecks,
  before: Pick<RhythmChoice, 'earlier' | 'theta'>,
  asked: number,
  budget: Budget,
): RhythmChoice {
  const { earlier, later } = splitChecks(checks);
  const fit = fitRhythm(checks, earlier, { centre: before.earlier, steady: false }, budget);
  const old = fitRhythm(checks, earlier, { centre: before.earlier, steady: true }, budget);
  const evidence = logLikelihoodOf(checks, later, fit) - logLikelihoodOf(checks, later, old);
  const taken = evidence > asked;
  const whole: CheckRange = { from: earlier.from, to: later.to };
  const last = taken ? fitRhythm(checks, whole, { centre: before.theta, steady: false }, budget) : fit;
  return { taken, evidence, earlier: fit.theta, theta: last.theta, ...describeCourse(last) };
}

/** Of every page's checks the first four fifths, and the last. */
function splitChecks({ offsets }: PlacedChecks): { readonly earlier: CheckRange; readonly later: CheckRange } {
  const pages = offsets.length - 1;
  const from = offsets.slice(0, pages);
  const to = offsets.slice(1);
  const held = from.map((first, i) => to[i] - Math.floor(heldOutShare * (to[i] - first)));
  return { earlier: { from, to: held }, later: { from: held, to } };
}
