import { describe, expect, it } from 'vitest';
import rhythmAnswer from '../../examples/crawl-plan-rhythm.answer.json' with { type: 'json' };
import siblingsAnswer from '../../examples/crawl-plan-siblings.answer.json' with { type: 'json' };
import { burstBars, rhythmPoints, strengthBars } from '../../src/console/pictures/learnt-points.ts';

describe('pictures of what a plan learnt from its log', () => {
  it('have the course of a day with its intervals, whose mean is 1', () => {
    const points = rhythmPoints(rhythmAnswer.rhythm);
    expect(points.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, h) => h + 0.5));
    expect(points.reduce((sum, { rate }) => sum + rate / 24, 0)).toBeCloseTo(1, 6);
    for (const { rate, low, high, urgency } of points) {
      expect(low).toBeLessThan(rate);
      expect(high).toBeGreaterThan(rate);
      expect(urgency).toBeGreaterThan(0);
    }
    // office hours: more changes in the afternoon than at night
    expect(points[14].rate).toBeGreaterThan(points[2].rate);
  });

  it('have a bar for each group, as many as are asked for, with its interval', () => {
    const bars = strengthBars(siblingsAnswer.groups, 30);
    expect(bars.map(({ label, value }) => [label, value])).toEqual(
      siblingsAnswer.groups.list.map(({ group, strength }) => [group, strength]),
    );
    expect(bars[0].text).toMatch(/^[\d.]+% \([\d.]+% to [\d.]+%\)$/);
    expect(strengthBars(siblingsAnswer.groups, 1)).toHaveLength(1);
  });

  it('have a quiet and a busy rate of bursts, whose mean over time is 1', () => {
    const [quiet, busy] = burstBars({ busyShare: 0.1, ratio: 40, length: 86_400 });
    expect(busy.value / quiet.value).toBeCloseTo(40, 12);
    expect(0.9 * quiet.value + 0.1 * busy.value).toBeCloseTo(1, 12);
    expect([quiet.label, busy.label]).toEqual(['quiet, 90% of the time', 'in a burst, 10% of the time']);
  });
});
