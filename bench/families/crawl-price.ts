/**
 * `crawl-price` from wide buckets, which leave a bracket around the price. Each page is crawled at the rate of the price
 * and of its host. The rules spend the same crawls in equal shares, in proportion, and by square roots.
 */
import { crawlPrice } from '../../src/index.ts';
import type { Contest, Instance } from './contest.ts';
import { axisTexts, drawPoints, type Point, seededDraw } from './draws.ts';
import { amountNeeded, costAt, costOfRates, rateAt, requireTarget, shareRules, sharesBy, totalOf } from './long-run.ts';
import { drawPages, type Page } from './pages.ts';

const axes = {
  pages: [20, 300, 3000],
  spread: [0.5, 1, 1.5, 2.5],
  weights: ['equal', 'lognormal', 'as rates'],
  // width of a bucket in ln(weight/rate)
  width: [0.001, 0.1, 0.3, 1, 2],
  // crawls of a page in its mean time between changes
  crawls: [0.1, 1, 5],
  asked: ['crawls', 'crawls', 'hosts', 'target'],
} as const;
type Case = Point<typeof axes>;

export const crawlPriceContest: Contest = {
  operation: 'crawl-price',
  instances(size, seed) {
    return drawPoints(axes, size === 'grid' ? 72 : 12, seed).map((point, k) => instanceOf(point, seed * 1000 + k));
  },
};

const hosts = 4;

function instanceOf(point: Case, seed: number): Instance {
  const pages = drawPages({ ...point, ages: 'none', hosts: point.asked === 'hosts' ? hosts : 0 }, seededDraw(seed));
  const crawls = point.crawls * pages.length;
  // the first host may have no more than half of its share of the pages
  const limit =
    point.asked === 'hosts' ? (crawls * pages.filter(({ host }) => host === 0).length) / pages.length / 2 : 0;
  // The answer's crawls keep a target for every table with these buckets. A rule sees these pages only, and at a width
  // of 2 needs up to 8% fewer crawls.
  if (point.asked === 'target')
    return withTarget({ ...point, width: point.width > 0.3 ? 0.3 : point.width }, pages, crawls);
  let crawlTotal = crawls;
  const rules = Object.entries(shareRules).map(([name, rule]) => {
    const byShare = (): number => {
      const rates = sharesBy(rule, pages).map((share) => share * crawlTotal);
      const first = totalOf(rates.filter((_, i) => pages[i].host === 0));
      const factor = limit > 0 && first > limit ? limit / first : 1;
      return costOfRates(
        pages,
        rates.map((rate, i) =>
          pages[i].host === 0 ? rate * factor : (rate * (crawlTotal - first * factor)) / (crawlTotal - first),
        ),
      );
    };
    return [name, byShare] as const;
  });
  return {
    axes: axisTexts(point),
    solve() {
      const { rates, objective } = solveCase(point, pages, { crawls, limit });
      crawlTotal = totalOf(rates);
      // The proof holds for the requested crawls; the pages make a few more or fewer, so allow for that difference.
      return { value: costOfRates(pages, rates), gap: objective.gap };
    },
    rules: Object.fromEntries(rules),
  };
}

function withTarget(point: Case, pages: readonly Page[], crawls: number): Instance {
  const rootShares = sharesBy(shareRules['square roots'], pages);
  const totalWeight = totalOf(pages.map(({ weight }) => weight));
  const fresh =
    1 -
    costOfRates(
      pages,
      rootShares.map((share) => share * crawls),
    ) /
      totalWeight;
  const goal = (1 - fresh) * totalWeight;
  const costs = (amounts: readonly number[]): number[] => amounts.map((each, i) => costAt(pages[i], each));
  const rules = Object.entries(shareRules).map(([name, rule]) => {
    const shares = sharesBy(rule, pages);
    return [name, () => amountNeeded(goal, costs, (total) => shares.map((share) => share * total))] as const;
  });
  return {
    axes: axisTexts(point),
    solve() {
      const { rates, objective } = solveCase(point, pages, { fresh });
      // One factor scales all rates to the answer's number of crawls.
      const factor = objective.value / totalOf(rates);
      requireTarget(goal, costs(rates.map((rate) => factor * rate)));
      return { value: objective.value, gap: objective.gap };
    },
    rules: Object.fromEntries(rules),
  };
}

interface PriceQuestion {
  readonly crawls?: number;
  readonly limit?: number;
  readonly fresh?: number;
}

/** The crawl rate of each page at the answer's price. */
function solveCase(point: Case, pages: readonly Page[], { crawls, limit = 0, fresh }: PriceQuestion) {
  const answer = crawlPrice({
    ...(crawls !== undefined && { crawls, interval: 1 }),
    ...(fresh !== undefined && { target: { freshness: fresh } }),
    buckets: histogramOf(pages, point.width),
    ...(limit > 0 && { hosts: [{ host: 'h0', maxRate: limit }] }),
  });
  if (answer.objective === undefined || answer.solution === undefined) throw new Error('no price');
  const { price, scale = 1, hosts: own = [] } = answer.solution;
  const first = own.find(({ host, limited }) => host === 'h0' && limited);
  const rates = pages.map((page) =>
    page.host === 0 && first !== undefined
      ? first.scale * rateAt(page, first.price)
      : scale * rateAt(page, price ?? Number.POSITIVE_INFINITY),
  );
  return { rates, objective: answer.objective };
}

/** One row for each host and each step of ln(weight/rate). */
function histogramOf(pages: readonly Page[], width: number) {
  const rows = new Map<string, Page[]>();
  for (const page of pages) {
    const key = `${page.host} ${Math.floor(Math.log(page.weight / page.rate) / width)}`;
    rows.set(key, [...(rows.get(key) ?? []), page]);
  }
  return [...rows.values()].map((row) => {
    const ratios = row.map(({ rate, weight }) => weight / rate);
    return {
      pages: row.length,
      changeRate: totalOf(row.map(({ rate }) => rate)),
      weight: totalOf(row.map(({ weight }) => weight)),
      changeRateLogRatio: totalOf(row.map(({ rate }, k) => rate * Math.log(ratios[k]))),
      ratioMin: Math.min(...ratios),
      ratioMax: Math.max(...ratios),
      ...(row[0].host >= 0 && { host: `h${row[0].host}` }),
    };
  });
}
