/**
 * One way of measuring a policy, whatever the discipline and the obsolescence distribution: what searches and
 * evaluations ask.
 */
import type { Budget } from '../../../budget.ts';
import { ConditionNotMet } from '../../../condition.ts';
import type { Totals } from '../../../queue/measures.ts';
import type { ModeByLevel } from '../../../queue/queue.ts';
import type { PageChain } from './page-chain.ts';
import type { LevelShares } from './views.ts';

export interface Evaluator {
  /** What `statistics` calls it. */
  readonly name: string;
  /** States of the chain that is solved. */
  readonly states: number;
  evaluate(byLevel: ModeByLevel): Totals;
  /** What becomes of a page, jump by jump. */
  pageChain(byLevel: ModeByLevel, budget: Budget): PageChain;
  /** The stationary shares of each level's states; position modulo W·M is ν·M + m. */
  shares(byLevel: ModeByLevel, budget: Budget): LevelShares;
}

/** What is remembered takes at most this many bytes, roughly. */
const maxRememberedBytes = 200_000_000;

/** The same evaluator, which does not measure a policy twice, and refuses what has left the range of doubles. */
export function remembering(evaluator: Evaluator): Evaluator {
  const known = new Map<string, Totals>();
  return {
    ...evaluator,
    evaluate(byLevel) {
      const name = byLevel.join();
      const before = known.get(name);
      if (before !== undefined) return before;
      const totals = evaluator.evaluate(byLevel);
      checkTotals(totals);
      if (known.size * (name.length + 200) < maxRememberedBytes) known.set(name, totals);
      return totals;
    },
  };
}

/** Where rates are too far apart, shares underflow, and Little's law tells. */
export function checkTotals(totals: Totals): void {
  const { toBeServed, toExpire, queueLength, successRate } = totals;
  const finite = Object.values(totals).every((value: number) => value >= 0 && value < Number.POSITIVE_INFINITY);
  if (finite && successRate > 0 && Math.abs(toBeServed + toExpire - queueLength) <= 1e-6 * queueLength) return;
  throw new ConditionNotMet(
    [],
    'rates-too-far-apart',
    'has rates (of arrivals, service and obsolescence) too far apart for double precision: leave out the phases that are ' +
      'hardly ever entered or left at once, or the modes that hardly ever bring a page',
  );
}
