/**
 * Transient behaviour of an absorbing Markov chain in continuous time, for any t ≥ 0, stiff or not, from positive terms
 * only. It gives row vectors x·e^(Tt) and the integrals of their mass.
 *
 * Symbols: T sub-generator (n×n), split into `offDiagonal` (rates ≥ 0) and `exit` (absorption rates ≥ 0); θ the
 * largest total rate; h a power of two ≤ 1/θ. M_k = e^(T·h·2^k), l_k = 1 − M_k·1 (absorbed by then), A_k = ∫₀ e^(Tu)1
 * du and B_k = ∫₀ u·e^(Tu)1 du up to h·2^k.
 *
 * Method: level 0 comes by uniformisation (θh ≤ 1: at most 24 terms). Then M_{k+1} = M_k², l_{k+1} = l_k + M_k·l_k,
 * A_{k+1} = A_k + M_k·A_k, B_{k+1} = B_k + M_k·(B_k + h2^k·A_k), each row scaled so that M·1 + l = 1, which keeps a
 * slow absorption exact through any number of fast steps. A time t is the sum of its binary digits in units of h and a
 * rest below h. The sum is exact, as h is a power of two. Uniformisation of a vector takes the rest.
 *
 * Complexity: O(n³) a level, made when first needed, at most log₂(t/h) + 1 of them and none once everything is
 * absorbed; then O(n²) for each binary digit. Source: uniformisation, A. Jensen (1953); scaling and squaring with the
 * row-sum correction follows Grassmann, Taksar and Heyman (1985).
 */

/** Terms of the series of uniformisation at most: 24 are enough where θh ≤ 1. */
const seriesTerms = 40;

interface Level {
  readonly time: number;
  readonly transition: Float64Array;
  readonly absorption: Float64Array;
  readonly area: Float64Array;
  readonly moment: Float64Array;
}

interface AbsorbingChain {
  /**
   * The mass of `start` (n entries ≥ 0) after t, and its integrals up to t: `mass` = start·e^(Tt),
   * `area` = ∫₀ᵗ start·e^(Tu)1 du, `moment` = ∫₀ᵗ u·start·e^(Tu)1 du. t finite.
   */
  run(start: Float64Array, t: number): { mass: Float64Array; area: number; moment: number };
}

/** The embedded chain at the events of a Poisson process of rate θ. */
interface UniformisedChain {
  readonly n: number;
  readonly theta: number;
  /** The power of two below 1/θ: the time of the first level. */
  readonly h: number;
  /** Transition probabilities among the states, row-major. */
  readonly step: Float64Array;
  /** Probability of absorption in one step, by state. */
  readonly exitStep: Float64Array;
}

function uniformise(offDiagonal: Float64Array, exit: Float64Array): UniformisedChain {
  const n = exit.length;
  const total = Float64Array.from(exit);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (j !== i) total[i] += offDiagonal[i * n + j];
  const theta = total.reduce((a, b) => Math.max(a, b), 0);
  const step = new Float64Array(n * n);
  const exitStep = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) step[i * n + j] = j === i ? (theta - total[i]) / theta : offDiagonal[i * n + j] / theta;
    exitStep[i] = exit[i] / theta;
  }
  return { n, theta, h: 2 ** Math.floor(-Math.log2(theta)), step, exitStep };
}

/** The level of time h, by the series of uniformisation. */
function firstLevel({ n, theta, h, step, exitStep }: UniformisedChain): Level {
  const { probability, tail } = poissonWeights(theta * h);
  const transition = new Float64Array(n * n);
  const absorption = new Float64Array(n);
  const area = new Float64Array(n);
  const moment = new Float64Array(n);
  let power: Float64Array = new Float64Array(n * n);
  for (let i = 0; i < n; i++) power[i * n + i] = 1;
  let aliveShare: Float64Array = new Float64Array(n).fill(1);
  let absorbedShare: Float64Array = new Float64Array(n);
  for (let k = 0; k < seriesTerms && (k === 0 || tail[k - 1] > 0); k++) {
    for (let i = 0; i < n * n; i++) transition[i] += probability[k] * power[i];
    for (let i = 0; i < n; i++) {
      absorption[i] += probability[k] * absorbedShare[i];
      area[i] += (tail[k] / theta) * aliveShare[i];
      moment[i] += ((tail[k + 1] * (k + 1)) / theta / theta) * aliveShare[i];
    }
    power = multiply(power, step, n);
    aliveShare = multiplyColumn(step, aliveShare, n);
    absorbedShare = multiplyColumn(step, absorbedShare, n);
    for (let i = 0; i < n; i++) absorbedShare[i] += exitStep[i];
  }
  return normaliseRows({ time: h, transition, absorption, area, moment }, n);
}

