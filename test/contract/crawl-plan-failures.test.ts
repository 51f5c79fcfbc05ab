import { expect, it } from 'vitest';
import { crawlPlan } from '../../src/operations/crawl-plan.ts';
import { answerOf } from './outcomes.ts';

const now = 1_780_000_000;
const day = 86_400;

/** A page seen regularly until `until`, and its last fetches, an hour apart. */
const page = (id: string, gap: number, changing: boolean, statuses: readonly number[] = [], until = now - 8000) => ({
  id,
  host: `${id}.example`,
  observations: [
    ...Array.from({ length: 30 }, (_, k) => ({
      time: until - gap * (30 - k),
      status: 200,
      signature: `v${changing ? k : k >> 1}`,
    })),
    ...statuses.map((status, k) => ({ time: until + 3600 * k, status })),
  ],
});

/** A plan of 50 fetches for four pages, the first the fastest, with its last fetches. */
function plan(statuses: readonly number[], more: object = { crawls: 50 }, until?: number) {
  const pages = [page('fast', 7200, true, statuses, until), ...['b', 'c', 'd'].map((id) => page(id, day, false))];
  const body = answerOf(crawlPlan, { now, interval: day, ...more, pages });
  const said = body.warnings.map(({ detail }: { detail: string }) => detail).join(' ');
  return { body, said, crawls: body.solution.pages.map(({ crawls }: { crawls: number }) => crawls) };
}

it('does not move the fetches elsewhere for one 503 of the fastest page', () => {
  const healthy = plan([]);
  const failurePlan = plan([503]);
  expect(failurePlan.crawls[0]).toBeGreaterThan(0.8 * healthy.crawls[0]);
  expect(failurePlan.said).not.toContain('wait');
  const interval = (answer: typeof failurePlan): number => answer.body.solution.pages[0].fetchInterval;
  expect(interval(failurePlan) / interval(healthy)).toBeCloseTo(1, 1);
});

it('waits as long again as the failures have lasted, and at most the usual interval', () => {
  const { body, said, crawls } = plan([503, 503, 503]);
  expect(crawls[0]).toBeGreaterThan(0);
  expect(said).toContain('pages that failed last and wait: 1 ("fast")');
  const { nextFetch } = body.solution.pages[0];
  // it failed from 8,000 s ago to 800 s ago, and is fetched every 7,000 s or so
  expect(nextFetch).toBeGreaterThan(now + 5000);
  expect(nextFetch).toBeLessThan(now + 8200);
  // a refusal of another kind waits as long as it lasted, whenever the page was last seen
  const refusalPlan = plan([403, 403]);
  expect(refusalPlan.said).not.toContain('wait');
  expect(refusalPlan.body.solution.pages[0].nextFetch).toBeLessThan(nextFetch);
});

it.each([[[410]], [[404, 404]]])('takes %j for gone: no fetch before a week, none in a promise', (statuses) => {
  const gonePlan = plan(statuses);
  expect(gonePlan.crawls[0]).toBe(0);
  expect(gonePlan.said).toContain('pages gone (410, or 404 twice in a row)');
  const promised = plan(statuses, { target: { freshness: 0.9 } });
  expect(promised.crawls[0]).toBe(0);
  expect(plan([...statuses, 200]).crawls[0]).toBeGreaterThan(0);
});

it('tries a page that is gone once when its week is over, and not first', () => {
  const { body, crawls } = plan([404, 404], { crawls: 50, evenShare: 0.05 }, now - 7.5 * day);
  expect(crawls[0]).toBe(1);
  for (const { time, page: i } of body.solution.schedule)
    if (i === 0) expect(time).toBeGreaterThanOrEqual(now + day / 2);
});

it('waits for nothing where all hosts fail: it was the crawler', () => {
  const pages = ['a', 'b', 'c', 'd'].map((id) => page(id, 7200, true, [0]));
  const body = answerOf(crawlPlan, { now, interval: day, crawls: 40, pages });
  expect(body.solution.schedule).toHaveLength(40);
  expect(JSON.stringify(body.warnings)).toContain('all hosts fail: it was the crawler');
});

it('plans the pages of a new host at once: a single line of status 0 is a page never fetched', () => {
  const newPages = ['u', 'v', 'w', 'x', 'y'].map((id) => ({
    id,
    host: 'new.example',
    observations: [{ time: now - 4000, status: 0 }],
  }));
  const body = answerOf(crawlPlan, { now, interval: day, crawls: 48, pages: [page('a', 7200, true), ...newPages] });
  expect(JSON.stringify(body.warnings)).not.toContain('failing-pages');
  const { pages } = body.solution;
  for (const { nextFetch } of pages.slice(1)) expect(nextFetch).toBeLessThan(now + 3 * 3600);
});
