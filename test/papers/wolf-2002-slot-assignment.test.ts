/**
 * Wolf et al. (2002), section 5, Figure 10: ten homogeneous crawlers, one day, 20% of the crawls quasi-deterministic.
 * It says that "virtually all crawls occur within a window of plus or minus 20 time slots", quasi-deterministic ones
 * on or after their ideal slots. There a million crawls a
 * crawler; here 20,000.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { assignSlots } from '../../src/solvers/slot-assignment/assign-slots.ts';
import { releaseTask, type SlotAssignmentProblem } from '../../src/solvers/slot-assignment/problem.ts';
import { examineAssignment } from '../oracles/slot-assignment.ts';

const crawlers = 10;
const day = 86_400;
const golden = (Math.sqrt(5) - 1) / 2;

/**
 * Its window of 20 slots holds for ideal times that are spread evenly, as those of many pages crawled at even intervals
 * are. Page i of x crawls has them at (phase_i + k)·T/x, its phase staggered by the golden ratio. (Independent uniform
 * times would wander off by the square root of their number.)
 *
 * @param slots of each crawler
 */
function figure10(slots: number): SlotAssignmentProblem {
  const total = crawlers * slots;
  const idealTime = new Float64Array(total);
  const kind = new Uint8Array(total);
  // Page i is crawled 1, 2, 3, 4, 5, 10 or 25 times a day; every fifth page is quasi-deterministic.
  const times = [1, 2, 3, 4, 5, 10, 25];
  for (let page = 0, at = 0; at < total; page++) {
    const x = Math.min(times[page % times.length], total - at);
    const phase = (page * golden) % 1;
    const quasiDeterministic = page % 5 === 0;
    for (let k = 0; k < x; k++, at++) {
      idealTime[at] = ((phase + k) * day) / x;
      if (!quasiDeterministic) continue;
      kind[at] = releaseTask;
      // An update in the very last slots of the day leaves no later slot for its crawl.
      idealTime[at] = Math.min(idealTime[at], day * (1 - 20 / slots));
    }
  }
  return {
    interval: day,
    slotCounts: new Int32Array(crawlers).fill(slots),
    idealTime,
    kind,
    weight: null,
    allowed: null,
    earliest: null,
    latest: null,
    dropPenalty: Number.POSITIVE_INFINITY,
  };
}

const slots = 20_000;

describe('Figure 10 of Wolf et al. (2002), scaled down', () => {
  const instance = figure10(slots);
  const answer = assignSlots(instance, unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  const { time } = answer.placement;
  const late = Array.from(time, (tau, j) => ((tau - instance.idealTime[j]) * slots) / day);

  it('has every slot in use and a fifth of the crawls quasi-deterministic', () => {
    expect(answer.idleSlots).toBe(0);
    const releases = late.filter((_, j) => instance.kind?.[j] === releaseTask).length;
    expect(releases / late.length).toBeCloseTo(0.2, 2);
  });

  it('makes virtually all crawls within 20 slots of their ideal slots', () => {
    const nearCount = late.filter((slotsLate) => Math.abs(slotsLate) <= 20).length;
    expect(nearCount / late.length).toBeGreaterThan(0.999);
  });

  it('makes no quasi-deterministic crawl before its ideal time', () => {
    expect(late.filter((slotsLate, j) => instance.kind?.[j] === releaseTask && slotsLate < 0)).toEqual([]);
  });

  it('costs what slot prices prove, which a search finds: at 500 slots a crawler', () => {
    const small = figure10(500);
    const [swept, searched] = [{}, { prices: true }].map((settings) => {
      const found = assignSlots(small, unlimitedBudget(), settings);
      if (found.status === 'infeasible') throw new Error(found.conflict.detail);
      return found;
    });
    const { bound } = examineAssignment(small, searched.slotOf, searched.prices);
    const { violations, value } = examineAssignment(small, swept.slotOf, null);
    expect(violations).toEqual([]);
    expect(value - bound).toBeLessThan(1e-9 * value);
  });
});
