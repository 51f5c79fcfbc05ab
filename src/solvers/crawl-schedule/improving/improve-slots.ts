/**
 * Exchanges, transfers, and pages sharing their slots where there are few, in turn while any lowers the cost. Among
 * very few slots it also starts from shaken ones. Complexity and stopping rules are those of its parts; so many turns
 * at most.
 */
import type { Budget } from '../../budget.ts';
import type { CrawlLimits } from '../placing/crawl-limits.ts';
import type { Timetable } from '../table/timetable.ts';
import { type Exchanges, exchangeSlots } from './exchange-slots.ts';
import { mostShaken, shakeSlots } from './shake-slots.ts';
import { shareSlots } from './share-slots.ts';
import { transferSlots } from './transfer-slots.ts';

/** The farthest exchanges are between slots this share of the interval apart. */
const reach = 1 / 50;
/** So many slots apart exchanges are tried at least. */
const nearby = 100;
const mostRounds = 5;
/** Among many slots, transfers that lower the cost by less than this share are the last. */
const worthwhile = 2e-4;

export interface Improving {
  /** What is improved, in place. */
  readonly table: Timetable;
  /** Another timetable of the same slots. */
  readonly tableOf: (page: Int32Array) => Timetable;
  readonly limits: (table: Timetable) => CrawlLimits;
  /** By page. */
  readonly weight: Float64Array;
  /** About what the timetable costs: a round that lowers it by next to nothing is the last. */
  readonly cost: number;
  /** Whether any exchange by chance leaves a timetable that keeps its limits. */
  readonly shaken: boolean;
}

/** The best timetable found, which is `table` itself or another one. */
export function improveSlots(improving: Improving, budget: Budget): Exchanges & { readonly table: Timetable } {
  const { table, tableOf, weight } = improving;
  const found = descend(improving, table, budget);
  if (found.stopped || !improving.shaken || table.page.length > mostShaken) return { ...found, table };
  let { exchanges } = found;
  const shaking = {
    pages: weight.length,
    tableOf,
    descend: (other: Timetable) => {
      exchanges += descend(improving, other, budget).exchanges;
    },
    costOf: (other: Timetable) => weight.reduce((sum, w, i) => sum + w * other.staleTime(i), 0),
  };
  const best = shakeSlots(table, shaking, budget);
  return { table: best, exchanges, stopped: budget.stopRequested() };
}

function descend({ limits, weight, cost }: Improving, table: Timetable, budget: Budget): Exchanges {
  const slots = table.page.length;
  const farthest = Math.max(Math.ceil(reach * slots), Math.min(slots, nearby));
  const mean = weight.reduce((sum, w) => sum + w, 0) / weight.length;
  let exchanges = 0;
  for (let round = 0; round < mostRounds; round++) {
    const exchanged = exchangeSlots(table, { farthest, cost, weight: mean }, budget);
    exchanges += exchanged.exchanges;
    if (exchanged.stopped) return { exchanges, stopped: true };
    const { transfers, gained } = transferSlots(table, limits(table), cost, budget);
    const shared = shareSlots(table, limits(table), budget);
    exchanges += transfers + shared.pairs;
    if (gained + shared.gained <= (slots > mostShaken ? worthwhile * cost : 0)) break;
  }
  return { exchanges, stopped: budget.stopRequested() };
}
