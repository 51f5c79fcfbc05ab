/** What copies cost over one interval, from the definitions: Poisson changes of rate λ, a gap of g since the crawl. */
import type { Page } from './pages.ts';

export type Objective = 'freshness' | 'delay' | 'harmonic';

/** 1 − e^−y. */
const changeProbability = (y: number): number => -Math.expm1(-y);

/** y − 1 + e^−y, by its series where terms cancel. */
function staleChanges(y: number): number {
  if (y > 0.1) return y - changeProbability(y);
  let term = (y * y) / 2;
  let sum = 0;
  for (let k = 3; k < 12; k++) {
    sum += term;
    term *= -y / k;
  }
  return sum;
}

/**
 * Cost of a gap g: ∫₀^g of the cost rate of a copy of age s, which is P(changed) under freshness and the number of
 * waiting changes under delay. Under harmonic the gap costs g·ln(1 + λg).
 */
export function gapCost(objective: Objective, rate: number, gap: number): number {
  switch (objective) {
    case 'freshness':
      return staleChanges(rate * gap) / rate;
    case 'delay':
      return (rate * gap * gap) / 2;
    case 'harmonic':
      return gap * Math.log1p(rate * gap);
  }
}

/** Cost of a copy of a page (by position) up to an age, and its cost rate at that age. */
export interface Copies {
  cost(page: number, age: number): number;
  slope(page: number, age: number): number;
}

export function knownCopies(objective: Objective, pages: readonly Page[]): Copies {
  return {
    cost: (i, age) => gapCost(objective, pages[i].rate, age),
    slope: (i, age) => slope(objective, pages[i].rate, age),
  };
}

/** Cost rate of a copy of this age: the derivative of its cost. */
function slope(objective: Objective, rate: number, age: number): number {
  const y = rate * age;
  switch (objective) {
    case 'freshness':
      return -Math.expm1(-y);
    case 'delay':
      return y;
    case 'harmonic':
      return Math.log1p(y) + y / (1 + y);
  }
}

/** Σ weight·cost of schedules over [0, 1]: increasing times by page. */
export function costOf(
  objective: Objective,
  pages: readonly Page[],
  times: readonly (readonly number[])[],
  copies: Copies = knownCopies(objective, pages),
): number {
  let sum = 0;
  for (const [i, page] of pages.entries()) {
    let last = -startAge(objective, page);
    let cost = last === Number.NEGATIVE_INFINITY ? 0 : -copies.cost(i, -last);
    for (const time of [...times[i], 1]) {
      cost += last === Number.NEGATIVE_INFINITY ? time : copies.cost(i, time - last);
      last = time;
    }
    sum += page.weight * cost;
  }
  return sum;
}

/** A page never crawled is stale from time 0; under delay and harmonic its changes count from time 0. */
export function startAge(objective: Objective, { age }: Page): number {
  return age === Number.POSITIVE_INFINITY && objective !== 'freshness' ? 0 : age;
}
