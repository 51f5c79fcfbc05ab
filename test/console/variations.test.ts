import { describe, expect, it } from 'vitest';
import figure12 from '../../examples/crawler-count-figure-1.2.answer.json' with { type: 'json' };
import figure13 from '../../examples/crawler-count-figure-1.3.answer.json' with { type: 'json' };
import figure14 from '../../examples/crawler-count-figure-1.4.answer.json' with { type: 'json' };
import thresholdFigure1 from '../../examples/threshold-policy-figure-1.answer.json' with { type: 'json' };
import thresholdFigure2 from '../../examples/threshold-policy-figure-2.answer.json' with { type: 'json' };
import thresholdFigure3 from '../../examples/threshold-policy-figure-3.answer.json' with { type: 'json' };
import thresholdFigure4 from '../../examples/threshold-policy-figure-4.answer.json' with { type: 'json' };
import phasesAnswer from '../../examples/threshold-policy-phases.answer.json' with { type: 'json' };
import { number } from '../../src/console/api/read.ts';
import { stateCells } from '../../src/console/pictures/cells/phase-points.ts';
import { sweepPoints } from '../../src/console/pictures/curves/variation-points.ts';

describe('pictures of what stands beside an answer', () => {
  it('have the points of a sweep in the order of its parameter, without the values that time left out', () => {
    const answer = { sweep: [{ value: 3, cost: 5 }, { value: 1, cost: 7 }, { value: 2 }] };
    expect(sweepPoints(answer, (row) => Number(Reflect.get(Object(row), 'cost')))).toEqual([
      { value: 1, y: 7 },
      { value: 3, y: 5 },
    ]);
  });

  it.each([
    [1, thresholdFigure1, 2, 63.5],
    [2, thresholdFigure2, 2, 77.4],
    [3, thresholdFigure3, 1, 90.8],
    [4, thresholdFigure4, 1, 91],
  ])('have the points of Figure %i of Avrachenkov et al.', (_, answer, threshold, cost) => {
    const points = sweepPoints(answer, (row) => number(row, 'objective', 'value'));
    expect(points.map(({ value }) => value)).toEqual([-1, 0, 1, 2, 3, 4, 5]);
    const least = points.reduce((best, point) => (point.y < best.y ? point : best));
    expect(least).toEqual({ value: threshold, y: expect.closeTo(cost, 1) });
  });

  it('have the points of Figures 1.2 to 1.4 of Liu & Nain', () => {
    const rising = sweepPoints(figure13, (row) => number(row, 'solution', 'continuous', 'offeredLoad'));
    expect(rising.every(({ y }, i) => y < 1 && (i === 0 || y > rising[i - 1].y))).toBe(true);
    const counts = sweepPoints(figure12, (row) => number(row, 'solution', 'crawlers')).map(({ y }) => y);
    expect(counts).toHaveLength(26);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(new Set(counts).size).toBeGreaterThan(2);
    const loads = sweepPoints(figure14, (row) => number(row, 'solution', 'continuous', 'offeredLoad'));
    // The load rises to a top near K = 2μ/(γ − μ) = 2 and falls towards 1 (Proposition 3b, corrected).
    const top = loads.reduce((best, point) => (point.y > best.y ? point : best));
    expect(top.value).toBeLessThan(10);
    expect(loads.at(-1)?.y).toBeLessThan(1.05);
    expect(loads.every(({ y }) => y >= 1)).toBe(true);
  });

  it('have the cells of a table by phases', () => {
    const { phases, table } = phasesAnswer.solution.crawlersByState;
    const { names, cells } = stateCells(phases, table);
    expect(names).toEqual(['0, 0', '0, 1', '1, 0', '1, 1']);
    expect(cells).toHaveLength(table.length * phases.length);
    expect(cells.find(({ queue, phases: where }) => queue === 2 && where === '1, 0')?.count).toBe(3);
  });
});
