import { describe, expect, it } from 'vitest';
import burstsAnswer from '../../examples/activation-policy-bursts.answer.json' with { type: 'json' };
import activationLimitsAnswer from '../../examples/activation-policy-limits.answer.json' with { type: 'json' };
import activationPhasesAnswer from '../../examples/activation-policy-phases.answer.json' with { type: 'json' };
import figure12 from '../../examples/crawler-count-figure-1.2.answer.json' with { type: 'json' };
import figure13 from '../../examples/crawler-count-figure-1.3.answer.json' with { type: 'json' };
import figure14 from '../../examples/crawler-count-figure-1.4.answer.json' with { type: 'json' };
import countLimitsAnswer from '../../examples/crawler-count-limits.answer.json' with { type: 'json' };
import countLimits from '../../examples/crawler-count-limits.json' with { type: 'json' };
import thresholdFigure1 from '../../examples/threshold-policy-figure-1.answer.json' with { type: 'json' };
import thresholdFigure2 from '../../examples/threshold-policy-figure-2.answer.json' with { type: 'json' };
import thresholdFigure3 from '../../examples/threshold-policy-figure-3.answer.json' with { type: 'json' };
import thresholdFigure4 from '../../examples/threshold-policy-figure-4.answer.json' with { type: 'json' };
import filterAnswer from '../../examples/threshold-policy-filter.answer.json' with { type: 'json' };
import phasesAnswer from '../../examples/threshold-policy-phases.answer.json' with { type: 'json' };
import phasesLimitsAnswer from '../../examples/threshold-policy-phases-limits.answer.json' with { type: 'json' };
import { number } from '../../src/console/api/read.ts';
import { activatingShares } from '../../src/console/pictures/cells/activating-shares.ts';
import {
  actedCosts,
  differingCells,
  drawnCells,
  drawnDecision,
  mixtureParts,
  stateCells,
} from '../../src/console/pictures/cells/phase-points.ts';
import { frontPoints, sweepPoints } from '../../src/console/pictures/curves/variation-points.ts';

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

  it('have the points of a front, and the cells of a table by phases', () => {
    const { first, second, points } = frontPoints(countLimits, countLimitsAnswer);
    expect([first, second]).toEqual(['loss', 'starvation']);
    expect(points).toHaveLength(countLimitsAnswer.front.length);
    for (let i = 1; i < points.length; i++) {
      expect(points[i].x).toBeGreaterThan(points[i - 1].x);
      expect(points[i].y).toBeLessThan(points[i - 1].y);
    }
    const { phases, table } = phasesAnswer.solution.crawlersByState;
    const { names, cells } = stateCells(phases, table);
    expect(names).toEqual(['0, 0', '0, 1', '1, 0', '1, 1']);
    expect(cells).toHaveLength(table.length * phases.length);
    expect(cells.find(({ queue, phases: where }) => queue === 2 && where === '1, 0')?.count).toBe(3);
  });

  it('outline the state that is left to chance, and say how tables share the time', () => {
    const { phases, table } = phasesLimitsAnswer.solution.crawlersByState;
    const { cells } = stateCells(phases, table);
    const { drawnState, mixture } = phasesLimitsAnswer;
    expect(drawnCells(phasesLimitsAnswer, cells)).toEqual([
      {
        queue: drawnState.queueLength,
        phases: drawnState.phases.join(', '),
        count: 3,
        said: '1 active with probability 33.9%, else 3',
      },
    ]);
    // In an empty system one arrival phase stands for all phases of indexing.
    const empty = { drawnState: { ...drawnState, queueLength: 0 } };
    expect(drawnCells(empty, cells).map((cell) => cell.phases)).toEqual(['1, 0', '1, 1']);
    expect(drawnCells(phasesAnswer, cells)).toEqual([]);
    const other = stateCells(phases, mixture[1].table).cells;
    expect(differingCells(other, cells)).toEqual([{ queue: 1, phases: '1, 0', count: 1 }]);
    const parts = mixtureParts(phasesLimitsAnswer);
    expect(parts.map(({ share }) => share)).toEqual(mixture.map(({ share }) => share));
    const cost = parts.reduce((sum, part) => sum + part.share * part.cost, 0);
    expect(Math.abs(cost / phasesLimitsAnswer.objective.value - 1)).toBeLessThan(0.05);
    expect(mixtureParts(phasesAnswer)).toEqual([]);
    const { mixedDecision } = activationLimitsAnswer;
    const [{ x1, x2, y1, y2, said }] = drawnDecision(activationLimitsAnswer);
    expect([(x1 + x2) / 2, (y1 + y2) / 2]).toEqual([mixedDecision.queueLength, mixedDecision.activeCrawlers]);
    expect(said).toContain('6.19%');
    expect(drawnDecision(activationPhasesAnswer)).toEqual([]);
  });

  it('set what a belief costs between the queue’s length alone and the phases seen', () => {
    const rows = actedCosts(filterAnswer);
    expect(rows.map(({ name }) => name)).toEqual([
      'queue length alone',
      'belief: likeliest phases',
      'belief: expected cost',
      'phases seen',
    ]);
    const [alone, likeliest, , seen] = rows;
    expect([alone.mean, seen.mean]).toEqual([filterAnswer.byQueueLength.cost, filterAnswer.objective.value]);
    expect(likeliest.survives).toBeCloseTo((alone.mean - likeliest.mean) / (alone.mean - seen.mean), 12);
    expect(likeliest.low).toBeLessThan(likeliest.mean);
    expect(actedCosts(phasesAnswer)).toEqual([]);
    // Where time ended before the simulation there is no row.
    const unplayed = { filter: { acting: [{ on: 'expected', cost: null, survives: null }] }, objective: { value: 2 } };
    expect(actedCosts(unplayed).map(({ mean }) => mean)).toEqual([2]);
  });

  it('say in what share of the phases an activation policy activates, from either of its tables', () => {
    const { crawlers, targetsByState } = activationPhasesAnswer.solution;
    const shares = activatingShares(activationPhasesAnswer.solution);
    expect(shares).toHaveLength(crawlers * targetsByState.table.length);
    const at = (queue: number, active: number): number =>
      shares.find((cell) => cell.queue === queue && cell.active === active)?.share ?? Number.NaN;
    const [slow, fast] = targetsByState.table[10];
    expect(fast).toBeGreaterThan(slow);
    expect([at(10, slow - 1), at(10, slow), at(10, fast)]).toEqual([1, 0.5, 0]);
    const decisions = {
      active: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      table: [
        ['111', '110'],
        ['100', '000'],
      ],
    };
    expect(activatingShares({ crawlers: 2, decisionsByState: decisions })).toEqual([
      { queue: 0, active: 0, share: 1 },
      { queue: 0, active: 1, share: 0.75 },
      { queue: 1, active: 0, share: 0.5 },
      { queue: 1, active: 1, share: 0 },
    ]);
    expect(activatingShares(burstsAnswer.solution)).toEqual([]);
  });
});
