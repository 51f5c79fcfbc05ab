import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { explainPage } from '../../src/schemas/words/explain-page.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';

const day = 86_400;
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

  it('states the rate with its interval, the worth and the price, the binding limit, and the next fetch', () => {
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

  it('states the outcome after which the page is given up', () => {
    expect(explainPage({ ...page, intervalIfChanged: null }, plan)).toContain(
      'After that fetch it comes again in 3 d if it was unchanged, never (no later fetch is then worth its price) if it had changed.',
    );
  });

  it('says that no fetch is worth its price', () => {
    const unfetchedPage = { ...page, fetchInterval: null, nextFetch: null, crawls: 0 };
    expect(explainPage(unfetchedPage, plan)).toContain('No fetch of it is worth that price');
    expect(explainPage(unfetchedPage, plan)).toContain('It is not fetched again: 0 fetches');
  });
});

describe('the sentence of a plan that gives pages up', () => {
  const now = 1_760_000_000;
  const pages = Array.from({ length: 60 }, (_, i) => ({
    id: `p${i}`,
    changeRate: (i < 24 ? 0.3 : 40 + i) / day,
    weight: 1 + (i % 5),
    lastCrawl: now - 3600 * (1 + (i % 24)),
  }));

  it('names those of most weight, and says what keeping every page would cost', () => {
    const result = crawlPlan.check({ now, interval: day, crawls: 200, pages });
    if (!result.ok) throw new Error('refused');
    const { summary } = result.request.solve(unlimitedBudget());
    expect(summary).toMatch(
      /\. \d+ pages are given up \("p54", "p59", "p33", …\); every page at least once in 1d \(--max-interval 1d\) leaves copies stale [\d.]+% in place of [\d.]+% of the time for ever\.$/,
    );
  });
});
