/**
 * Exchanges and transfers in turn while they lower the cost. Where hosts ask for a delay and slots are too many to be
 * offered to every page, the pages of each host do so first, among themselves. Stopping rule: a turn that gains next to
 * nothing, turns, or the budget.
 */
import type { Budget } from '../budget.ts';
import {
  type ExchangeResult,
  exchangeSlots,
  minRelativeGain,
  type SlotPart,
  splitByHost,
  wholeTimetable,
} from './exchange-slots.ts';
import type { CrawlLimits } from './fill-slots.ts';
import type { Timetable } from './timetable.ts';
import { transferSlots } from './transfer-slots.ts';

/** The farthest exchanges are between slots this share of the interval apart, and so many slots at least. */
const reach = 1 / 50;
const nearby = 100;
const mostRounds = 5;

interface ImproveOptions {
  readonly limits: CrawlLimits;
  /** By page. */
  readonly weight: Float64Array;
  /** About what the timetable costs: a round that lowers it by next to nothing is the last. */
  readonly cost: number;
}

/** Improves a timetable in place. */
export function improveSlots(table: Timetable, improving: ImproveOptions, budget: Budget): ExchangeResult {
  const { weight, cost } = improving;
  const whole = wholeTimetable(table, weight.length);
  const byHost = table.hasHosts;
  let [exchanges, all] = [0, 0];
  for (let round = 0; round < mostRounds; round++) {
    let gained = 0;
    for (const part of byHost ? [...splitByHost(table, weight.length), whole] : [whole]) {
      const improved = improvePart(table, part, improving, budget);
      exchanges += improved.exchanges;
      gained += improved.gained;
      if (improved.stopped) return { exchanges, gained: all + gained, stopped: true };
    }
    all += gained;
    if (gained <= minRelativeGain * cost) break;
  }
  return { exchanges, gained: all, stopped: budget.stopRequested() };
}

function improvePart(
  table: Timetable,
  part: SlotPart,
  { limits, weight, cost }: ImproveOptions,
  budget: Budget,
): ExchangeResult {
  const { slots, pages, share } = part;
  const farthest = Math.max(Math.ceil(reach * slots.length), Math.min(slots.length, nearby));
  const mean = pages.reduce((sum, i) => sum + weight[i], 0) / pages.length;
  const exchanged = exchangeSlots(table, part, { farthest, cost: share * cost, weight: mean }, budget);
  if (exchanged.stopped) return exchanged;
  const { transfers, gained } = transferSlots(table, part, limits, cost, budget);
  return { exchanges: exchanged.exchanges + transfers, gained, stopped: false };
}
