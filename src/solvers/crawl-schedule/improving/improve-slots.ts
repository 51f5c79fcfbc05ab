/**
 * Exchanges, transfers, and pages sharing their slots where there are few, in turn while any lowers the cost. Where
 * hosts ask for a delay and slots are too many to be offered to every page, the pages of each host do so first. Among
 * very few slots also from shaken ones. Complexity and stopping rules are those of its parts; so many turns at most.
 */
import type { Budget } from '../../budget.ts';
import type { CrawlLimits } from '../placing/crawl-limits.ts';
import type { Timetable } from '../table/timetable.ts';
import { type Exchanges, exchangeSlots } from './exchange-slots.ts';
import { type Part, partsByHost, wholeOf, worthwhile } from './part.ts';
import { mostShaken, shakeSlots } from './shake-slots.ts';
import { shareSlots } from './share-slots.ts';
import { mostOffers, transferSlots } from './transfer-slots.ts';

/** The farthest exchanges are between slots this share of the interval apart. */
const reach = 1 / 50;
/** So many slots apart exchanges are tried at least. */
const nearby = 100;
const mostRounds = 5;

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
  let { exchanges, gained } = found;
  const shaking = {
    pages: weight.length,
    tableOf,
    descend: (other: Timetable) => {
      exchanges += descend(improving, other, budget).exchanges;
    },
    costOf: (other: Timetable) => weight.reduce((sum, w, i) => sum + w * other.staleTime(i), 0),
  };
  const best = shakeSlots(table, shaking, budget);
  return { table: best, exchanges, gained, stopped: budget.stopRequested() };
}

function descend(improving: Improving, table: Timetable, budget: Budget): Exchanges {
  const { weight, cost } = improving;
  const slots = table.page.length;
  const whole = wholeOf(table, weight.length);
  const byHost = table.hasHosts && weight.length * slots > mostOffers;
  let [exchanges, all] = [0, 0];
  for (let round = 0; round < mostRounds; round++) {
    let gained = 0;
    for (const part of byHost ? [...partsByHost(table, weight.length), whole] : [whole]) {
      const improved = improvePart(improving, table, part, budget);
      exchanges += improved.exchanges;
      gained += improved.gained;
      if (improved.stopped) return { exchanges, gained: all + gained, stopped: true };
    }
    all += gained;
    if (gained <= (slots > mostShaken ? worthwhile * cost : 0)) break;
  }
  return { exchanges, gained: all, stopped: budget.stopRequested() };
}

function improvePart({ limits, weight, cost }: Improving, table: Timetable, part: Part, budget: Budget): Exchanges {
  const { slots, pages, share } = part;
  const farthest = Math.max(Math.ceil(reach * slots.length), Math.min(slots.length, nearby));
  const mean = pages.reduce((sum, i) => sum + weight[i], 0) / pages.length;
  const exchanged = exchangeSlots(table, part, { farthest, cost: share * cost, weight: mean }, budget);
  if (exchanged.stopped) return exchanged;
  const { transfers, gained } = transferSlots(table, part, limits(table), cost, budget);
  const shared = shareSlots(table, part, limits(table), budget);
  return {
    exchanges: exchanged.exchanges + transfers + shared.pairs,
    gained: gained + shared.gained,
    stopped: false,
  };
}
