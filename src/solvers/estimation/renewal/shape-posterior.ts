/**
 * What checks leave of a shape: its likeliest value and a 95% interval, from the whole curve of its likelihood.
 *
 * The likelihood over the search's coordinate x is laid on a grid that holds its mass (mass-grid.ts), the range of the
 * family being the line. It is multiplied by the family's prior, and joined by cubics of the logarithm. The interval
 * leaves out 2.5% of the mass on either side. No curve is taken for a parabola. Those of Lomax laws level off towards
 * the exponential law, and those of a period with jitter fall off a cliff. An end of the range stays possible if its
 * likelihood is not below the highest by a factor e^(−1.96²/2). The interval then goes as far as that end. Complexity:
 * some fifteen to twenty-five marginal likelihoods. Source: Gelman et al. 2013, section 2.3 (quantiles).
 */
import { type MassGrid, massGrid } from '../../numerics/quadrature/mass-grid.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import type { LawFamily } from './law-families.ts';

const coarseSteps = 8;
const inCore = 5;
const tail = 0.025;
/** Of the logarithm, below the highest: an end of the range with less is not ruled out. */
const ruledOut = 0.5 * normal95 ** 2;
/** Of a step of the grid, for sums; and how far below the highest logarithm cubics still run. */
const parts = 32;
const deepest = 40;

interface ShapePosterior {
  readonly x: number;
  readonly logLikelihood: number;
  /** Of x; null where neither end of the range is ruled out: then nothing is known. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** Of the family's shape, x having this likelihood. */
export function shapePosterior(family: LawFamily, logLikelihood: (x: number) => number): ShapePosterior {
  const { lowest, highest } = family;
  const step = (highest - lowest) / coarseSteps;
  // from near the exponential law outwards, so that what is kept of one shape serves the next
  const mostBelow = Math.max(0, Math.min(coarseSteps, Math.round(-lowest / step)));
  const at = lowest + mostBelow * step;
  const grid = massGrid(logLikelihood, { at, step, inCore, mostBelow, mostAbove: coarseSteps - mostBelow });
  const x = Math.max(lowest, Math.min(highest, likeliest(grid)));
  return { x, logLikelihood: logLikelihood(x), interval: interval(grid, family) };
}

/** The vertex of the parabola through the highest point and its neighbours. */
function likeliest({ first, step, logDensity }: MassGrid): number {
  const k = logDensity.indexOf(Math.max(...logDensity));
  const here = first + k * step;
  if (k === 0 || k === logDensity.length - 1) return here;
  const below = logDensity[k] - logDensity[k - 1];
  const above = logDensity[k] - logDensity[k + 1];
  return below + above > 0 ? here + (0.5 * step * (below - above)) / (below + above) : here;
}

function interval(grid: MassGrid, { lowest, highest, logPrior }: LawFamily): ShapePosterior['interval'] {
  const { first, step, logDensity } = grid;
  const last = logDensity.length - 1;
  const top = Math.max(...logDensity);
  const isOpen = (k: number, end: number): boolean =>
    Math.abs(first + k * step - end) < 0.5 * step && logDensity[k] > top - ruledOut;
  const [openBelow, openAbove] = [isOpen(0, lowest), isOpen(last, highest)];
  if (openBelow && openAbove) return null;
  const mass = massByPart(logDensity.map((value, k) => Math.max(-deepest, value - top) + logPrior(first + k * step)));
  const total = mass.reduce((sum, each) => sum + each, 0);
  const quantile = (share: number): number => {
    let sum = 0;
    let k = 0;
    while (k < mass.length - 1 && sum + mass[k] < share * total) sum += mass[k++];
    return first + ((k + (share * total - sum) / mass[k]) * step) / parts;
  };
  return [openBelow ? lowest : quantile(tail), openAbove ? highest : quantile(1 - tail)];
}

/** The mass in each part of every step, cubics through four points joining the logarithms. */
function massByPart(logDensity: readonly number[]): Float64Array {
  const last = logDensity.length - 1;
  const at = (k: number): number => {
    if (k < 0) return 2 * logDensity[0] - logDensity[1];
    return k > last ? 2 * logDensity[last] - logDensity[last - 1] : logDensity[k];
  };
  return Float64Array.from({ length: last * parts }, (_, part) => {
    const k = Math.floor(part / parts);
    const u = ((part % parts) + 0.5) / parts;
    const [a, b, c, d] = [at(k - 1), at(k), at(k + 1), at(k + 2)];
    return Math.exp(b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a))));
  });
}
