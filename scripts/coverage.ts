/**
 * How often stated intervals hold the truth, by simulation: `node scripts/coverage.ts [runs] [change-rates | siblings | shape]`.
 *
 * Each run draws pages of known laws, checks them at uneven gaps, and asks whether the 95% interval held the value drawn from.
 * A share of 1,000 runs is itself uncertain by 1.4% (95%). Seeds are the runs' numbers.
 */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { createLaw, type Distribution } from '../src/solvers/distributions/index.ts';
import { CheckLog, solveChangeRates, solveUpdateProcessFromChecks } from '../src/solvers/estimation/index.ts';
import { groupStrengths, SiblingLog } from '../src/solvers/estimation/siblings/index.ts';
import { type Random, seededRandom } from '../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../src/solvers/numerics/random/random-variates.ts';

/** Moments of a Poisson process up to an end. */
function moments(rate: number, end: number, random: Random): number[] {
  const times: number[] = [];
  for (let t = standardExponential(random) / rate; t < end; t += standardExponential(random) / rate) times.push(t);
  return times;
}

/** Records checks of a page at gaps of 0.5 to 1.5 times `gap`. */
function check(log: CheckLog, page: number, changes: number[], gap: number, end: number, random: Random): void {
  const sorted = changes.sort((a, b) => a - b);
  let at = 0;
  for (let t = gap * (0.5 + random()); t < end; t += gap * (0.5 + random())) {
    const before = at;
    while (at < sorted.length && sorted[at] <= t) at++;
    log.record(page, t, at > before);
  }
}

/** A page of rate 1, checked 24 times. */
function changeRate(run: number): boolean {
  const random = seededRandom(run);
  const log = new CheckLog(new Float64Array(1));
  check(log, 0, moments(1, 12, random), 0.5, 12, random);
  const { low, high } = solveChangeRates(
    { history: log.history(), method: 'maximum-likelihood', prior: 'none', confidence: 0.95 },
    unlimitedBudget(),
  );
  return low[0] <= 1 && 1 <= high[0];
}

/** Thirty groups of so many pages of rate 1, half of whose changes are common to their group; rates as estimated. */
function siblings(size: number): (run: number) => boolean {
  const share = 0.5;
  return (run) => {
    const random = seededRandom(run);
    const pages = 30 * size;
    const end = 20;
    const log = new CheckLog(new Float64Array(pages));
    for (let g = 0; g < 30; g++) {
      const common = moments(share, end, random);
      for (let k = 0; k < size; k++) {
        check(log, g * size + k, [...common, ...moments(1 - share, end, random)], 0.5, end, random);
      }
    }
    const history = log.history();
    const { rate } = solveChangeRates(
      { history, method: 'maximum-likelihood', prior: 'empirical-bayes', confidence: 0.95 },
      unlimitedBudget(),
    );
    const group = Int32Array.from({ length: pages }, (_, i) => Math.floor(i / size));
    const known = new SiblingLog({ history, lastFetch: log.lastFetch, group, groups: 30, rate });
    const [low, high] = groupStrengths(known, unlimitedBudget()).common.interval;
    return low <= share && share <= high;
  };
}

/** Twelve pages of gamma gaps of shape 3, with 25 checks each. */
function shape(run: number): boolean {
  const random = seededRandom(run);
  const log = new CheckLog(new Float64Array(12));
  const distribution: Distribution = { type: 'gamma', shape: 3, rate: 3 };
  const law = createLaw(distribution);
  for (let i = 0; i < 12; i++) {
    const start = 30 + random();
    const changes: number[] = [];
    for (let t = 0; t < start + 13; t += law.sample(random)) if (t > start) changes.push(t - start);
    check(log, i, changes, 0.5, 12.5, random);
  }
  const { candidates } = solveUpdateProcessFromChecks(log.history(), unlimitedBudget());
  const interval = candidates.find(({ distribution: { type } }) => type === 'gamma')?.interval;
  return interval !== undefined && interval !== null && interval[0] <= 3 && 3 <= interval[1];
}

const [runs = '1000', ...names] = process.argv.slice(2);
const trials: Readonly<Record<string, (run: number) => boolean>> = {
  'change-rates': changeRate,
  'siblings-2': siblings(2),
  'siblings-5': siblings(5),
  shape,
};
for (const [name, trial] of Object.entries(trials)) {
  if (names.length > 0 && !names.some((each) => name.startsWith(each))) continue;
  let held = 0;
  for (let run = 1; run <= Number(runs); run++) if (trial(run)) held++;
  console.log(`${name.padEnd(14)} ${((100 * held) / Number(runs)).toFixed(1)}% of ${runs} runs`);
}
