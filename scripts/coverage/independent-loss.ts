/**
 * What looking for edits of whole hosts costs where there are none: `node scripts/coverage/independent-loss.ts [runs]`.
 *
 * Hosts whose pages change by themselves (site-edits.ts) are watched. Precision and recall are estimated once with the
 * checks on one clock, where edits are looked for, and once without. A page is then fetched when its copy is as stale
 * as a level, by either estimate, at as many fetches. The true precision and recall tell how fresh that keeps it. The
 * level rises with age and signals alone. So at age a the fetch is still to come where fewer than
 * (level − drift·a)/jump signals came, a Poisson law.
 */
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { solveChangeSignals } from '../../src/solvers/change-signals/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { type SignalQuality, signalMotion } from '../../src/solvers/signals/index.ts';
import { anySite, watchSite } from './site-edits.ts';

/** Changes of a page between two fetches, in the mean. */
const cycles = [0.3, 1, 3];
const steps = 2000;

/** Mean length of a cycle and the time that the copy is current in it, in units of 1/rate. */
function cycleOf(truth: SignalQuality, believed: SignalQuality, level: number): { length: number; current: number } {
  const { drift, signals, jump } = signalMotion(truth, 'freshness');
  const own = signalMotion(believed, 'freshness');
  const longest = level / own.drift;
  let [length, current] = [0, 0];
  for (let k = 0; k < steps; k++) {
    const age = ((k + 0.5) * longest) / steps;
    const most = (level - own.drift * age) / own.jump;
    let term = Math.exp(-signals * age);
    for (let n = 0; n < most && n < 1000; term *= (signals * age) / ++n) {
      length += term;
      current += term * Math.exp(-(drift * age + jump * n));
    }
  }
  return { length: (length * longest) / steps, current: (current * longest) / steps };
}

/** How fresh a page is kept by an estimate, at a mean length of its cycles. */
function freshness(truth: SignalQuality, believed: SignalQuality, length: number): number {
  let [low, high] = [Math.log(1e-4), Math.log(100)];
  for (let turn = 0; turn < 50; turn++) {
    const middle = (low + high) / 2;
    if (cycleOf(truth, believed, Math.exp(middle)).length < length) low = middle;
    else high = middle;
  }
  const found = cycleOf(truth, believed, Math.exp(low));
  return found.current / found.length;
}

const runs = Number(process.argv[2] ?? 1000);
const lost = cycles.map(() => 0);
let alarms = 0;
let worst = 0;
for (let run = 1; run <= runs; run++) {
  const random = seededRandom(run);
  const truth = { ...anySite(2 * run, random), edits: 0 };
  const { lastCheck, ...seen } = watchSite(truth, random);
  const estimate = (more: { readonly lastCheck: Float64Array }): SignalQuality => {
    const { precision, recall } = solveChangeSignals({ ...seen, ...more, confidence: 0.95 }, unlimitedBudget()).solution
      .overall;
    return { precision: Math.min(precision.value, 1 - 1e-9), recall: Math.min(recall.value, 1 - 1e-6) };
  };
  const [looked, plain] = [estimate({ lastCheck }), estimate({ lastCheck: lastCheck.map(() => Number.NaN) })];
  if (looked.precision === plain.precision && looked.recall === plain.recall) continue;
  alarms++;
  for (const [c, length] of cycles.entries()) {
    const less = freshness(truth, plain, length) - freshness(truth, looked, length);
    lost[c] += less / runs;
    worst = Math.max(worst, less);
  }
}
const told = cycles.map((length, c) => `${lost[c].toFixed(6)} at ${length}`).join(', ');
console.log(
  `edits seen on ${alarms} of ${runs} hosts without; freshness lost, by changes a fetch: ${told}; at most ${worst.toFixed(5)}`,
);
