/**
 * Among few slots, other schedules from shaken ones (iterated local search). Some slots exchange their pages by chance,
 * exchanges and transfers follow, and what comes out is kept where it costs less. Not where hosts ask for a delay.
 * O(shakes × a descent). Stopping rule: shakes, fewer where pages are many, or the budget.
 * Source: H. R. Lourenço, O. C. Martin and T. Stützle, Iterated local search, 2003.
 */
import type { Budget } from '../../budget.ts';
import { type Random, seededRandom } from '../../numerics/random/random.ts';
import type { Timetable } from '../table/timetable.ts';

const mostShakes = 60;
const fewestShakes = 6;
/** Slots offered to pages, over all shakes. */
const mostOffers = 1.2e6;
const exchangesPerShake = 3;
/** Slots among which it is worth while. */
export const mostShaken = 120;

interface Shaking {
  /** How many there are. */
  readonly pages: number;
  /** A timetable of slots' pages. */
  readonly tableOf: (page: Int32Array) => Timetable;
  /** Lowers the cost of one. */
  readonly descend: (table: Timetable) => void;
  readonly costOf: (table: Timetable) => number;
}

/** The best timetable found, `table` itself or another one. */
export function shakeSlots(table: Timetable, { pages, tableOf, descend, costOf }: Shaking, budget: Budget): Timetable {
  const random = seededRandom(budget.seed);
  const shakes = Math.max(fewestShakes, Math.min(mostShakes, Math.floor(mostOffers / (pages * table.page.length))));
  let best = table;
  let least = costOf(table);
  for (let k = 0; k < shakes && !budget.stopRequested(); k++) {
    const other = tableOf(shaken(best.page, random));
    descend(other);
    const cost = costOf(other);
    if (cost >= least * (1 - 1e-12)) continue;
    best = other;
    least = cost;
  }
  return best;
}

function shaken(page: Int32Array, random: Random): Int32Array {
  const other = page.slice();
  for (let k = 0; k < exchangesPerShake; k++) {
    const a = Math.floor(random() * page.length);
    const b = Math.floor(random() * page.length);
    const kept = other[a];
    other[a] = other[b];
    other[b] = kept;
  }
  return other;
}
