/** A plan in words: what is fetched, how stale copies are, how good the plan is, and which pages it gives up. */
import type * as z from 'zod';
import type { Objective } from '../../solvers/answer.ts';
import type { Wire } from '../contract/answer.ts';
import { cellsOf } from '../table/table-answer.ts';
import { comparisonText, countText, durationAhead, figure, frequencyText, inTheNext, share } from '../words/numbers.ts';
import type { crawlPlanSolution } from './answer.ts';
import { atOwnIntervals, busiestPages } from './long-run-words.ts';
import type { CheckedCrawlPlan } from './request.ts';

interface Planned {
  readonly solution: Wire<z.input<typeof crawlPlanSolution>>;
  readonly objective?: Objective;
  readonly beside?: {
    readonly baselines?: { readonly uniform: number } | undefined;
    readonly longRun?: { readonly value: number; readonly gap: number | null } | null | undefined;
    readonly keepingAll?: { readonly maxInterval: number; readonly value: number } | undefined;
  };
}

export function crawlPlanSentence({ solution, objective, beside }: Planned, { problem }: CheckedCrawlPlan): string {
  const fetches = cellsOf(solution.schedule, 'page');
  const fetched = Array.from(cellsOf(solution.pages, 'crawls')).filter((crawls) => Number(crawls) > 0).length;
  const made = `Make ${countText(fetches.length, 'fetch', 'fetches')} of ${countText(fetched, 'page')} ${inTheNext(problem.interval)}.`;
  const gap = beside?.longRun?.gap ?? null;
  const proof = gap === null ? '' : inTheLongRun(gap);
  const without = solution.withoutCrawl.length;
  const rest = without === 0 ? '' : ` ${countText(without, 'page waits', 'pages wait')} for a later plan.`;
  if (solution.crawls === 0) return 'No fetch is needed: the target is kept without one.';
  if (solution.crawls !== undefined) return `${needed(solution, problem, objective)}${rest}`;
  return `${made}${stale(problem, objective?.value, beside?.baselines?.uniform)}${longRun(solution, problem, fetches.length)}${proof}${rest}${givenUp(solution, problem, beside)}`;
}

/** Under freshness: how stale copies are for ever, and what becomes of the busiest pages. */
function longRun(solution: Planned['solution'], problem: CheckedCrawlPlan['problem'], fetches: number): string {
  if ((problem.objective ?? 'freshness') !== 'freshness') return '';
  const numbers = (name: 'changeRate' | 'fetchInterval' | 'crawls') =>
    Float64Array.from(cellsOf(solution.pages, name), (cell) => (typeof cell === 'number' ? cell : Number.NaN));
  const pages = {
    changeRate: numbers('changeRate'),
    fetchInterval: numbers('fetchInterval'),
    crawls: numbers('crawls'),
    weight: problem.weight,
  };
  const { interval, history } = problem;
  return atOwnIntervals(pages, history) + busiestPages(pages, fetches, interval);
}

/** How few crawls will do. */
function needed({ crawls }: Planned['solution'], { interval }: { interval: number }, proof?: Objective) {
  const least = proof?.bound == null ? '' : `; fewer than ${figure(proof.bound)} cannot`;
  return `${countText(crawls ?? 0, 'fetch', 'fetches')} ${durationAhead(interval)} keep the target for ever${least}.`;
}

const inTheLongRun = (gap: number): string =>
  gap < 5e-4
    ? ' In the long run no other fetch intervals do better.'
    : ` In the long run its fetch intervals are within ${share(gap)} of the best there is.`;

/** How stale copies are, beside what all pages in turn would leave. */
function stale(
  { weight, objective = 'freshness' }: CheckedCrawlPlan['problem'],
  value = Number.NaN,
  inTurn = Number.NaN,
): string {
  if (!Number.isFinite(value)) return '';
  if (objective !== 'freshness') {
    return Number.isFinite(inTurn)
      ? ` All pages in turn would cost ${comparisonText(inTurn, value)} in ${objective}.`
      : '';
  }
  const all = weight.reduce((sum, each) => sum + each, 0);
  if (!(all > 0)) return '';
  const turns = Number.isFinite(inTurn) ? `, ${share(inTurn / all)} if all pages took turns` : '';
  return ` Copies are stale ${share(value / all)} of the time${turns}.`;
}

/** Most pages that are named. */
const mostNamed = 3;

/** Pages that no fetch is worth in the long run, those of most weight by name, and what keeping all would cost. */
function givenUp(
  { pages, givenUp: positions }: Planned['solution'],
  { weight, pageName }: CheckedCrawlPlan['problem'],
  { longRun: now, keepingAll }: NonNullable<Planned['beside']> = {},
): string {
  const left = Array.from(positions);
  if (left.length === 0) return '';
  const rates = cellsOf(pages, 'changeRate');
  const slowest = left.reduce((least, i) => Math.min(least, Number(rates[i])), Number.POSITIVE_INFINITY);
  const heaviest = left.toSorted((a, b) => weight[b] - weight[a]).slice(0, mostNamed);
  const names = heaviest.map((i) => (pageName?.[i] === undefined ? `page ${i}` : JSON.stringify(pageName[i])));
  const more = left.length > mostNamed ? ', …' : '';
  const change = `${left.length === 1 ? 'it changes' : 'they change'} ${frequencyText(slowest)} or more often`;
  const given = ` ${countText(left.length, 'page is', 'pages are')} given up (${names.join(', ')}${more}): ${change}, so that a copy is stale again before it serves.`;
  const all = weight.reduce((sum, each) => sum + each, 0);
  if (!keepingAll || !now || !(all > 0)) return given;
  const flag = spanOf(keepingAll.maxInterval);
  const than = `${share(keepingAll.value / all, 3)} in place of ${share(now.value / all, 3)}`;
  return `${given} Every page at least once in ${flag} (maxInterval, --max-interval ${flag}) would leave copies stale ${than} of the time in the long run.`;
}

/** As the command line takes it: 1d, 6h, 90s. */
function spanOf(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  return seconds % 3600 === 0 ? `${seconds / 3600}h` : `${seconds}s`;
}
