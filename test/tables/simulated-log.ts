/**
 * A crawl log of pages that change by Poisson processes, and the rate that is likeliest by its checks, by bisection.
 */
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';

export interface Check {
  readonly elapsed: number;
  readonly changed: boolean;
}

/**
 * The root of Σ τ/(e^(λτ) − 1) = S, half an unchanged check of the mean spacing added; null where nothing was seen to
 * change.
 */
export function likeliestRate(checks: readonly Check[]): number | null {
  const changed = checks.filter((check) => check.changed);
  if (changed.length === 0) return null;
  const whole = checks.reduce((sum, { elapsed }) => sum + elapsed, 0);
  const same = whole - changed.reduce((sum, { elapsed }) => sum + elapsed, 0) + whole / checks.length / 2;
  let low = 1e-9;
  let high = 1e9;
  for (let step = 0; step < 200; step++) {
    const rate = Math.sqrt(low * high);
    const sum = changed.reduce((total, { elapsed }) => total + elapsed / Math.expm1(rate * elapsed), 0);
    if (sum > same) low = rate;
    else high = rate;
  }
  return Math.sqrt(low * high);
}

export const start = Date.UTC(2026, 0, 1) / 1000;
export const day = 86_400;
const random = seededRandom(41);

/** Pages with checks at equal and at unequal spacings; fetches that failed lie between. */
export function simulatedLog() {
  const checks = new Map<string, Check[]>();
  const lines: string[] = [];
  for (let page = 0; page < 200; page++) {
    const id = `p${page}`;
    const rate = 0.05 + random() ** 3 * 5;
    const own: Check[] = [];
    let time = start + Math.floor(1000 * random());
    lines.push(`${id},${time},true,200`);
    for (let check = 0; check < 5 + 40 * random(); check++) {
      const elapsed = page % 2 === 0 ? 1 : Math.ceil(1000 * random() ** 2 * 3) / 1000;
      const changed = random() < -Math.expm1(-rate * elapsed);
      if (random() < 0.1) lines.push(`${id},${time + (elapsed * day) / 2},true,503`);
      time += elapsed * day;
      own.push({ elapsed, changed });
      lines.push(`${id},${time},${changed},${changed ? 200 : 304}`);
    }
    checks.set(id, own);
  }
  return { checks, lines };
}
