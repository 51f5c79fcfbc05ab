/**
 * What the rates' uncertainty does to the number of crawls, and the pages it hangs on.
 *
 * 1. Each page by itself: at the price found, the least crawls R move with what the page leaves and takes, in crawls
 *    (envelope theorem). The ends of its rate's 95% interval are compared with what is believed. At the lower end the
 *    page is fetched as is best there, at the upper end as planned: R falls no further, and rises no further. Pages are
 *    independent, so that these differences add by their squares. Where no page was ever checked all are alike, and
 *    they add.
 * 2. All pages together: the prior that beliefs go back to may be wrong (population.ts).
 * R has a long tail upwards, so ln R moves by both, which are independent. The prior's own answer stays within.
 */
import type { Budget } from '../../budget.ts';
import type { AskedTarget, TargetMet } from '../../pages/targets/index.ts';
import type { PageRates } from '../evidence/page-rates.ts';
import { nearlyWhole } from './kept-target.ts';
import type { TargetedPages } from './needed-rate.ts';
import { PageResponses } from './page-responses.ts';
import { movedByPopulations } from './population.ts';
import type { HangsOn, NeededCrawls } from './problem.ts';

const shown = 10;

/** Crawls in the plan's interval, from those found. */
export function crawlsInterval(
  pages: TargetedPages,
  rates: PageRates,
  met: TargetMet,
  target: AskedTarget,
  budget: Budget,
): Pick<NeededCrawls, 'interval' | 'hangsOn'> {
  const { weight, interval, history } = pages.problem;
  const { rate, known, beliefs } = rates;
  const { low, high } = rates.intervals();
  if (!low.some((least, i) => least < high[i] && weight[i] > 0)) return { interval: null, hangsOn: [] };
  // the time was up before they were found
  if (high.includes(Number.POSITIVE_INFINITY)) return { interval: [0, null], hangsOn: [] };
  const responses = new PageResponses(pages, rates, met, target);
  const counted: number[] = [];
  const [below, above] = [new Moves(), new Moves()];
  const hangsOn: HangsOn[] = [];
  for (let i = 0; i < rate.length; i++) {
    if (!responses.counts(i)) continue;
    counted.push(i);
    if (!(low[i] < high[i])) continue;
    const now = responses.believed(i, rate[i]);
    const [down, up] = [now - responses.best(i, low[i]), responses.planned(i, high[i]) - now];
    below.add(down);
    above.add(up);
    const moves = Math.max(Math.abs(down), Math.abs(up));
    if (!(moves > (hangsOn[shown - 1]?.crawls ?? 0))) continue;
    hangsOn.push({ page: i, crawls: moves });
    hangsOn.sort((a, b) => b.crawls - a.crawls).splice(shown);
  }
  const crawls = met.total * interval;
  const isChecked = history.elapsed.length > 0;
  const of = (moves: Moves): number => (isChecked ? Math.sqrt(moves.squares) : moves.sum) / crawls || 0;
  const moved =
    beliefs === null || !isChecked
      ? { middle: 0, half: 0 }
      : movedByPopulations(
          { history, prior: beliefs.prior, pages: counted, rate: (i) => (known[i] === 1 ? rate[i] : null), responses },
          budget,
        );
  if (moved === null) return { interval: [0, null], hangsOn };
  // no fewer than are asked for: these are whole too
  const whole = (exact: number): number => Math.ceil(exact - nearlyWhole * Math.max(1, exact));
  const least = whole(crawls * Math.exp(Math.min(0, moved.middle) - Math.hypot(moved.half, of(below))));
  const most = whole(crawls * Math.exp(Math.max(0, moved.middle) + Math.hypot(moved.half, of(above))));
  return { interval: [least, Number.isFinite(most) ? most : null], hangsOn };
}

/** By how much pages move a number: added, and by their squares. */
class Moves {
  sum = 0;
  squares = 0;

  add(move: number): void {
    this.sum += move;
    this.squares += move * move;
  }
}
