/**
 * Embarrassment weights from a log of clicks: against logs that were drawn, and against the formula at the estimates.
 */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  type ClickLogProblem,
  solveClickLog,
  solveEmbarrassmentWeights,
} from '../../../src/solvers/estimation/index.ts';
import { type Random, seededRandom } from '../../../src/solvers/numerics/random/random.ts';

const pages = 25;
const positions = 4;
const resultPages = 2;
const cells = positions * resultPages;

interface Truth {
  readonly clicked: Float64Array;
  /** Chance of each page to stand at each cell, [cell·pages + page]. */
  readonly stands: Float64Array;
  readonly wrong: Float64Array;
}

function draw(random: Random): Truth {
  const stands = new Float64Array(cells * pages);
  for (let cell = 0; cell < cells; cell++) {
    const own = Float64Array.from({ length: pages }, () => random() ** 4);
    const sum = own.reduce((a, b) => a + b, 0);
    for (let i = 0; i < pages; i++) stands[cell * pages + i] = own[i] / sum;
  }
  return {
    clicked: Float64Array.from({ length: cells }, (_, cell) => 0.4 / (cell + 1)),
    stands,
    // the smallest of two: a beta law of 1 and 2
    wrong: Float64Array.from({ length: pages }, () => Math.min(random(), random())),
  };
}

/** A log of queries, a line a click. */
function logged({ clicked, stands, wrong }: Truth, queries: number, random: Random): ClickLogProblem {
  const lines: { page: number; cell: number; stale: number; wrong: number }[] = [];
  for (let q = 0; q < queries; q++) {
    for (let cell = 0; cell < cells; cell++) {
      if (random() >= clicked[cell]) continue;
      let page = 0;
      for (let left = random() - stands[cell * pages]; left > 0 && page < pages - 1; page++)
        left -= stands[cell * pages + page + 1];
      const stale = random() < 0.5 ? 1 : 0;
      lines.push({ page, cell, stale, wrong: stale === 1 && random() < wrong[page] ? 1 : 0 });
    }
  }
  return {
    page: Int32Array.from(lines, (line) => line.page),
    position: Int32Array.from(lines, (line) => Math.floor(line.cell / resultPages)),
    resultPage: Int32Array.from(lines, (line) => line.cell % resultPages),
    clicks: new Float64Array(lines.length).fill(1),
    stale: Float64Array.from(lines, (line) => line.stale),
    wrong: Float64Array.from(lines, (line) => line.wrong),
    ids: Array.from({ length: pages }, (_, i) => `page ${i}`),
    positions,
    resultPages,
    queries,
    confidence: 0.9,
  };
}

describe('a log of clicks', () => {
  it('has intervals that hold what it was drawn from as often as they say', () => {
    const random = seededRandom(41);
    const held = { weight: [0, 0], click: [0, 0], impression: [0, 0], error: [0, 0] };
    const count = (of: number[], [low, high]: readonly [number, number], value: number): void => {
      of[0] += low <= value && value <= high ? 1 : 0;
      of[1]++;
    };
    for (let round = 0; round < 40; round++) {
      const truth = draw(random);
      const { clicks, pages: told } = solveClickLog(logged(truth, 400, random), unlimitedBudget()).solution;
      for (let i = 0; i < pages; i++) {
        let chance = 0;
        for (let cell = 0; cell < cells; cell++) chance += truth.clicked[cell] * truth.stands[cell * pages + i];
        count(held.weight, told[i].weightInterval, chance * truth.wrong[i]);
        count(held.error, told[i].errorInterval, truth.wrong[i]);
        for (const { position, resultPage, interval } of told[i].impressions)
          count(held.impression, interval, truth.stands[((position - 1) * resultPages + resultPage - 1) * pages + i]);
      }
      for (let cell = 0; cell < cells; cell++) {
        const { interval } = clicks[Math.floor(cell / resultPages)][cell % resultPages];
        count(held.click, interval, truth.clicked[cell]);
      }
    }
    const share = ([inside, all]: number[]): number => inside / all;
    for (const counts of [held.weight, held.click, held.error]) {
      expect(share(counts)).toBeGreaterThan(0.86);
      expect(share(counts)).toBeLessThan(0.95);
    }
    // only where a page was clicked is its chance told, which are the luckier cells of rare pages
    expect(share(held.impression)).toBeGreaterThan(0.8);
  });

  it('gives the weights of equation (8) at its own c, b and d', () => {
    const random = seededRandom(42);
    const answer = solveClickLog(logged(draw(random), 500, random), unlimitedBudget()).solution;
    const { weights } = solveEmbarrassmentWeights(
      {
        clicks: answer.clicks.map((row) => row.map(({ probability }) => probability)),
        impressions: answer.pages.map(({ impressions: own }) => {
          const matrix = Array.from({ length: positions }, () => new Array<number>(resultPages).fill(0));
          for (const { position, resultPage, probability } of own) matrix[position - 1][resultPage - 1] = probability;
          return matrix;
        }),
        errorProbability: Float64Array.from(answer.pages, ({ errorProbability: chance }) => chance),
      },
      unlimitedBudget(),
    ).solution;
    for (const [i, weight] of answer.weights.entries()) expect(weight).toBeCloseTo(weights[i], 12);
  });

  it('leans on all pages where a page was never seen stale, and narrows with the log', () => {
    const random = seededRandom(43);
    const truth = draw(random);
    const widths = [100, 2000].map((queries) => {
      const { solution } = solveClickLog(logged(truth, queries, random), unlimitedBudget());
      return solution.pages.reduce((sum, { weightInterval: [low, high] }) => sum + high - low, 0);
    });
    expect(widths[1]).toBeLessThan(0.5 * widths[0]);
    const unseen = { ...logged(truth, 300, random), stale: new Float64Array(0), wrong: new Float64Array(0) };
    const lines = unseen.page.length;
    const { solution } = solveClickLog(
      { ...unseen, stale: new Float64Array(lines), wrong: new Float64Array(lines) },
      unlimitedBudget(),
    );
    for (const { errorProbability: probability, errorInterval: interval } of solution.pages) {
      expect(probability).toBe(0.5);
      expect(interval[0]).toBeLessThan(0.06);
      expect(interval[1]).toBeGreaterThan(0.94);
    }
  });
});
