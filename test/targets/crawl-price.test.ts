/** How few crawls keep a target, from a histogram and from a table through DuckDB. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crawlPrice, type RequestOf } from '../../src/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { minimizeRate, priceOfRate } from '../../src/solvers/crawl-price/index.ts';
import { openDuckDb } from '../../src/tables/duckdb.ts';
import { pricePages, rateForTarget } from '../../src/tables/price/pages.ts';
import { surveyPages } from '../../src/tables/survey-pages.ts';
import { faultsOf } from '../certificates/faults-of.ts';
import { histogramOf, lognormalPages, problemOf } from '../solvers/crawl-price/tables-of-pages.ts';
import { run, wordsOf } from '../tables/run.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Request = RequestOf<typeof crawlPrice>;

const folder = temporaryFolder();

const pages = lognormalPages(3000, 5);
const weight = pages.reduce((sum, { changeRate, ratio }) => sum + changeRate * ratio, 0);
/** Each page a bucket of its own: the histogram is then the table. */
const buckets = pages.map(({ changeRate, ratio }) => ({
  pages: 1,
  changeRate,
  weight: changeRate * ratio,
  changeRateLogRatio: changeRate * Math.log(ratio),
  ratioMin: ratio,
  ratioMax: ratio,
}));

/** What delays are means by. */
const product = pages.reduce((sum, { changeRate, ratio }) => sum + changeRate ** 2 * ratio, 0);
const measures = { freshness: 'staleness', harmonic: 'harmonic', delay: 'meanDelay' } as const;

describe('the least crawls of a histogram', () => {
  it.each(['freshness', 'harmonic', 'delay'] as const)(
    'are those that the forward question reaches %s with',
    (objective) => {
      for (const rate of [50, 900, 20_000]) {
        const forward = crawlPrice({ buckets, rate, objective });
        const mean = (forward.objective?.value ?? 0) / (objective === 'delay' ? product : weight);
        const target = { [measures[objective]]: mean };
        const request: Request = { buckets, objective, target };
        const answer = crawlPrice(request);
        expect(Math.abs((answer.solution?.crawls ?? Number.NaN) / rate - 1)).toBeLessThan(1e-9);
        expect(answer.status).toBe('optimal');
        expect(faultsOf('crawl-price', request, answer)).toEqual([]);
      }
    },
  );

  it('are out of reach where every page has a host with a limit', () => {
    const hosted = buckets.map((bucket) => ({ ...bucket, host: 'a' }));
    const hosts = [{ host: 'a', maxRate: 900 }];
    const forward = crawlPrice({ buckets, rate: 900 });
    const missed = crawlPrice({ buckets: hosted, hosts, target: { freshness: 0.999 } });
    expect(missed.status).toBe('infeasible');
    const { reachable, limits } = Object(missed.conflict);
    const left = (forward.objective?.value ?? 0) / weight;
    expect(reachable).toBeCloseTo(1 - left, 6);
    const price = (forward.solution?.price ?? 0) / weight;
    expect(limits).toEqual([{ limit: 'maxRate', host: 'a', price: expect.closeTo(price, 9) }]);
    // just what the limits leave takes all that they let
    const request: Request = { buckets: hosted, hosts, target: { staleness: left } };
    const answer = crawlPrice(request);
    expect(answer.objective?.value).toBeCloseTo(900, 6);
    expect(answer.objective?.gap).toBeLessThan(1e-9);
    expect(faultsOf('crawl-price', request, answer)).toEqual([]);
  });
});

