import { describe, expect, it } from 'vitest';
import { holdsMass, massGrid, massOf } from '../../../src/solvers/numerics/quadrature/mass-grid.ts';

describe('a grid that holds the mass of a density', () => {
  it.each([
    ['far from the first guess', 40, 1],
    ['a thousandth as wide as the first step', 0.3, 1e-3],
    ['thirty times as wide', -2, 30],
  ])('gives mass, mean and variance of a normal law %s', (_, mean, deviation) => {
    const logDensity = (z: number): number => -0.5 * ((z - mean) / deviation) ** 2;
    const grid = massGrid(logDensity, { at: 0, step: 1, inCore: 4 });
    expect(holdsMass(grid)).toBe(true);
    const found = massOf(grid);
    expect(found.logMass).toBeCloseTo(Math.log(deviation * Math.sqrt(2 * Math.PI)), 2);
    expect((found.mean - mean) / deviation).toBeCloseTo(0, 2);
    expect(found.variance / deviation ** 2).toBeCloseTo(1, 1);
  });

  it('keeps to the ends of the line it is given', () => {
    const grid = massGrid((z) => -z, { at: 4, step: 1, inCore: 4, mostBelow: 4, mostAbove: 20 });
    expect(grid.first).toBe(0);
    expect(holdsMass(grid)).toBe(false);
  });
});
