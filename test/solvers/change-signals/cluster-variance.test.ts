import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type Estimate, solveChangeSignals } from '../../../src/solvers/change-signals/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { anySite, watchSite } from './edited-site.ts';

const holds = ({ interval: [low, high] }: Estimate, value: number): boolean => low <= value && value <= high;

interface Watching {
  /** Whether hosts are edited as a whole now and then. */
  readonly edited: boolean;
  /** Whether the checks of a host stand on one clock. */
  readonly dated: boolean;
}

/** Shares of the runs whose intervals held precision and recall: of the changes that there were, or in the long run. */
function covered(
  runs: number,
  of: 'log' | 'long run',
  { edited, dated }: Watching,
): [precision: number, recall: number] {
  const held: [number, number] = [0, 0];
  for (let run = 1; run <= runs; run++) {
    const at = 2 * run + (edited ? 0 : 1);
    const random = seededRandom(at);
    const model = anySite(at, random);
    const { editTimes, ownRate, ...seen } = watchSite(model, random);
    const watched = seen.lastCheck.reduce((sum, last) => sum + last, 0) / model.pages - 0.5;
    const own = ownRate.reduce((sum, rate) => sum + rate, 0) / model.pages;
    // a page is first looked at after half a unit of time in the mean
    const editsSeen = editTimes.filter((time) => time > 0.5 && time < 0.5 + watched).length;
    const byEdits = model.touched * (of === 'log' ? editsSeen / watched : model.edits);
    const right = own * model.recall + (model.editsSignalled ? byEdits : 0);
    const wrong = (own * model.recall * (1 - model.precision)) / model.precision;
    const lastCheck = seen.lastCheck.map((last, i) => (dated ? last : last + 1000 * i));
    const { overall } = solveChangeSignals({ ...seen, lastCheck, confidence: 0.95 }, unlimitedBudget()).solution;
    held[0] += Number(holds(overall.precision, right / (right + wrong))) / runs;
    held[1] += Number(holds(overall.recall, right / (own + byEdits))) / runs;
  }
  return held;
}

describe('intervals of precision and recall', () => {
  it('hold of the changes in the log, where hosts are edited as a whole and where they are not', () => {
    expect(Math.min(...covered(60, 'log', { edited: true, dated: true }))).toBeGreaterThan(0.9);
    expect(Math.min(...covered(60, 'log', { edited: false, dated: true }))).toBeGreaterThan(0.87);
  });

  it('are wider by what pages of a host have in common: a log has few edits, which tell little of the long run', () => {
    const [, together] = covered(80, 'long run', { edited: true, dated: true });
    const [, apart] = covered(80, 'long run', { edited: true, dated: false });
    expect(together).toBeGreaterThan(0.78);
    expect(apart).toBeLessThan(0.75);
  });
});