/** The level of twice the time of a level, by squaring its transition matrix. */
function nextLevel({ time, transition, absorption, area, moment }: Level, n: number): Level {
  const shiftedMoment = moment.map((value, i) => value + time * area[i]);
  return normaliseRows(
    {
      time: 2 * time,
      transition: multiply(transition, transition, n),
      absorption: add(absorption, multiplyColumn(transition, absorption, n)),
      area: add(area, multiplyColumn(transition, area, n)),
      moment: add(moment, multiplyColumn(transition, shiftedMoment, n)),
    },
    n,
  );
}

/**
 * Runs the chain for a time r < h from x, by uniformisation. Adds to the integrals, whose time is counted from
 * `elapsed`.
 */
function shortRun(
  { n, theta, step }: UniformisedChain,
  x: Float64Array,
  r: number,
  elapsed: number,
): { mass: Float64Array; area: number; moment: number } {
  const { probability, tail } = poissonWeights(theta * r);
  const mass = new Float64Array(n);
  let area = 0;
  let moment = 0;
  let row = x;
  for (let k = 0; k < seriesTerms && (k === 0 || tail[k - 1] > 0); k++) {
    let alive = 0;
    for (let i = 0; i < n; i++) {
      mass[i] += probability[k] * row[i];
      alive += row[i];
    }
    area += (tail[k] / theta) * alive;
    moment += ((tail[k + 1] * (k + 1)) / theta / theta) * alive;
    row = multiplyRow(row, step, n);
  }
  return { mass, area, moment: moment + elapsed * area };
}

/**
 * Transient behaviour of the absorbing chain with these rates.
 *
 * @param offDiagonal row-major n×n, the diagonal ignored
 * @param exit n absorption rates
 */
export function absorbingChain(offDiagonal: Float64Array, exit: Float64Array): AbsorbingChain {
  const chain = uniformise(offDiagonal, exit);
  const { n, h } = chain;
  const levels: Level[] = [];
  const buildLevels = (t: number): void => {
    if (t < h) return;
    if (levels.length === 0) levels.push(firstLevel(chain));
    while (2 * levels[levels.length - 1].time <= t && levels[levels.length - 1].transition.some((p) => p > 0))
      levels.push(nextLevel(levels[levels.length - 1], n));
  };
  return {
    run(start, t) {
      let mass = start;
      let area = 0;
      let moment = 0;
      let elapsed = 0;
      let remainingTime = t;
      if (t >= h) {
        buildLevels(t);
        for (let k = levels.length - 1; k >= 0 && remainingTime > 0; k--) {
          const level = levels[k];
          if (remainingTime < level.time) continue;
          const levelArea = dot(mass, level.area);
          area += levelArea;
          moment += dot(mass, level.moment) + elapsed * levelArea;
          mass = multiplyRow(mass, level.transition, n);
          remainingTime -= level.time;
          elapsed += level.time;
          // past the last level everything is absorbed
          if (remainingTime >= level.time) return { mass: new Float64Array(n), area, moment };
        }
      }
      const last = shortRun(chain, mass, remainingTime, elapsed);
      return { mass: last.mass, area: area + last.area, moment: moment + last.moment };
    },
  };
}

/**
 * Poisson probabilities P(N = k) and P(N > k) for a mean ≤ 1, k < `seriesTerms`; tails summed from the smallest term.
 */
function poissonWeights(mean: number): { probability: Float64Array; tail: Float64Array } {
  const probability = new Float64Array(seriesTerms + 2);
  probability[0] = Math.exp(-mean);
  for (let k = 1; k < probability.length; k++) probability[k] = (probability[k - 1] * mean) / k;
  const tail = new Float64Array(seriesTerms + 2);
  for (let k = seriesTerms; k >= 0; k--) tail[k] = tail[k + 1] + probability[k + 1];
  return { probability, tail };
}

/** Scales each row so that the masses of the states and the absorbed mass sum to 1. */
function normaliseRows(level: Level, n: number): Level {
  const { transition, absorption } = level;
  for (let i = 0; i < n; i++) {
    let sum = absorption[i];
    for (let j = 0; j < n; j++) sum += transition[i * n + j];
    absorption[i] /= sum;
    for (let j = 0; j < n; j++) transition[i * n + j] /= sum;
  }
  return level;
}

function multiply(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      const factor = a[i * n + k];
      if (factor === 0) continue;
      for (let j = 0; j < n; j++) c[i * n + j] += factor * b[k * n + j];
    }
  }
  return c;
}

function multiplyColumn(matrix: Float64Array, x: Float64Array, n: number): Float64Array {
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) y[i] += matrix[i * n + j] * x[j];
  return y;
}

function multiplyRow(x: Float64Array, matrix: Float64Array, n: number): Float64Array {
  const y = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    if (x[i] === 0) continue;
    for (let j = 0; j < n; j++) y[j] += x[i] * matrix[i * n + j];
  }
  return y;
}

function add(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => value + b[i]);
}

/** Σ a_i·b_i. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
