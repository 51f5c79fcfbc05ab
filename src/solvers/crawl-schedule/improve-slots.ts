/**
 * Alternates exchanges and transfers while they lower the cost. Where hosts have delays each round first works within the
 * slots of each host, then on all slots. Stopping rule: a round that gains less than `minRelativeGain`, `maxRounds`, or
 * the budget.
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

/** Farthest exchange as a fraction of the slots, and in slots at least. */
const reachFraction = 1 / 50;
const minReach = 100;
/** Rounds of exchanges and transfers at most. */
const maxRounds = 5;

interface ImproveOptions {
  readonly limits: CrawlLimits;
  /** By page. */
  readonly weight: Float64Array;
  /** Approximate cost of the timetable, against which gains are measured. */
  readonly cost: number;
}

/** Improves a timetable in place. */
export function improveSlots(table: Timetable, improving: ImproveOptions, budget: Budget): ExchangeResult {
  const { weight, cost } = improving;
  const whole = wholeTimetable(table, weight.length);
  const byHost = table.hasHosts;
  let [exchanges, total] = [0, 0];
  for (let round = 0; round < maxRounds; round++) {
    let gained = 0;
    for (const part of byHost ? [...splitByHost(table, weight.length), whole] : [whole]) {
      const improved = improvePart(table, part, improving, budget);
      exchanges += improved.exchanges;
      gained += improved.gained;
      if (improved.stopped) return { exchanges, gained: total + gained, stopped: true };
    }
    total += gained;
    if (gained <= minRelativeGain * cost) break;
  }
  return { exchanges, gained: total, stopped: budget.stopRequested() };
}

function improvePart(
  table: Timetable,
  part: SlotPart,
  { limits, weight, cost }: ImproveOptions,
  budget: Budget,
): ExchangeResult {
  const { slots, pages, share } = part;
  const farthest = Math.max(Math.ceil(reachFraction * slots.length), Math.min(slots.length, minReach));
  const mean = pages.reduce((sum, i) => sum + weight[i], 0) / pages.length;
  const exchanged = exchangeSlots(table, part, { farthest, cost: share * cost, weight: mean }, budget);
  if (exchanged.stopped) return exchanged;
  const { transfers, gained } = transferSlots(table, part, limits, cost, budget);
  return { exchanges: exchanged.exchanges + transfers, gained, stopped: false };
}
