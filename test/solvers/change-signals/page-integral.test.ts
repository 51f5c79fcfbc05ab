import { expect, it } from 'vitest';
import type { ChangeSignalsProblem } from '../../../src/solvers/change-signals/index.ts';
import { summarizePage } from '../../../src/solvers/change-signals/page-evidence.ts';
import { integratePage, type SignalPoint } from '../../../src/solvers/change-signals/page-integral.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';

/** A page of up to `most` checks of any gaps, with any signals. */
function anyPage(random: Random, most: number): ChangeSignalsProblem {
  const checks = 1 + Math.floor(random() * most);
  const unit = 10 ** (8 * random() - 4);
  const load = 10 ** (3 * random() - 1);
  const fresh = random();
  const many = Array.from({ length: checks }, () => Math.floor(-Math.log(1 - random()) * load));
  return {
    offsets: Uint32Array.of(0, checks),
    elapsed: Float64Array.from(many, () => unit * (0.2 + 2 * random() ** 3)),
    changed: Uint8Array.from(many, () => (random() < fresh ? 1 : 0)),
    signals: Float64Array.from(many),
    host: Int32Array.of(0),
    names: [null],
    confidence: 0.95,
  };
}

/** ln ∫ of the likelihood as it is stated, check by check, on a fine even grid of ln λ around its largest value. */
function byGrid({ elapsed, changed, signals }: ChangeSignalsProblem, point: SignalPoint, middle: number): number {
  const { precision, recall, mean, deviation } = point;
  const log = (theta: number): number => {
    const rate = Math.exp(theta);
    let sum = -0.5 * ((theta - mean) / deviation) ** 2 - Math.log(deviation * Math.sqrt(2 * Math.PI));
    for (let k = 0; k < elapsed.length; k++) {
      const z = (1 - recall) * rate * elapsed[k] - signals[k] * Math.log1p(-precision);
      sum += changed[k] === 1 ? Math.log(-Math.expm1(-z)) : -z;
      sum += signals[k] * Math.log((rate * recall) / precision) - (rate * recall * elapsed[k]) / precision;
    }
    return sum;
  };
  let peak = middle;
  for (let step = 4; step > 1e-4; step /= 2) {
    for (const by of [-3, -2, -1, 1, 2, 3]) if (log(peak + by * step) > log(peak)) peak += by * step;
  }
  const atPeak = log(peak);
  const events = signals.reduce((sum, each) => sum + each, elapsed.length);
  const step = Math.min(0.05, 0.1 * deviation, 0.2 / Math.sqrt(events));
  let sum = 1;
  for (const side of [step, -step]) {
    for (let k = 1; k < 1e6; k++) {
      const term = Math.exp(log(peak + k * side) - atPeak);
      if (!(term > 1e-16)) break;
      sum += term;
    }
  }
  return atPeak + Math.log(sum * step);
}

const anyPoint = (random: Random, page: ChangeSignalsProblem): SignalPoint => {
  const span = page.elapsed.reduce((sum, each) => sum + each, 0);
  return {
    precision: 1 / (1 + Math.exp(12 * random() - 6)),
    recall: 1 / (1 + Math.exp(12 * random() - 6)),
    mean: Math.log(page.elapsed.length / span) + 8 * random() - 4,
    deviation: 10 ** (2 * random() - 1.3),
  };
};

it('the integral over the rate of a page agrees with a fine grid, for pages of no and of thousands of signals', () => {
  const random = seededRandom(12);
  for (let trial = 0; trial < 400; trial++) {
    const page = anyPage(random, trial % 2 === 0 ? 4 : 60);
    const point = anyPoint(random, page);
    const found = integratePage(summarizePage(page, 0), point).logLikelihood;
    const expected = byGrid(page, point, point.mean);
    const size = Math.max(1, Math.abs(expected));
    expect(Math.abs(found - expected) / size, JSON.stringify([page, point])).toBeLessThan(1e-6);
  }
});

it('the means under the posterior are the slopes of the integral', () => {
  const random = seededRandom(13);
  const logit = (x: number): number => Math.log(x / (1 - x));
  const share = (x: number): number => 1 / (1 + Math.exp(-x));
  for (let trial = 0; trial < 200; trial++) {
    const page = anyPage(random, trial % 2 === 0 ? 4 : 60);
    const evidence = summarizePage(page, 0);
    const point = anyPoint(random, page);
    const at = (by: Partial<SignalPoint>): number => integratePage(evidence, { ...point, ...by }).logLikelihood;
    const { byPrecision, byRecall, offset, square } = integratePage(evidence, point);
    const { precision, recall, mean, deviation } = point;
    const step = 1e-4;
    const slope = (moved: (by: number) => Partial<SignalPoint>): number =>
      (at(moved(step)) - at(moved(-step))) / (2 * step);
    const slopes: readonly [number, number][] = [
      [byPrecision, slope((by) => ({ precision: share(logit(precision) + by) }))],
      [byRecall, slope((by) => ({ recall: share(logit(recall) + by) }))],
      [offset, slope((by) => ({ mean: mean + by * deviation }))],
      [square - 1, slope((by) => ({ deviation: deviation * Math.exp(by) }))],
    ];
    const events = page.signals.reduce((sum, each) => sum + each, page.elapsed.length);
    for (const [k, [stated, difference]] of slopes.entries()) {
      const text = `${k} of ${JSON.stringify([page, point])}`;
      expect(Math.abs(stated - difference), text).toBeLessThan(1e-5 * Math.max(events, Math.abs(stated)));
    }
  }
});
