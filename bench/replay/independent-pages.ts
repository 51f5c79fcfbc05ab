/**
 * Pages that change by themselves at known rates, and how fresh a policy keeps them in expectation. It shows what an
 * option costs where there is nothing for it to find.
 *
 * A gap τ between two fetches of a page of rate λ is fresh for (1 − e^{−λτ})/λ in the mean, whatever the changes that
 * came. This averages the chance of the changes away. Two policies then differ by a tenth of what a count of fresh time
 * would need.
 */
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardNormal } from '../../src/solvers/numerics/random/random-variates.ts';
import type { PageHistory } from './page-history.ts';
import { day, type Policy, replay } from './replay.ts';

export interface IndependentPages {
  readonly pages: readonly PageHistory[];
  /** Changes a second. */
  readonly rates: Float64Array;
  readonly start: number;
  readonly end: number;
}

/** Pages in hosts of five; rates lognormal about one change in 40 days (σ = 1.2). */
export function independentPages(count: number, start: number, days: number, seed: number): IndependentPages {
  const random = seededRandom(seed);
  const end = start + days * day;
  const rates = new Float64Array(count).map(() => Math.exp(1.2 * standardNormal(random)) / (40 * day));
  const pages = Array.from(rates, (rate, i): PageHistory => {
    const changes: number[] = [];
    for (let t = start; t < end; t += standardExponential(random) / rate) if (t > start) changes.push(t);
    return { id: `${i}`, host: `${Math.floor(i / 5)}`, changes: Float64Array.from(changes) };
  });
  return { pages, rates, start, end };
}

/** The share of page-time that copies are expected to be current, from `from` on. */
export function expectedFreshness(
  { pages, rates, start, end }: IndependentPages,
  policy: Policy,
  from = start,
): number {
  const last = new Float64Array(pages.length).fill(start);
  let fresh = 0;
  const account = (i: number, time: number): void => {
    const begin = Math.max(last[i], from);
    if (time > begin) {
      fresh += (Math.exp(-rates[i] * (begin - last[i])) - Math.exp(-rates[i] * (time - last[i]))) / rates[i];
    }
    last[i] = time;
  };
  const watched: Policy = {
    choose: (time) => {
      const chosen = Array.from(policy.choose(time));
      for (const i of chosen) account(i, time);
      return chosen;
    },
    observe: policy.observe,
  };
  replay(pages, watched, start, end);
  for (let i = 0; i < pages.length; i++) account(i, end);
  return fresh / (pages.length * (end - from));
}
