/**
 * Problems of which each is much like the one before, as the points of a sweep are. The search begins at the load that
 * was best then. Where the queue is the same (only prices or limits differ) the measures of all counts seen are known;
 * where only the capacity differs, the weights of departures are (queues-of-law.ts).
 */
import type { Budget } from '../budget.ts';
import { knownQueues } from './evaluate.ts';
import type { CrawlerCountProblem } from './model.ts';
import { type CrawlerCountAnswer, type KnownCounts, solveFrom } from './solve.ts';

/** A problem that was solved, and what was known in the end. */
interface Solved {
  readonly problem: CrawlerCountProblem;
  /** The law of indexing times, as text. */
  readonly law: string;
  readonly crawlers: number;
  readonly known: KnownCounts;
}

/**
 * A solver to be given such problems one after the other. Every answer is that of `solveCrawlerCount`: the count proved
 * best by its neighbours, its measures the same to the bit, or to rounding where the capacity changes. Answers after
 * the first are without front, curve and further count.
 */
export function crawlerCountsInTurn(): (problem: CrawlerCountProblem, budget: Budget) => CrawlerCountAnswer {
  let before: Solved | null = null;
  return (problem, budget) => {
    const { front: _front, curve: _curve, crawlers: _crawlers, ...alone } = problem;
    const law = before?.problem.indexing === problem.indexing ? before.law : JSON.stringify(problem.indexing);
    const known: KnownCounts = before === null ? knownQueues(problem) : leftBy(before, problem, law);
    const answer = solveFrom(before === null ? problem : alone, budget, known);
    before = { problem, law, crawlers: answer.best.crawlers, known };
    return answer;
  };
}

function leftBy(
  { problem: before, law: lawBefore, crawlers, known }: Solved,
  problem: CrawlerCountProblem,
  law: string,
): KnownCounts {
  const start = (crawlers * before.crawlerRate) / problem.crawlerRate;
  if (law !== lawBefore) return { ...knownQueues(problem), start };
  const sameRoom = before.capacity === problem.capacity;
  const same = sameRoom && before.crawlerRate === problem.crawlerRate;
  return {
    start,
    measures: same ? known.measures : new Map(),
    queues: sameRoom ? known.queues : known.queues.keepingRoom(),
  };
}
