/**
 * Several solves within one budget. Each has an equal share of the time that is left, and no share that was too short
 * fails the whole.
 *
 * Some solves must have an answer. One that has none in its share is tried again with twice the share of its like, up
 * to all the time that is left. Of the time it takes about half is lost. After one that may go without an answer, and
 * has none, the next has twice its share: of many some are answered. Time left in the end goes, in equal shares, to the
 * solves whose share ended before they did, in turn until all is used. One whose share would be no longer is left out.
 */
import { type Budget, keepingShare, unlessStopped } from './budget.ts';

/** How the parts of a whole are solved. */
export interface Parts<Answer> {
  readonly count: number;
  /** How many parts, from the first on, must have an answer. */
  readonly needed: number;
  readonly solve: (part: number, share: Budget) => Answer;
  /** Whether no time betters an answer. */
  readonly isWhole: (answer: Answer) => boolean;
  /** Whether the second of two answers to one part says no less than the first. */
  readonly noWorse: (second: Answer, first: Answer) => boolean;
}

/**
 * The answers in order; null where the time was too short for a part that may go without.
 *
 * @throws NothingToReturn when the budget ends before a part that must have an answer has one
 */
export function solveInShares<Answer>(parts: Parts<Answer>, budget: Budget): (Answer | null)[] {
  const { count, needed, solve, isWhole, noWorse } = parts;
  const answers = new Array<Answer | null>(count).fill(null);
  /** Parts whose share was too short, with its length. */
  const short: { readonly part: number; readonly given: number }[] = [];
  let least = 0;
  for (let part = 0; part < count; part++) {
    if (part >= needed && budget.stopRequested()) break;
    const left = budget.remainingMs();
    const share = partOf(budget, Math.min(count - part, left / least));
    const given = share.remainingMs();
    const answer = unlessStopped(null, () => solve(part, share));
    answers[part] = answer;
    if (answer !== null && !isWhole(answer) && wasTooShort(share, given)) short.push({ part, given });
    if (answer === null && part < needed)
      answers[part] = inTime(budget, (needed - part) / 2, (more) => solve(part, more));
    else if (answer === null) {
      short.push({ part, given });
      least = 2 * (left - budget.remainingMs());
    }
    budget.report({ fraction: (part + 1) / count });
  }
  for (let next = short.shift(); next !== undefined && !budget.stopRequested(); next = short.shift()) {
    const { part, given } = next;
    const share = partOf(budget, short.length + 1);
    const more = share.remainingMs();
    if (more <= given && short.length > 0) continue;
    const first = answers[part];
    const second = unlessStopped(null, () => solve(part, share));
    if (second !== null && (first === null || noWorse(second, first))) answers[part] = second;
    if ((second === null || !isWhole(second)) && wasTooShort(share, more)) short.push({ part, given: more });
  }
  return answers;
}

/**
 * What `solve` gives within a share of the time that is left, one of `parts`. Without an answer it is tried again with
 * twice the share, up to all the time that is left.
 *
 * @throws NothingToReturn when the budget ends before it has an answer
 */
export function inTime<Answer>(budget: Budget, parts: number, solve: (share: Budget) => Answer): Answer {
  for (let left = parts; left > 1; left /= 2) {
    const answer = unlessStopped(null, () => solve(partOf(budget, left)));
    if (answer !== null) return answer;
  }
  return solve(budget);
}

/** Whether it was time that ended a solve: one that keeps some for its end stops before its share does. */
function wasTooShort(share: Budget, given: number): boolean {
  return share.remainingMs() < given / 2 || share.stopRequested();
}

/** The part of a budget for one of `left` solves: an equal share of the time that is left. */
function partOf(budget: Budget, left: number): Budget {
  return keepingShare(budget, Math.max(0, 1 - 1 / left));
}