describe('the least crawls of a histogram of wide buckets', () => {
  it.each([
    [0.3, 0, 5, 0.4],
    [0.3, 40, 600, 0.4],
    [2, 40, 600, 0.4],
    [2, 3, 600, 3],
    [1, 0, 60, 0.4],
    [2, 3, 600, 0.4],
    [4, 0, 60, 0.02],
  ])('width %d, %d hosts, %d pages, %d of the changes: as many as leave the target', (width, hosts, count, share) => {
    const some = lognormalPages(count, 5 + count, { hosts: Math.max(1, hosts) });
    const { histogram, host } = histogramOf(some, width, hosts > 0);
    const rate = share * some.reduce((sum, { changeRate }) => sum + changeRate, 0);
    const maxRate = new Float64Array(hosts).map((_, h) => (h % 3 === 0 ? rate / hosts / 2 : 1e9 * rate));
    const problem = { ...problemOf(histogram, 'freshness', rate), ...(hosts > 0 && { host, maxRate }) };
    const forward = priceOfRate(problem, unlimitedBudget());
    const inverse = minimizeRate(problem, forward.objective.value, unlimitedBudget());
    if (!inverse.feasible) throw new Error('missed');
    expect(Math.abs(inverse.rate / rate - 1)).toBeLessThan(1e-9);
    expect(inverse.answer.objective.value).toBeLessThanOrEqual(forward.objective.value);
    expect(inverse.bound).toBeLessThanOrEqual(inverse.rate);
  });

  it.each(['freshness', 'delay'] as const)(
    'take at most twice the prices of the forward question, for %s',
    (objective) => {
      const some = lognormalPages(40_000, 5);
      const { histogram } = histogramOf(some, 0.0005);
      const rate = some.reduce((sum, { changeRate }) => sum + changeRate, 0) / 2;
      let polls = 0;
      // the budget is polled once in a fixed number of elementary steps
      const counting = { ...unlimitedBudget(), stopRequested: () => ++polls < 0 };
      const forward = priceOfRate(problemOf(histogram, objective, rate), counting);
      const forwardPolls = polls;
      polls = 0;
      minimizeRate(problemOf(histogram, objective, 1), forward.objective.value, counting);
      expect(forwardPolls).toBeGreaterThan(4);
      expect(polls).toBeLessThanOrEqual(2 * forwardPolls);
    },
  );
});

describe('crawl-optimizer tables --freshness', () => {
  const file = join(folder, 'pages.csv');
  const lines = pages.map(({ changeRate, ratio }, i) => `p${i},${changeRate},${changeRate * ratio}`);
  writeFileSync(file, `url,rate,weight\n${lines.join('\n')}\n`);
  const words = ['price', file, ...wordsOf('--id url --rate rate --rate-unit day --weight weight --per week')];

  it.each([
    ['--freshness', '0.6', 'freshness', { freshness: 0.6 }],
    ['--mean-delay', '0.5days', 'delay', { meanDelay: 0.5 }],
  ] as const)('keeps %s %s with a thousandth more than the fewest crawls', async (name, value, objective, target) => {
    const { code, out, err } = await run(...words, name, value);
    expect(code, err).toBe(0);
    const answer = JSON.parse(out);
    if (objective === 'freshness') expect(answer.objective.value / weight).toBeLessThanOrEqual(0.4 * (1 + 1e-9));
    const exact = crawlPrice({ buckets, objective, target }).solution?.crawls ?? 0;
    expect(answer.crawls / 7 / exact).toBeGreaterThan(1 - 1e-9);
    expect(answer.crawls / 7 / exact).toBeLessThan(1.001);
  });

  it('reads the pages no more often than the forward question', async () => {
    const engine = await openDuckDb([file], '512MB');
    let scans = 0;
    const rows = (sql: string) => {
      scans++;
      return engine.rows(sql);
    };
    const counting = { ...engine, rows };
    const pagesOf = { id: 'url', changeRate: 'rate', weight: 'weight', host: undefined, from: engine.from };
    const question = {
      pages: pagesOf,
      objective: 'freshness',
      bucketWidth: 0.02,
      intervalBounds: undefined,
      hosts: [],
    } as const;
    const survey = await surveyPages(counting, question);
    await pricePages(counting, { ...question, rate: 500 }, survey);
    const forward = scans;
    scans = 0;
    const secondSurvey = await surveyPages(counting, question);
    const rate = rateForTarget(question, secondSurvey, { measure: 'freshness', value: 0.6 });
    await pricePages(counting, { ...question, rate }, secondSurvey);
    expect(scans).toBe(forward);
    await engine.close();
  });
});
