/** Likelihoods from sums of checks against those of the checks themselves. */
import { describe, expect, it } from 'vitest';
import { likelihoodsOfSums } from '../../../src/solvers/estimation/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { type Check, likeliest } from '../../tables/simulated-log.ts';

const sumsOf = (checks: readonly Check[]) => {
  const sum = (those: readonly Check[]): number => those.reduce((time, { elapsed }) => time + elapsed, 0);
  const changed = checks.filter((check) => check.changed);
  const watched = sum(checks);
  const rate = likeliest(checks) ?? 0.5 / watched;
  const sums = { rate, checks: checks.length, changes: changed.length, watched, unchanged: watched - sum(changed) };
  return Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, Float64Array.of(value)]));
};

const likelihoods = (checks: readonly Check[]) => {
  const { rate, checks: made, changes, watched, unchanged } = sumsOf(checks);
  return likelihoodsOfSums({ rate, checks: made, changes, watched, unchanged });
};

const logLikelihood = (checks: readonly Check[], rate: number): number =>
  checks.reduce((sum, { elapsed, changed }) => {
    return sum + (changed ? Math.log(-Math.expm1(-rate * elapsed)) : -rate * elapsed);
  }, 0);

/** Checks at a spacing of their own, which a page of rate 1 passes. */
function drawn(seed: number, spacing: (random: () => number) => number): Check[] {
  const random = seededRandom(seed);
  return Array.from({ length: 12 }, () => {
    const elapsed = spacing(random);
    return { elapsed, changed: random() < -Math.expm1(-elapsed) };
  });
}

describe('likelihoods from sums of checks', () => {
  it.each([1, 2, 3, 4, 5])('are those of the checks where these are regular (seed %i)', (seed) => {
    const checks = drawn(seed, () => 0.7);
    const { thetas, values } = likelihoods(checks);
    const exact = thetas.map((theta) => logLikelihood(checks, Math.exp(theta)));
    const peak = Math.max(...exact);
    for (const [g, value] of values.entries()) expect(value).toBeCloseTo(Math.exp(exact[g] - peak), 6);
  });

  it.each([6, 7, 8, 9, 10])('have both tails of irregular checks, and are near between (seed %i)', (seed) => {
    const checks = drawn(seed, (random) => 0.2 + 1.6 * random());
    const { thetas, values } = likelihoods(checks);
    const exact = thetas.map((theta) => logLikelihood(checks, Math.exp(theta)));
    const peak = Math.max(...exact);
    for (const [g, value] of values.entries()) expect(Math.abs(value - Math.exp(exact[g] - peak))).toBeLessThan(0.03);
    const drop = (of: ArrayLike<number>): number => of[1] - of[0];
    expect(drop(values.map(Math.log))).toBeCloseTo(drop(exact), 3);
  });

  it('leave a page that changed at all checks any large rate, and one that never did any small one', () => {
    const always = likelihoods(drawn(1, () => 0.7).map(({ elapsed }) => ({ elapsed, changed: true }))).values;
    expect(always.at(-1)).toBe(1);
    const never = likelihoods(drawn(1, () => 0.7).map(({ elapsed }) => ({ elapsed, changed: false }))).values;
    expect(never[0]).toBe(1);
    expect(never.at(-1)).toBeLessThan(1e-6);
  });

  it('say nothing of a page without a check', () => {
    const none = Float64Array.of(0);
    const { values } = likelihoodsOfSums({
      rate: Float64Array.of(2),
      checks: none,
      changes: none,
      watched: none,
      unchanged: none,
    });
    expect(new Set(values)).toEqual(new Set([1]));
  });
});
