/**
 * Change rates: checks and changes are counted, intervals hold their rates, and at a rate of maximum likelihood without
 * a prior the likelihood Σ_changed ln(1 − e^(−λτ)) − λ·Σ_unchanged τ has no slope.
 */
import type { Findings } from '../findings.ts';
import { listIn, numbersIn, objectAt, type WireObject, WireTable } from '../wire.ts';

export function checkChangeRates(request: WireObject, answer: WireObject, findings: Findings): void {
  const rows = new WireTable(request.pages, 'pages');
  const pages = new WireTable(objectAt(answer, 'solution').pages, 'pages', rows.length);
  const [rate, checks, changes] = ['rate', 'checks', 'changes'].map((name) => pages.numbers(name));
  const intervals = pages.lists('interval').map((interval) => numbersIn({ interval: interval ?? [] }, 'interval'));
  const plain =
    (request.prior ?? 'none') === 'none' && (request.method ?? 'maximum-likelihood') === 'maximum-likelihood';
  for (const [i, given] of rows.lists('checks').entries()) {
    const of = `page ${i}`;
    const [low, high] = intervals[i];
    const inside = rate[i] > 0 && low <= rate[i] && (Number.isNaN(high) || rate[i] <= high);
    findings.expect('solution.pages.interval', inside, `${of}: ${low} to ${high} does not hold the rate ${rate[i]}`);
    // observations are not converted into checks here
    if (given === null) continue;
    const seen = given.map((check) => {
      const [elapsed, changed] = listIn({ check }, 'check');
      return { elapsed: Number(elapsed), changed: changed === true || changed === 1 };
    });
    const found = seen.filter(({ changed }) => changed);
    findings.compare('solution.pages.checks', checks[i], seen.length, { of });
    findings.compare('solution.pages.changes', changes[i], found.length, { of });
    // if all checks agree the likelihood has no maximum, and another estimate is used
    if (!plain || found.length === 0 || found.length === seen.length) continue;
    const rising = found.reduce((sum, { elapsed }) => sum + elapsed / Math.expm1(rate[i] * elapsed), 0);
    const falling = seen.reduce((sum, { elapsed, changed }) => sum + (changed ? 0 : elapsed), 0);
    const slope = Math.abs(rising / falling - 1);
    findings.expect('solution.pages.rate', slope <= 1e-7, `${of}: at ${rate[i]} the likelihood has the slope ${slope}`);
  }
}
