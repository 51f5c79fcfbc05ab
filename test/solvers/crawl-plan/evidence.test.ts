import { describe, expect, it } from 'vitest';
import { crawlPlan } from '../../../src/operations/crawl-plan.ts';
import { describeIssue } from '../../../src/schemas/contract/problem.ts';
import { crawlPlanRequest } from '../../../src/schemas/crawl-plan/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { type CrawlPlanProblem, planCrawls } from '../../../src/solvers/crawl-plan/index.ts';
import { meanItems } from '../../../src/solvers/crawl-plan/limits.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
import { certifyCrawlPlan } from './certify-plan.ts';

const day = 86_400;
const now = 1_760_000_000;

function problemOf(pages: readonly object[], options: object = {}): CrawlPlanProblem {
  return crawlPlanRequest.parse({ now, interval: day, crawls: 10, pages, ...options }).problem;
}

function rateOf(page: object): number {
  const answer = planCrawls(problemOf([page]), unlimitedBudget());
  if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
  return answer.plan.changeRate[0];
}

describe('events of a page', () => {
  it('give the rate that they show: n events in the time observed', () => {
    const random = seededRandom(7);
    const from = now - 100 * day;
    const events: number[] = [];
    for (let time = from; ; ) {
      time += (standardExponential(random) * day) / 6;
      if (time > now - 60) break;
      events.push(time);
    }
    const rate = rateOf({ events, observedFrom: from, lastCrawl: now - 60 });
    const plain = events.length / (100 * day);
    // the observations fade and the rate may drift, so that the last weeks count for more
    expect(Math.abs(Math.log(rate / plain))).toBeLessThan(0.25);
    expect(rateOf({ events, lastCrawl: now - 60 }) / rate).toBeCloseTo(1, 2);
  });

  it('count silence as evidence as well as changes, but not the time after the last fetch', () => {
    const events = [now - 60 * day, now - 59 * day, now - 58 * day];
    const silent = rateOf({ events, lastCrawl: now - 60 });
    const early = rateOf({ events, lastCrawl: now - 57 * day });
    expect(silent).toBeLessThan(0.4 * early);
    const none = rateOf({ events: [], observedFrom: now - 300 * day, lastCrawl: now - 60 });
    expect(none).toBeLessThan(1 / (100 * day));
  });

  it('as counts of regular checks are the checks they stand for', () => {
    const checks = [0, 1, 0, 1, 0, 1].map((seen) => [3600, seen]);
    const lastCrawl = now - 60;
    const counted = rateOf({ checks: { checks: 6, changes: 3, gap: 3600 }, lastCrawl });
    expect(counted).toBe(rateOf({ checks, lastCrawl }));
  });
});

describe('checks less than a millisecond apart', () => {
  it('are set aside: no rate is learned from them, and they are counted', () => {
    const lastCrawl = now - 60;
    const checks = [1e-13, 6e-4, 2e-14, 0].map((elapsed) => [elapsed, 1]);
    expect(rateOf({ checks, lastCrawl })).toBe(rateOf({ checks: [], lastCrawl }));
    const checked = crawlPlan.check({ now, interval: day, crawls: 10, pages: [{ checks, lastCrawl }] });
    if (!checked.ok) throw new Error('refused');
    const { warnings } = checked.request.solve(unlimitedBudget());
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'clock-backwards', detail: expect.stringMatching(/^checks .*: 4$/) }),
    );
  });
});

describe('a window of items', () => {
  it('leaves nothing over where it asks for all fetches: the price of one more is high, and a number', () => {
    const events = Array.from({ length: 40 }, (_, k) => now - 60 - 900 * (40 - k));
    const feed = { events, observedFrom: events[0] - 900, lastCrawl: now - 60, feed: { items: 10 } };
    const other = { checks: [[day, 1]], lastCrawl: now - day };
    for (const objective of ['delay', 'harmonic']) {
      const problem = problemOf([feed, other], { objective, interval: 7200, crawls: 1 });
      const answer = planCrawls(problem, unlimitedBudget());
      expect(certifyCrawlPlan(problem, answer)).toEqual([]);
      if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
      expect(answer.plan.shadowPrice).toBeGreaterThan(1e6);
      expect(answer.plan.shadowPrice).toBeLessThan(Number.MAX_VALUE);
    }
  });

  it('lasts until as many items have come with the chance asked for, against a simulation', () => {
    const random = seededRandom(11);
    for (const [items, loss] of [
      [1, 0.2],
      [10, 0.05],
      [30, 0.3],
    ] as const) {
      const mean = meanItems(items, loss);
      const trials = 20_000;
      let lost = 0;
      for (let trial = 0; trial < trials; trial++) {
        let time = 0;
        for (let n = 0; n <= items; n++) time += standardExponential(random);
        if (time < mean) lost++;
      }
      // five standard errors
      expect(Math.abs(lost / trials - loss)).toBeLessThan(5 * Math.sqrt((loss * (1 - loss)) / trials));
    }
  });

  it('shortens the longest interval of its page alone, and a certificate finds no loss', () => {
    const pages = [
      { id: 'feed', changeRate: 20 / day, lastCrawl: now - 60, feed: { items: 10, loss: 0.01 } },
      { id: 'page', changeRate: 20 / day, lastCrawl: now - 60 },
    ];
    const problem = problemOf(pages, { evenShare: 0 });
    const answer = planCrawls(problem, unlimitedBudget());
    expect(certifyCrawlPlan(problem, answer)).toEqual([]);
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
    // P(Poisson(4.771) > 10) = .01
    expect(answer.plan.fetchInterval[0] * (20 / day)).toBeLessThanOrEqual(4.7713);
    const [first] = [{ ...answer, plan: { ...answer.plan, fetchInterval: Float64Array.of(day, day) } }];
    expect(certifyCrawlPlan(problem, first)).toEqual([expect.stringContaining('page 0 loses items')]);
  });

  it('that the crawls cannot keep is a conflict that says so', () => {
    const pages = [{ changeRate: 1000 / day, lastCrawl: now - 60, feed: { items: 10 } }];
    const answer = planCrawls(problemOf(pages), unlimitedBudget());
    expect(answer).toMatchObject({
      status: 'infeasible',
      conflict: { detail: expect.stringContaining('feeds shorten maxInterval') },
    });
  });
});

