/** The laws against 60-digit reference values (test/fixtures/laws.json, made by scripts/reference/laws.py). */
import { describe, expect, it } from 'vitest';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import reference from '../../fixtures/laws.json' with { type: 'json' };
import { requireDefined } from '../../require-defined.ts';

type Pair = readonly [what: string, actual: number, expected: number | null | undefined];
/** JSON import types unions loosely; the fixture holds distributions as plain data. */
const cases: readonly { distribution: Distribution; index: number }[] = reference.cases.map((entry, index) => ({
  distribution: JSON.parse(JSON.stringify(entry.distribution)),
  index,
}));

/** Relative error, where values under 1e−290 count as 0. */
function relativeError(actual: number, expected: number): number {
  if (expected === 0) return Math.abs(actual) < 1e-289 ? 0 : Infinity;
  return Math.abs(actual / expected - 1);
}

function worst(pairs: readonly Pair[], tolerance: (expected: number) => number): string[] {
  return pairs.flatMap(([what, actual, expected]) => {
    if (expected === null || expected === undefined) return [];
    const error = relativeError(actual, expected);
    return error <= tolerance(expected)
      ? []
      : [`${what}: ${actual} is not ${expected} (relative error ${error.toExponential(1)})`];
  });
}

/** 1e−13, and in far tails what the rounding of the exponent costs: ln(value) ulp. */
const bulk = (): number => 1e-13;
const tail = (expected: number): number => 1e-13 + 4e-15 * Math.abs(Math.log(expected));

describe('laws', () => {
  it.each(cases.map((entry) => [JSON.stringify(entry.distribution), entry] as const))(
    '%s has the moments, survival, truncated moments and transforms of 60-digit arithmetic',
    (_name, { distribution, index }) => {
      const law = createLaw(distribution);
      const { mean, secondMoment, points, transforms } = reference.cases[index];
      const moments: Pair[] = [
        ['mean', law.mean, mean],
        ['second moment', law.secondMoment, secondMoment],
      ];
      const truncated: Pair[] = points.flatMap(([t, , first, second]): Pair[] => [
        [`E min(X, ${t})`, law.truncatedMean(requireDefined(t)), first],
        [`E min(X, ${t})²`, law.truncatedSecondMoment(requireDefined(t)), second],
      ]);
      const survival = points.map(([t, value]): Pair => [`P(X > ${t})`, law.survival(requireDefined(t)), value]);
      const complements = transforms.map(
        ([s, , value]): Pair => [`1 − E e^(−${s}X)`, law.laplaceComplement(requireDefined(s)), value],
      );
      const laplace = transforms.map(([s, value]): Pair => [`E e^(−${s}X)`, law.laplace(requireDefined(s)), value]);
      expect([
        ...worst([...moments, ...truncated, ...complements], bulk),
        ...worst([...survival, ...laplace], tail),
      ]).toEqual([]);
    },
  );
});
