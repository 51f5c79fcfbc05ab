/**
 * `crawl-optimizer tables` on real files through DuckDB: its price against the exact solver, its refusals, what it
 * leaves behind.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { solveFrequencies } from '../../src/solvers/access-frequencies/index.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { lognormalPages } from '../solvers/crawl-price/tables-of-pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { boundedOptimum } from './bounded-optimum.ts';
import { rowsOf, run } from './run.ts';

const folder = temporaryFolder();

const columns = ['--id', 'u"rl', '--rate', 'changes per day', '--rate-unit', 'day'];
const budget = ['--crawls', '7000', '--per', 'week'];

/** A CSV of pages, whose names need quoting. */
function csv(name: string, rows: readonly (readonly [string, unknown, unknown])[]): string {
  const file = join(folder, name);
  writeFileSync(file, `"u""rl",changes per day,w\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  return file;
}

const pages = lognormalPages(4000, 17);
const table = csv(
  'pages.csv',
  pages.map(({ changeRate, ratio }, i) => [`p${i}`, changeRate, changeRate * ratio] as const),
);

describe('crawl-optimizer tables', () => {
  it('plans the pages of a file as the exact solver does, and says the next fetch', async () => {
    const exact = solveFrequencies(
      {
        accessTime: { type: 'deterministic', value: 1 / 1000 },
        changeRate: Float64Array.from(pages, ({ changeRate }) => changeRate),
        weight: Float64Array.from(pages, ({ changeRate, ratio }) => changeRate * ratio),
        policy: 'deterministic',
        minFrequency: 0,
      },
      unlimitedBudget(),
    );
    if (exact.status === 'infeasible') throw new Error('no answer');
    const out = join(folder, 'plan.ndjson');
    const { code, out: said } = await run(
      'plan',
      ...[table, ...columns, '--weight', 'w', ...budget, '--out', out, '--last-crawl', 'w'],
    );
    expect(code).toBe(0);
    const answer = JSON.parse(said);
    expect(answer.pages).toBe(4000);
    expect(answer.objective.gap).toBeLessThan(1e-9);
    expect(answer.objective.value).toBeGreaterThanOrEqual(exact.objective.value * (1 - 1e-12));
    expect(answer.objective.bound).toBeLessThanOrEqual(exact.objective.value * (1 + 1e-12));
    const plan: { 'u"rl': string; rate: number; interval: number | null; staleness: number; nextFetch: number }[] =
      rowsOf(out);
    expect(plan.length).toBe(4000);
    expect(plan.reduce((sum, { rate }) => sum + rate, 0) / 1000 - 1).toBeCloseTo(0, 9);
    let cost = 0;
    for (const row of plan) {
      const { changeRate, ratio } = pages[Number(row['u"rl'].slice(1))];
      cost += changeRate * ratio * row.staleness;
      if (row.interval === null) expect(row.rate).toBe(0);
      else {
        expect(row.rate * row.interval).toBeCloseTo(1, 12);
        const next = changeRate * ratio + row.interval * 86_400;
        expect(row.nextFetch / next).toBeCloseTo(1, 12);
      }
    }
    expect(cost / answer.objective.value).toBeCloseTo(1, 9);
  });

  it.each(['delay', 'harmonic'])('prices by %s with a proof', async (objective) => {
    const { code, out } = await run('price', table, ...columns, ...budget, '--objective', objective);
    expect(code).toBe(0);
    const answer = JSON.parse(out);
    expect(answer.objective.gap).toBeLessThan(1e-9);
    expect(answer.withoutCrawl).toBe(0);
    expect(answer.price).toBeGreaterThanOrEqual(answer.priceBracket[0]);
    expect(answer.price).toBeLessThanOrEqual(answer.priceBracket[1]);
  });

  // every price that is tried reads all pages
  const few = pages.slice(0, 1200);
  const fewTable = csv(
    'few.csv',
    few.map(({ changeRate, ratio }, i) => [`p${i}`, changeRate, changeRate * ratio] as const),
  );
  const fewCrawls = ['--crawls', '2100', '--per', 'week'];

  it.each([
    ['freshness', '12hours', '30days'],
    ['freshness', '2 days', '1 week'],
    ['delay', '1day', '8days'],
    ['harmonic', '1day', '8days'],
  ] as const)(
    'keeps intervals within bounds, proved for the clamped rates: %s from %s to %s',
    async (objective, least, most) => {
      const days = (text: string): number =>
        Number.parseFloat(text) * (text.endsWith('hours') ? 1 / 24 : text.endsWith('week') ? 7 : 1);
      const out = join(folder, 'bounded.ndjson');
      const { code, out: said } = await run(
        ...['plan', fewTable, ...columns, '--weight', 'w', ...fewCrawls, '--objective', objective, '--out', out],
        ...['--min-interval', least, '--max-interval', most],
      );
      expect(code).toBe(0);
      const answer = JSON.parse(said);
      const best = boundedOptimum(few, { objective, min: days(least), max: days(most), rate: 300 });
      // past some 40 changes between crawls a page's best rate jumps at one price: then one page's share is left
      // unspent
      const jump = objective === 'freshness' ? 1 / days(least) - 1 / days(most) : 0;
      const excess = answer.objective.value / best - 1;
      expect(excess).toBeLessThanOrEqual(answer.objective.gap + 1e-9);
      expect(excess).toBeGreaterThanOrEqual(-1e-9);
      expect(answer.objective.gap).toBeLessThanOrEqual(1e-9 + (answer.price * jump) / answer.objective.bound);
      expect(answer.objective.bound).toBeLessThanOrEqual(best * (1 + 1e-9));
      expect(answer.withoutCrawl).toBe(0);
      const plan: { rate: number; interval: number }[] = rowsOf(out);
      expect(plan.reduce((sum, { rate }) => sum + rate, 0) / answer.spent).toBeCloseTo(1, 9);
      expect(answer.spent).toBeLessThanOrEqual(300 * (1 + 1e-12));
      const intervals = plan.map(({ interval }) => interval);
      expect(Math.min(...intervals) / days(least)).toBeGreaterThan(1 - 1e-12);
      expect(Math.max(...intervals) / days(most)).toBeLessThan(1 + 1e-12);
      expect(intervals.filter((interval) => Math.abs(interval / days(least) - 1) < 1e-12).length).toBeGreaterThan(0);
    },
  );

  it('leaves crawls unspent where the least interval allows no more, and never crawls some pages without a longest interval', async () => {
    const unhosted = await run('price', table, ...columns, ...budget, '--min-interval', '10days');
    expect(unhosted.code).toBe(0);
    const rich = JSON.parse(unhosted.out);
    expect(rich.spent).toBeCloseTo(400, 6);
    expect(rich.objective.gap).toBeLessThanOrEqual(1e-9);
    const some = await run('price', table, ...columns, ...budget, '--min-interval', '1hour');
    expect(JSON.parse(some.out).withoutCrawl).toBeGreaterThan(0);
    expect(JSON.parse(some.out).objective.gap).toBeLessThanOrEqual(1e-9);
  });

  it.each([
    ['too few crawls', ['--max-interval', '1day'], '4000 pages crawled every --max-interval take 4000 crawls'],
    ['no unit', ['--max-interval', '3'], '--max-interval must be a time in seconds, minutes'],
    ['bounds that cross', ['--min-interval', '3days', '--max-interval', '50hours'], 'is above --max-interval 50hours'],
  ])('refuses bounds of intervals with %s', async (_, words, message) => {
    const { code, err } = await run('price', table, ...columns, ...budget, ...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('refuses values no price can be computed from, with counts and three pages, and writes nothing', async () => {
    const rows = [1, '', 0, 0, 0, 0, -2, 'inf', 'nan', 3].map(
      (rate, i) => [`page${i}`, rate, i === 9 ? -1 : 1] as const,
    );
    const file = csv('faulty.csv', rows);
    const out = join(folder, 'faulty.parquet');
    writeFileSync(out, 'what was there');
    const { code, err } = await run('plan', file, ...columns, '--weight', 'w', ...budget, '--out', out);
    expect(code).toBe(2);
    expect(err).toContain('1 of 10 pages have a NULL "changes per day", as "page1"');
    expect(err).toContain('4 of 10 pages have a zero "changes per day", as "page2", "page3", "page4"');
    expect(err).toContain('1 of 10 pages have a negative "changes per day", as "page6"');
    expect(err).toContain('2 of 10 pages have a not finite "changes per day", as "page7", "page8"');
    expect(err).toContain('1 of 10 pages have a negative "w", as "page9"');
    expect(readFileSync(out, 'utf8')).toBe('what was there');
  });

  it('leaves the old plan where writing fails', async () => {
    const out = join(folder, 'missing', 'plan.parquet');
    const { code, err } = await run('plan', table, ...columns, ...budget, '--out', out);
    expect(code).toBe(2);
    expect(err).toContain('crawl-optimizer tables: ');
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.writing'))).toEqual([]);
  });

  it('leaves the old plan where it is interrupted', async () => {
    const out = join(folder, 'interrupted.csv');
    writeFileSync(out, 'what was there');
    const listenersBefore = process.listenerCount('SIGINT');
    const running = run('plan', table, ...columns, ...budget, '--out', out);
    // DuckDB's package is loaded first; the signal comes once something listens
    while (process.listenerCount('SIGINT') === listenersBefore) await new Promise((resolve) => setTimeout(resolve, 1));
    process.emit('SIGINT');
    expect((await running).code).toBe(130);
    expect(readFileSync(out, 'utf8')).toBe('what was there');
    expect(readdirSync(folder).filter((name) => name.endsWith('.writing'))).toEqual([]);
  });

  it.each([
    [
      'a column that is not there',
      ['--id', 'nothing'],
      'there is no column "nothing"; there are u"rl, changes per day, w',
    ],
    ['a column misspelt', ['--weight', 'weight'], 'did you mean w?'],
    ['a rate that is no number', ['--rate', 'u"rl'], 'the column "u\\"rl" is no number'],
    ['a name that tries to inject', ['--weight', 'w"; DROP TABLE x; --'], 'there is no column'],
    ['a unit that is not said', ['--rate-unit', 'fortnight'], '--rate-unit must be one of second, minute'],
    ['crawls that are no number', ['--crawls', 'many'], '--crawls must be a positive number'],
    ['an objective that is none', ['--objective', 'youth'], '--objective must be one of'],
  ])('refuses %s', async (_, words, message) => {
    const { code, err } = await run('price', table, ...columns, ...budget, ...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('refuses an empty table, and a file that is not there', async () => {
    expect((await run('price', csv('empty.csv', []), ...columns, ...budget)).code).toBe(2);
    const { code, err } = await run('price', join(folder, 'none.parquet'), ...columns, ...budget);
    expect(code).toBe(2);
    expect(err).toContain('none.parquet');
  });
});
