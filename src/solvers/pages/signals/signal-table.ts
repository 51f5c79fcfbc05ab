/**
 * Tables of W and Ψ (signal-cycle.ts) of one motion, for look-ups and for their inverses.
 *
 * Between nodes 5% apart ln W and ln Ψ are cubics in ln y, with the slopes W′ = c′Ψ and Ψ′. The nodes are closer above
 * each of the first jumps, where Ψ is steep over a level that takes the mean time between signals. At and below the
 * first jump Ψ = (1 − e^{−κy})/γ, κ = γ/δ, and W have closed forms; above the first jump the nodes have the values of a
 * grid (cycle-grid.ts). Above a level of 40, where e^{−y} is negligible, Ψ continues in proportion to the level, and W
 * accordingly: to a limit under freshness. Complexity: one grid; a look-up is a bisection of the nodes and a cubic, an
 * inverse some four cubics. Accuracy: some 1e−6, 1e−4 for a recall of 0.9, and 1e−3 for 0.99.
 */

import { gaussLegendre, integrateBy } from '../../numerics/quadrature/gauss-legendre.ts';
import type { ObjectiveName } from '../objectives/index.ts';
import { type CycleGrid, cycleGrid } from './cycle-grid.ts';
import { levelSlope, type SignalMotion } from './signal-cycle.ts';

/** Last level of the table; above it asymptotic forms of W and Ψ hold to rounding. */
const topLevel = 40;
/** Quadrature rule of the integrals that have no closed form. */
const quadrature = gaussLegendre(8);
/** Coefficients of c′(u) = first − second·u + third·u² − … */
const slopeSeries: Readonly<Record<ObjectiveName, readonly [first: number, second: number, third: number]>> = {
  freshness: [1, 1, 0.5],
  delay: [1, 0, 0],
  harmonic: [2, 3, 4],
};
/** Ratio of the levels of neighbouring nodes. */
const nodeRatio = 1.05;
/**
 * Level of the first node, as a share of the smaller of two scales: the drift between two signals, and 1, where c
 * bends.
 */
const firstLevelShare = 1e-3;
/**
 * Number of jumps above which nodes are closer, and their distances from the jump, in units of drift between signals.
 */
const steepJumps = 12;
const nodesAboveJump = [0, 0.3, 0.6, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 15, 19];

export class SignalTable {
  readonly motion: SignalMotion;
  readonly #kappa: number;
  readonly #logLevel: Float64Array;
  readonly #logWorth: Float64Array;
  readonly #logLength: Float64Array;
  /** Slopes of ln W and of ln Ψ in ln y. */
  readonly #worthSlope: Float64Array;
  readonly #lengthSlope: Float64Array;

  /** @param motion with a drift above 0 */
  constructor(motion: SignalMotion) {
    this.motion = motion;
    this.#kappa = motion.signals / motion.drift;
    const levels = nodeLevels(motion);
    const count = levels.length;
    this.#logLevel = levels.map((level) => Math.log(level));
    this.#logWorth = new Float64Array(count);
    this.#logLength = new Float64Array(count);
    this.#worthSlope = new Float64Array(count);
    this.#lengthSlope = new Float64Array(count);
    const hasJumps = motion.signals > 0 && motion.jump < topLevel;
    const grid = hasJumps ? cycleGrid(motion, topLevel) : null;
    for (let k = 0; k < count; k++) {
      const level = levels[k];
      if (grid === null || level <= motion.jump) this.#setFirst(k, level);
      else this.#setFromGrid(k, level, grid);
    }
  }

  #setFirst(k: number, level: number): void {
    const slope = Math.exp(-this.#kappa * level) / this.motion.drift;
    this.#set(k, level, { length: this.#firstLength(level), slope, worth: this.#firstWorth(level) });
  }

