/**
 * Problems of which each is much like the one before, as the points of a sweep are. The search begins at the load that was
 * best then, and where the queue is the same (only prices or limits differ) the measures of all counts seen are known.
 */
import type { Budget } from '../budget.ts';
import type { CrawlerCountProblem } from './model.ts';
import { type CrawlerCountAnswer, type KnownCounts, solveFrom } from './solve.ts';

/** A problem that was solved, and what was known in the end. */
interface Solved {
  readonly problem: CrawlerCountProblem;
  readonly crawlers: number;
  readonly measures: KnownCounts['measures'];
}

/**
 * A solver to be given such problems one after the other. Every answer is that of `solveCrawlerCount`: the count proved
 * best by its neighbours, its measures to the bit. Answers after the first are without front, curve and further count.
 */
export function crawlerCountsInTurn(): (problem: CrawlerCountProblem, budget: Budget) => CrawlerCountAnswer {
  let before: Solved | null = null;
  return (problem, budget) => {
    const known: KnownCounts = before === null ? { measures: new Map() } : leftBy(before, problem);
    const { front: _front, curve: _curve, crawlers: _crawlers, ...alone } = problem;
    const answer = solveFrom(before === null ? problem : alone, budget, known);
    before = { problem, crawlers: answer.best.crawlers, measures: known.measures };
    return answer;
  };
}

function leftBy({ problem: before, crawlers, measures }: Solved, problem: CrawlerCountProblem): KnownCounts {
  const same =
    before.crawlerRate === problem.crawlerRate &&
    before.capacity === problem.capacity &&
    JSON.stringify(before.indexing) === JSON.stringify(problem.indexing);
  return {
    start: (crawlers * before.crawlerRate) / problem.crawlerRate,
    measures: same ? measures : new Map(),
  };
}
