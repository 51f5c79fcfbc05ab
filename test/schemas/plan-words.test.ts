import { describe, expect, it } from 'vitest';
import { atOwnIntervals, busiestPages } from '../../src/schemas/crawl-plan/long-run-words.ts';
import { explainPage } from '../../src/schemas/words/explain-page.ts';
import { checkHistory } from '../../src/solvers/estimation/index.ts';

const day = 86_400;
const pages = (changes: number[], every: number[], crawls: number[]) => ({
  changeRate: Float64Array.from(changes, (each) => each / day),
  fetchInterval: Float64Array.from(every, (each) => each * day),
  crawls: Float64Array.from(crawls),
  weight: new Float64Array(changes.length).fill(1),
});

/** Stale share of a page with λ changes a day, fetched every T days. */
const stale = (rate: number, every: number): number => 1 - (1 - Math.exp(-rate * every)) / (rate * every);

describe('the long run in words', () => {
  it('says how stale copies are by the plan, and at the log’s own intervals with as many fetches', () => {
    const history = checkHistory([
      [
        [day, 1],
        [day, 0],
      ],
      [
        [day, 0],
        [day, 0],
      ],
    ]);
    const text = atOwnIntervals(pages([2, 0.1], [0.75, 1.5], [1, 1]), history);
    const byPlan = Math.round(50 * (stale(2, 0.75) + stale(0.1, 1.5)));
    const byLog = Math.round(50 * (stale(2, 1) + stale(0.1, 1)));
    expect(text).toBe(
      ` In the long run that is ${byPlan}%, and ${byLog}% at the log's own intervals with as many fetches.`,
    );
  });

  it('says nothing of the log’s own intervals where a page has no history', () => {
    expect(atOwnIntervals(pages([2, 1], [1, 1], [1, 1]), checkHistory([[[day, 1]], []]))).toBe('');
  });

  it('says what becomes of pages that change faster than they can be fetched, and what would help', () => {
    const text = busiestPages(pages([0.1, 0.2, 5, 8], [2, 2, 1, 3], [1, 1, 1, 0]), 3, day);
    expect(text).toMatch(
      /^ 2 pages change 5 times a day or more often: 3 fetches in a day cannot keep them fresh; some [\d.]+ would keep half of them fresh half of the time\. 1 of them is fetched now/,
    );
    const needed = Number(/some ([\d.]+) would/.exec(text)?.[1]);
    // At this price the page of 8 changes a day is stale for half of the time: 8 / 1.594 = 5.02 fetches a day for it alone.
    expect(needed).toBeGreaterThan(5.02);
  });

  it('says nothing where every page can be kept fresh', () => {
    expect(busiestPages(pages([0.1, 0.2], [1, 1], [1, 1]), 2, day)).toBe('');
  });
});

describe('why a page is fetched when it is', () => {
  const page = {
    changeRate: 1 / day,
    changeRateInterval: [0.5 / day, 2 / day] as const,
    crawls: 1,
    fetchInterval: 2 * day,
    intervalIfUnchanged: 3 * day,
    intervalIfChanged: day,
    nextFetch: 3600,
    staleness: 0.25,
  };
  const plan = { now: 0, interval: day, shadowPrice: 0.5 };

  it('says its rate with its interval, its worth beside the price, what binds, and when it comes next', () => {
    expect(explainPage(page, plan)).toBe(
      'It changes once a day (between 0.5 times a day and 2 times a day). With weight 1, one more fetch of it is worth 0.594; ' +
        'the price of a fetch is 0.5, in weight × share of the interval. In the long run it is fetched every 2 d: the ' +
        'price binds. It is fetched next in 1 h: 1 fetch in the next day, and its copy is stale 25% of the time. After ' +
        'that fetch it comes again in 3 d if it was unchanged, in 1 d if it had changed.',
    );
  });

  it('names the limit that binds', () => {
    expect(explainPage(page, { ...plan, maxInterval: 2 * day })).toContain('maxInterval binds');
    expect(explainPage(page, { ...plan, minInterval: 2 * day })).toContain('minInterval binds');
  });

  it('says which outcome gives it up', () => {
    expect(explainPage({ ...page, intervalIfChanged: null }, plan)).toContain(
      'After that fetch it comes again in 3 d if it was unchanged, never (no later fetch is then worth its price) if it had changed.',
    );
  });

  it('says that no fetch is worth its price', () => {
    const given = { ...page, fetchInterval: null, nextFetch: null, crawls: 0 };
    expect(explainPage(given, plan)).toContain('No fetch of it is worth that price');
    expect(explainPage(given, plan)).toContain('It is not fetched again: 0 fetches');
  });
});