describe('evidence that cannot be', () => {
  it.each([
    [{ events: [now - 10, now - 20] }, 'not-increasing'],
    [{ events: [now + 10] }, 'implausible-time'],
    [{ events: [1000 * now] }, 'implausible-time'],
    [{ events: [now - 20], observedFrom: now - 10 }, 'out-of-range'],
    [{ checks: [], observedFrom: now - 10 }, 'not-applicable'],
    [{ events: [now - 20], checks: [] }, 'one-of'],
    [{ checks: { checks: 2, changes: 3, gap: 60 } }, 'out-of-range'],
    [{ checks: { checks: 2, changes: 1 } }, 'invalid_type'],
    [{ checks: { checks: 2, changes: 1, gap: 60, more: 1 } }, 'unrecognized_key'],
  ])('is refused (%#)', (page, code) => {
    const checked = crawlPlan.check({ now, interval: day, crawls: 10, pages: [page] });
    if (checked.ok) throw new Error('accepted');
    expect(JSON.stringify(checked.issues.flatMap(describeIssue))).toContain(`"${code}"`);
  });
});

describe('pages of one plan', () => {
  /** Some ten changes in a hundred days, as each kind of evidence. */
  const evidence: Readonly<Record<string, object>> = {
    checks: { checks: Array.from({ length: 100 }, (_, k) => [day, k % 10 === 9]) },
    counts: { checks: { checks: 100, changes: 10, gap: day } },
    observations: {
      observations: Array.from({ length: 101 }, (_, k) => ({
        time: now - 60 - (100 - k) * day,
        changed: k % 10 === 9,
      })),
    },
    events: { events: Array.from({ length: 10 }, (_, k) => now - (95 - 10 * k) * day), observedFrom: now - 100 * day },
    signals: {
      checks: { checks: 100, changes: 10, gap: day },
      signals: Array.from({ length: 10 }, (_, k) => now - (95 - 10 * k) * day),
      host: 'told',
    },
    rate: { changeRate: 0.1 / day },
    window: { changeRate: 0.1 / day, feed: { items: 2 } },
    new: { checks: [] },
  };

  it('may each bring its own kind of evidence', () => {
    const kinds = Object.keys(evidence);
    const pages = kinds.map((kind) => ({ ...(kind !== 'new' && { lastCrawl: now - 60 }), ...evidence[kind] }));
    const problem = problemOf(pages, {
      objective: 'delay',
      crawls: 24,
      hosts: [{ host: 'told', precision: 0.8, recall: 0.8 }],
    });
    const answer = planCrawls(problem, unlimitedBudget());
    expect(certifyCrawlPlan(problem, answer)).toEqual([]);
    if (answer.status === 'infeasible') throw new Error(answer.conflict.detail);
    const rates = new Map(kinds.map((kind, i) => [kind, answer.plan.changeRate[i] * day]));
    expect(rates.get('rate')).toBeCloseTo(0.1, 12);
    for (const kind of kinds) {
      // what is known of a new page is the others, or nothing; the signals came on other days than the changes found
      const [low, high] = kind === 'new' ? [0.01, 1] : [0.07, kind === 'signals' ? 0.2 : 0.15];
      expect(rates.get(kind), kind).toBeGreaterThan(low);
      expect(rates.get(kind), kind).toBeLessThan(high);
    }
    expect(rates.get('counts')).toBeCloseTo(rates.get('checks') ?? Number.NaN, 2);
    expect(answer.plan.fetchInterval[kinds.indexOf('window')]).toBeLessThanOrEqual(meanItems(2, 0.01) / (0.1 / day));
  });

  it('are refused where two have one id', () => {
    const page = { id: 'twice', changeRate: 1e-5 };
    const checked = crawlPlan.check({ now, interval: day, crawls: 10, pages: [page, { ...page, id: 'once' }, page] });
    if (checked.ok) throw new Error('accepted');
    expect(checked.issues.map(({ path }) => path.join('/'))).toEqual(['pages/2/id']);
    expect(JSON.stringify(checked.issues.flatMap(describeIssue))).toContain('"duplicate"');
  });
});
