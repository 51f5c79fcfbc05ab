/**
 * What the prior may get wrong of all pages' rates together, and what that does to the crawls that a target needs.
 *
 * Beliefs go back to a gamma prior of shape ½: where checks say little, its tail decides. Other populations are tried in
 * its place (pages/evidence/populations.ts), on sampled pages. Each may leave as much as the plan leaves by the prior.
 */
import type { Budget } from '../../budget.ts';
import type { CheckHistory } from '../../estimation/changes/check-history.ts';
import { gammaOnGrid } from '../../estimation/changes/gamma-prior.ts';
import { likelihoodsOnGrid } from '../../estimation/changes/likelihood-table.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import { mostCounted, neededByPopulations, type Response } from '../../pages/evidence/index.ts';
import type { PageResponses } from './page-responses.ts';

const grid = { step: 0.4, points: 80 };
/** Rates of a page beside its likeliest. */
const unlikely = 1e-9;
/** What the price is multiplied by: prices half an octave apart. */
const multiples = Array.from({ length: 13 }, (_, k) => 2 ** (k / 2 - 3));

interface Population {
  readonly history: CheckHistory;
  readonly prior: { readonly shape: number; readonly scale: number };
  /** Positions of the pages that count, and their rates; null where it is believed. */
  readonly pages: readonly number[];
  readonly rate: (i: number) => number | null;
  readonly responses: PageResponses;
}

/** ln of the crawls needed over those found: its mean, and half the width of its 95% interval; null when time is up. */
export function movedByPopulations(
  { history, prior, pages, rate, responses }: Population,
  budget: Budget,
): { readonly middle: number; readonly half: number } | null {
  const stride = Math.max(1, pages.length / mostCounted);
  const sample = Array.from({ length: Math.ceil(pages.length / stride) }, (_, s) => pages[Math.floor(s * stride)]);
  const table = likelihoodsOnGrid(history, sample, grid, budget);
  if (table === null) return null;
  const { thetas, values } = table;
  const size = thetas.length;
  if (size < 2) return { middle: 0, half: 0 };
  const known = sample.map(rate);
  const group = Uint32Array.from(sample, (i) => responses.group(i));
  const limit = new Float64Array(responses.groups);
  const gamma = new Float64Array(size);
  gammaOnGrid(prior.shape, prior.scale, thetas, gamma);
  let taken = 0;
  const into: Response = { left: 0, crawls: 0 };
  const planned = sample.map((i, row) => {
    let [mass, left] = [0, 0];
    for (let g = 0; g < (known[row] === null ? size : 1); g++) {
      const likely = known[row] === null ? gamma[g] * values[row * size + g] : 1;
      if (!(likely > gamma[g] * unlikely)) continue;
      mass += likely;
      left += likely * responses.plannedInto(i, known[row] ?? Math.exp(thetas[g]), into).left;
    }
    const { crawls } = responses.plannedInto(i, known[row] ?? 1, into);
    limit[group[row]] += left / mass || 0;
    taken += crawls;
    return (left / mass || 0) + crawls;
  });
  const needed = neededByPopulations(
    {
      thetas,
      values,
      pages: new Float64Array(sample.length).fill(1),
      known,
      group,
      limit,
      multiples,
      respond: (row, tried, multiple, written) => responses.bestInto(sample[row], tried, multiple, written),
    },
    budget,
  );
  if (needed === null) return null;
  // the pages that are not in the sample differ from those that are
  const unseen = 1 - sample.length / pages.length;
  const error = (deviationOf(planned.map((each, row) => needed.mean[row] - each)) * Math.sqrt(sample.length)) / taken;
  const variance = needed.variance + (unseen > 0 ? unseen * error ** 2 : 0);
  return { middle: needed.middle - Math.log(taken), half: normal95 * Math.sqrt(variance) };
}

const deviationOf = (values: readonly number[]): number => {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  return Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1));
};
