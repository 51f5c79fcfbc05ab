/**
 * `node scripts/scale.ts 1e8`: writes a Parquet file of that many lognormal pages and plans them with
 * `crawl-optimizer tables`. It prints times, the most memory this process held, and the proved gap. As a baseline it
 * finds the price by repeated scans of the pages. Each step of the bisection is a scan that adds up what they spend.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateStatement, dialects, planStatement } from '../src/statements/index.ts';
import { openDuckDb } from '../src/tables/duckdb.ts';
import { numberOf } from '../src/tables/engine.ts';
import { pricePages } from '../src/tables/price/pages.ts';
import { surveyPages } from '../src/tables/survey-pages.ts';

const count = Number(process.argv[2] ?? '1e7');
const folder = mkdtempSync(join(process.env.SCALE_DIR ?? tmpdir(), 'scale-'));
const seconds = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const wall = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${what}: ${wall} s, ${((user + system) / 1e6).toFixed(1)} s of processor time\n`);
  return result;
};
try {
  const file = join(folder, 'pages.parquet');
  const engine = await openDuckDb([file], '3GB');
  await seconds(`generate ${count} pages`, () => engine.write(lognormalPages(count), file));
  process.stdout.write(`${(statSync(file).size / 1e9).toFixed(2)} GB of Parquet\n`);
  const pages = { from: engine.from, id: 'url', changeRate: 'changes_per_day', weight: 'importance' };
  const rate = 0.3 * count;
  const question = { pages, objective: 'freshness', rate, bucketWidth: 0.001, hosts: [] } as const;
  const survey = await seconds('look for faults and make the histogram', () => surveyPages(engine, question));
  const priced = await seconds('price, and its certificate', () => pricePages(engine, question, survey));
  const { price, scale } = priced;
  const plan = planStatement(engine.dialect, { ...question, price, scale, hosts: [] });
  await seconds('write the plan', () => engine.write(plan, join(folder, 'plan.parquet')));
  process.stdout.write(
    `${JSON.stringify(priced)}\nmost memory: ${(process.resourceUsage().maxRSS / 1e6).toFixed(2)} GB\n`,
  );
  const [low, high] = priced.priceBracket;
  await seconds('baseline: one of the scans of a bisection', () =>
    engine
      .rows(certificateStatement(dialects.duckdb, { ...question, price, scale: 1, hosts: [] }))
      .then(([row]) => numberOf(row.spent)),
  );
  const steps = Math.ceil(Math.log2(30 / Math.log(high / low)));
  process.stdout.write(`a bisection over 13 decades needs ${steps} of them for a bracket as narrow\n`);
  await engine.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a table of lognormal pages, for measurements: url, changes_per_day, importance. */
function lognormalPages(pages: number): string {
  const normal = '1.5 * SQRT(-2 * LN(1 - RANDOM())) * COS(2 * PI() * RANDOM())';
  return `SELECT i AS url, EXP(${normal}) AS changes_per_day, EXP(${normal}) * CAST(2 AS DOUBLE) AS importance FROM RANGE(${pages}) t(i)`;
}