  #setFromGrid(k: number, level: number, { step, length, slope, worth }: CycleGrid): void {
    const place = level / step;
    const j = Math.min(length.length - 2, Math.floor(place));
    const share = place - j;
    const [low, high] = [j, j + 1].map((at) => step * levelSlope(this.motion, at * step) * length[at]);
    this.#set(k, level, {
      length: hermite(length[j], length[j + 1], step * slope[j], step * slope[j + 1], share),
      slope: slope[j] + share * (slope[j + 1] - slope[j]),
      worth: hermite(worth[j], worth[j + 1], low, high, share),
    });
  }

  #set(k: number, level: number, at: { length: number; slope: number; worth: number }): void {
    this.#logWorth[k] = Math.log(at.worth);
    this.#logLength[k] = Math.log(at.length);
    this.#worthSlope[k] = (level * levelSlope(this.motion, level) * at.length) / at.worth;
    this.#lengthSlope[k] = (level * at.slope) / at.length;
  }

  /** W at a level; its limit at Infinity. */
  worth(level: number): number {
    const logLevel = Math.log(level);
    if (!(logLevel > this.#logLevel[0])) return this.#firstWorth(Math.max(0, level));
    const last = this.#logWorth.length - 1;
    if (logLevel < this.#logLevel[last]) return Math.exp(this.#interpolate(this.#logWorth, this.#worthSlope, logLevel));
    const top = Math.exp(this.#logWorth[last]);
    switch (this.motion.objective) {
      case 'freshness':
        return top;
      case 'delay':
        return top * (level / topLevel) ** 2;
      case 'harmonic':
        return top + this.#topShare() * (slopeIntegral(level) - slopeIntegral(topLevel));
    }
  }

  /** Ψ(u)/u for levels u above the last node. */
  #topShare(): number {
    return Math.exp(this.#logLength[this.#logLength.length - 1]) / topLevel;
  }

  /** Ψ at a level. */
  length(level: number): number {
    const logLevel = Math.log(level);
    if (!(logLevel > this.#logLevel[0])) return this.#firstLength(Math.max(0, level));
    const last = this.#logLength.length - 1;
    if (logLevel < this.#logLevel[last])
      return Math.exp(this.#interpolate(this.#logLength, this.#lengthSlope, logLevel));
    return Math.exp(this.#logLength[last]) * (level / topLevel);
  }

  /** Inverse of W: the level y with W(y) = `worth`; Infinity if W never reaches it. */
  levelFor(worth: number): number {
    if (!(worth > 0)) return 0;
    const target = Math.log(worth);
    const last = this.#logWorth.length - 1;
    if (target <= this.#logWorth[0]) {
      // W = first·y²/2δ·(1 − (κ/3 + …)y)
      const [first, second] = slopeSeries[this.motion.objective];
      const y = Math.sqrt((2 * this.motion.drift * worth) / first);
      return y * (1 + ((0.5 * this.#kappa + second / first) * y) / 3);
    }
    if (target <= this.#logWorth[last]) return this.#invert(this.#logWorth, this.#worthSlope, target);
    switch (this.motion.objective) {
      case 'freshness':
        return Number.POSITIVE_INFINITY;
      case 'delay':
        return topLevel * Math.exp(0.5 * (target - this.#logWorth[last]));
      case 'harmonic':
        return harmonicLevel(slopeIntegral(topLevel) + (worth - Math.exp(this.#logWorth[last])) / this.#topShare());
    }
  }

  /** Inverse of Ψ: the level whose cycle has this mean length. */
  levelOfLength(length: number): number {
    if (length === Number.POSITIVE_INFINITY) return length;
    const target = Math.log(length);
    const last = this.#logLength.length - 1;
    if (target <= this.#logLength[0]) {
      const { drift, signals } = this.motion;
      return signals === 0 ? drift * length : -Math.log1p(-signals * length) / this.#kappa;
    }
    if (target <= this.#logLength[last]) return this.#invert(this.#logLength, this.#lengthSlope, target);
    return topLevel * Math.exp(target - this.#logLength[last]);
  }

  /** Ψ up to the first jump. */
  #firstLength(level: number): number {
    const { drift, signals } = this.motion;
    return signals === 0 ? level / drift : -Math.expm1(-this.#kappa * level) / signals;
  }

  /** W up to the first jump: ∫₀^y c′(u)(1 − e^{−κu})/γ du; by its series for small y, where the closed form cancels. */
  #firstWorth(y: number): number {
    const { drift, signals, objective } = this.motion;
    const kappa = this.#kappa;
    if ((1 + kappa) * y < 2 * firstLevelShare) {
      // c′Ψ = (first·u − bend·u² + turn·u³ − …)/δ
      const [first, second, third] = slopeSeries[objective];
      const bend = first * 0.5 * kappa + second;
      const turn = (first * (kappa * kappa)) / 6 + second * 0.5 * kappa + third;
      return (y * y * (0.5 * first - (bend * y) / 3 + (turn * y * y) / 4)) / drift;
    }
    switch (objective) {
      case 'freshness':
        return signals === 0
          ? (-Math.expm1(-y) - y * Math.exp(-y)) / drift
          : (-Math.expm1(-y) + Math.expm1(-(1 + kappa) * y) / (1 + kappa)) / signals;
      case 'delay':
        return signals === 0 ? (0.5 * y * y) / drift : (y + Math.expm1(-kappa * y) / kappa) / signals;
      case 'harmonic':
        return this.#firstHarmonicWorth(y);
    }
  }

  /** W under harmonic up to the first jump, by quadrature over panels from y/2 to y, y/4 to y/2, … */
  #firstHarmonicWorth(y: number): number {
    if (this.motion.signals === 0) return (y * (y / (1 + y))) / this.motion.drift;
    let sum = 0;
    let end = y;
    while (end > 0) {
      const from = (1 + this.#kappa) * end < 1 ? 0 : 0.5 * end;
      sum += integrateBy(quadrature, (u) => levelSlope(this.motion, u) * this.#firstLength(u), from, end);
      end = from;
    }
    return sum;
  }

  #interpolate(logs: Float64Array, slopes: Float64Array, logLevel: number): number {
    const k = positionBelow(this.#logLevel, logLevel);
    const step = this.#logLevel[k + 1] - this.#logLevel[k];
    const share = (logLevel - this.#logLevel[k]) / step;
    return hermite(logs[k], logs[k + 1], step * slopes[k], step * slopes[k + 1], share);
  }

  #invert(logs: Float64Array, slopes: Float64Array, target: number): number {
    const k = positionBelow(logs, target);
    const from = this.#logLevel[k];
    const step = this.#logLevel[k + 1] - from;
    const bend = step * slopes[k] - (logs[k + 1] - logs[k]);
    const turn = step * slopes[k + 1] - (logs[k + 1] - logs[k]);
    return Math.exp(from + step * shareAt(target - logs[k], logs[k + 1] - logs[k], bend, turn));
  }
}

/** ∫ c′(u)u du up to a level under harmonic, up to a constant. */
const slopeIntegral = (level: number): number => level + 1 / (1 + level);

/** Inverse of `slopeIntegral` by fixed-point iteration, above the last node. */
function harmonicLevel(integral: number): number {
  let level = integral;
  for (let round = 0; round < 8; round++) level = integral - 1 / (1 + level);
  return level;
}

/** Levels of the nodes, rising. */
function nodeLevels({ drift, signals, jump }: SignalMotion): Float64Array {
  const first = firstLevelShare / (1 + signals / drift);
  const count = Math.ceil(Math.log(topLevel / first) / Math.log(nodeRatio)) + 1;
  const levels = Array.from({ length: count }, (_, k) => first * (topLevel / first) ** (k / (count - 1)));
  if (signals > 0) {
    for (let k = 1; k <= steepJumps && k * jump < topLevel; k++) {
      for (const at of nodesAboveJump) levels.push(Math.min(topLevel, k * jump + (at * drift) / signals));
    }
  }
  levels.sort((a, b) => a - b);
  return Float64Array.from(levels.filter((level, k) => k === 0 || level > levels[k - 1] * (1 + 1e-9)));
}

/** The position of the interval between two values that holds the target: 0 to length − 2. */
function positionBelow(values: Float64Array, target: number): number {
  let low = 0;
  let high = values.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= target) low = middle;
    else high = middle;
  }
  return low;
}

/** The cubic through two values and slopes, at a share of the step between them. */
function hermite(from: number, to: number, fromSlope: number, toSlope: number, share: number): number {
  const rise = to - from;
  const rest = 1 - share;
  return from + share * rise + share * rest * (rest * (fromSlope - rise) - share * (toSlope - rise));
}

/** The share of a step at which the cubic reaches a value, by Newton's method with bisection as a safeguard. */
function shareAt(target: number, rise: number, bend: number, turn: number): number {
  let low = 0;
  let high = 1;
  let share = rise > 0 ? target / rise : 0;
  for (let round = 0; round < 40; round++) {
    const rest = 1 - share;
    const error = share * rise + share * rest * (rest * bend - share * turn) - target;
    if (Math.abs(error) < 1e-13) break;
    if (error > 0) high = share;
    else low = share;
    const slope = rise + (rest - share) * (rest * bend - share * turn) - share * rest * (bend + turn);
    const next = share - error / slope;
    share = next > low && next < high ? next : 0.5 * (low + high);
  }
  return share;
}
