/**
 * Frequencies and sequences of accesses (Coffman, Liu & Weber 1998). With h = E e^(−μX) and L = −ln h a page accessed
 * evenly for a share x is fresh for x/(μ E X)·(1 − e^(−L/x)), accessed at random for x/(μ E X)·(1 − h)/(1 − h + x·h).
 * In a cycle of K accesses it is fresh for Σ_m (1 − h^(d_m))/(K·μ·E X), d_m the distances between its accesses.
 */
import { createLaw } from '../solvers/laws/create-law.ts';
import type { Findings } from './findings.ts';
import { distributionOf } from './laws.ts';
import { meanMeasure, targetOf } from './page-costs.ts';
import { isObject, readNumber, readNumbers, readObject, readText, sumOf, type WireObject, WireTable } from './wire.ts';

/** Tolerance of a share of time, absolute. */
const rounding = 1e-8;

interface Access {
  readonly mean: number;
  readonly weight: Float64Array;
  /** By page: 1 − h, h, L and 1/(μ E X). */
  readonly pages: readonly { changeChance: number; noChangeChance: number; load: number; perAccess: number }[];
}

function accessesIn(request: WireObject): Access {
  const rows = new WireTable(request.pages, 'pages');
  const law = createLaw(distributionOf(request, 'accessTime'));
  const rates = rows.numbers('changeRate');
  const pages = Array.from(rates, (rate) => {
    const [changeChance, noChangeChance] = [law.laplaceComplement(rate), law.laplace(rate)];
    const load = changeChance < 0.5 ? -Math.log1p(-changeChance) : -Math.log(noChangeChance);
    return { changeChance, noChangeChance, load, perAccess: 1 / (rate * law.mean) };
  });
  const weight = rows.numbers('weight', Number.NaN).map((own, i) => (Number.isNaN(own) ? rates[i] : own));
  return { mean: law.mean, weight, pages };
}

export function checkFrequencies(request: WireObject, answer: WireObject, findings: Findings): void {
  const { mean, weight, pages } = accessesIn(request);
  const solution = readObject(answer, 'solution');
  const table = new WireTable(solution.pages, 'pages', weight.length);
  const [frequency, staleness] = [table.numbers('frequency'), table.numbers('staleness')];
  const minFrequency = readNumber(request, 'minFrequency', 0);
  const random = readText(request, 'policy') === 'randomized';
  const target = targetOf(request);
  const busy = target === null ? 1 : readNumber(solution, 'crawls') * mean;
  const field = 'solution.pages.frequency';
  const weightedStaleness = new Float64Array(weight.length);
  for (const [i, { changeChance, noChangeChance, load, perAccess }] of pages.entries()) {
    const of = `page ${i}`;
    const x = frequency[i] * busy;
    const share = random ? changeChance / (changeChance + x * noChangeChance) : x === 0 ? 0 : -Math.expm1(-load / x);
    const stale = 1 - x * perAccess * share;
    const isEnough = frequency[i] >= minFrequency * (1 - 1e-6);
    findings.expect(field, isEnough, `${of} has ${frequency[i]}, below ${minFrequency}`);
    findings.compare('solution.pages.staleness', staleness[i], stale, { of, tolerance: rounding, size: 1 });
    weightedStaleness[i] = weight[i] * stale;
  }
  const sum = sumOf(frequency);
  findings.expect(field, busy === 0 || Math.abs(sum - 1) <= 1e-9, `the frequencies sum to ${sum}`);
  const starvedCount = frequency.filter((each) => each === 0).length;
  if (solution.starved !== undefined) findings.compare('solution.starved', solution.starved, starvedCount);
  if (solution.meanAccessTime !== undefined) findings.compare('solution.meanAccessTime', solution.meanAccessTime, mean);
  const { value } = readObject(answer, 'objective');
  if (target === null) {
    const options = { tolerance: rounding, size: sumOf(weight) };
    findings.compare('objective.value', value, sumOf(weightedStaleness), options);
    return;
  }
  findings.compare('objective.value', value, readNumber(solution, 'crawls'));
  const meanStaleness = meanMeasure(weightedStaleness, weight);
  findings.expect(
    'solution.crawls',
    meanStaleness <= target.limit + 1e-7,
    `pages are left with ${meanStaleness} in the mean, above the target ${target.limit}`,
  );
}

export function checkSequence(request: WireObject, answer: WireObject, findings: Findings): void {
  const { weight, pages } = accessesIn(request);
  const solution = readObject(answer, 'solution');
  const sequence = readNumbers(solution, 'sequence');
  const counts = readNumbers(solution, 'counts');
  const staleness = new WireTable(solution.pages, 'pages', weight.length).numbers('staleness');
  const arePages = sequence.every((page) => Number.isInteger(page) && page >= 0 && page < weight.length);
  findings.expect('solution.sequence', arePages, 'a position in the cycle is no page');
  findings.compare('solution.cycleLength', solution.cycleLength, sequence.length);
  if (!arePages) return;
  const occurs = new Float64Array(weight.length);
  const fresh = new Float64Array(weight.length);
  const last = new Float64Array(weight.length).fill(Number.NaN);
  // in the second cycle every access has a predecessor
  for (let t = 0; t < 2 * sequence.length; t++) {
    const page = sequence[t % sequence.length];
    if (t >= sequence.length) {
      fresh[page] -= Math.expm1(-(t - last[page]) * pages[page].load);
      occurs[page]++;
    }
    last[page] = t;
  }
  let sum = 0;
  for (const [i, { perAccess }] of pages.entries()) {
    const of = `page ${i}`;
    const stale = 1 - (fresh[i] * perAccess) / sequence.length;
    findings.compare('solution.counts', counts[i], occurs[i], { of });
    findings.compare('solution.pages.staleness', staleness[i], stale, { of, tolerance: rounding, size: 1 });
    sum += weight[i] * stale;
  }
  const size = sumOf(weight);
  if (isObject(answer.bounds)) {
    const { overall } = answer.bounds;
    findings.expect('bounds.overall', Number(overall) <= sum + rounding * size, `the bound ${overall} is above ${sum}`);
  }
  findings.compare('objective.value', readObject(answer, 'objective').value, sum, { tolerance: rounding, size });
}
