import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { occupancyOf } from '../../src/console/pictures/cells/occupancy.ts';
import { activationPolicy } from '../../src/index.ts';

describe('where the console says the system spends its time', () => {
  it('agrees with the measures of activation-policy, which are computed in another way', () => {
    fc.assert(
      fc.property(
        fc.record({
          crawlerRate: fc.double({ min: 0.02, max: 0.5, noNaN: true }),
          capacity: fc.integer({ min: 1, max: 12 }),
          starvationWeight: fc.double({ min: 0.05, max: 5, noNaN: true }),
          crawlers: fc.integer({ min: 2, max: 30 }),
        }),
        ({ crawlerRate, capacity, starvationWeight, crawlers }) => {
          const request = { capacity, crawlerRate, service: 1, costs: { starvation: starvationWeight }, crawlers };
          const { solution } = activationPolicy(request);
          if (solution === undefined) throw new Error('no solution');
          const { min, max, mean } = solution.activeCrawlers;
          const switched = {
            crawlerRate,
            indexingRate: 1,
            targets: solution.targets,
            crawlers,
            fewest: min,
            most: max,
          };
          const law = occupancyOf(switched);
          if (law === null) throw new Error('not found');
          let [total, active, empty, queue] = [0, 0, 0, 0];
          law.rows.forEach((row, i) => {
            row.forEach((share, q) => {
              total += share;
              active += share * (law.from + i);
              queue += share * q;
              if (q === 0) empty += share;
            });
          });
          expect(total).toBeCloseTo(1, 9);
          expect(active).toBeCloseTo(mean, 9);
          expect(empty).toBeCloseTo(solution.starvationProbability, 10);
          expect(queue).toBeCloseTo(solution.meanQueueLength, 9);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is left out where there would be too many states to solve in a browser', () => {
    const targets = new Array(1001).fill(1000);
    expect(
      occupancyOf({ crawlerRate: 0.01, indexingRate: 1, targets, crawlers: 1000, fewest: 1, most: 1000 }),
    ).toBeNull();
  });
});
