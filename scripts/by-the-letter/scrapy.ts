/** Scrapy by the letter of its README: two settings, a plan table, and plan after plan. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { blocks, check, checkVersions, follow, type Place, withOwn } from './readme.ts';
import { startSite } from './site.ts';

const pages = ['/every/5', '/every/60', '/every/100000', '/dies'];
/** One fetch of a page in this many seconds. */
const mean = 6;

export async function scrapy(_clone: string, { folder, env }: Place, work: string): Promise<void> {
  const readme = `${folder}/integrations/scrapy/README.md`;
  const site = await startSite();
  site.answers.set('/dies', 500);
  const home = `${work}/scrapy`;
  mkdirSync(home);
  const own = { ...env, PATH: `${work}/venv/bin:${env.PATH}` };
  const place = { folder: home, env: own };
  const made = (since: number): number[] => pages.map((path) => site.fetches(path).filter((at) => at > since).length);
  const said = (counts: readonly number[]): string => pages.map((path, at) => `${path} ${counts[at]}`).join(', ');
  try {
    await follow(`python3 -m venv ${work}/venv`, { folder: work, env }, true);
    const [install, start] = blocks(readme, null, 'sh')[0].trimEnd().split('\n');
    await follow(install, { folder, env: own });

    // a spider as anybody has it
    const urls = JSON.stringify(pages.map((path) => site.base + path));
    writeFileSync(
      `${home}/pages.py`,
      `import scrapy\nclass Pages(scrapy.Spider):\n    name = "pages"\n    start_urls = ${urls}\n    def parse(self, response):\n        yield response.follow("/found", self.parse_found)\n    def parse_found(self, response):\n        pass\n`,
    );
    const perDay = String((86_400 / mean) * pages.length);
    const ends = (seconds: number): string => ` -s CLOSESPIDER_TIMEOUT=${seconds} -s LOG_LEVEL=ERROR`;
    for (const seconds of [90, 60]) {
      const began = Date.now() / 1000;
      const still = site.fetches('/every/100000').at(-1);
      await follow(`${withOwn(start, { '5000': perDay })} -s CRAWL_LOG=by-price.ndjson${ends(seconds)}`, place);
      const counts = made(began);
      check(counts[0] > counts[2], `by the price, ${seconds} s: ${said(counts)}`);
      check(counts[3] <= counts[1] + 3, 'a page that fails takes no more fetches than others');
      const first = site.fetches('/every/100000').find((at) => at > began);
      if (still !== undefined && first !== undefined)
        check(
          first - still > mean,
          `started again it goes on: a page is fetched ${(first - still).toFixed(0)} s after`,
        );
    }
    checkVersions(`${home}/by-price.ndjson`);
    check(
      site.fetches('/found').length > 1,
      `a page that was found is fetched again: ${site.fetches('/found').length} fetches`,
    );

    const [plan, byTable] = blocks(readme, 'By a plan table', 'sh')[0].split(/\n(?=scrapy)/);
    const rows = [`${site.base}/every/5,${86_400 / 5}`, `${site.base}/every/60,${86_400 / 60}`];
    writeFileSync(
      `${home}/rates.csv`,
      `id,rate,lastCrawl\n${rows.map((row) => `${row},${Date.now() / 1000}`).join('\n')}\n`,
    );
    const files = { 'rates.parquet': 'rates.csv', 'plan.parquet': 'plan.parquet' };
    await follow('npm install --silent --global --prefix ../global @duckdb/node-api', place, true);
    await follow('pip install --quiet pyarrow', place, true);
    await follow(withOwn(plan, { ...files, '5000': String(86_400 / 10) }), place);
    let began = Date.now() / 1000;
    await follow(`${byTable.trimEnd()} -s CRAWL_STATE=table.sqlite${ends(60)}`, place);
    const table = made(began);
    check(table[1] > 1 && table[0] <= 12, `by the table, 60 s of 8640 fetches a day: ${said(table)}`);

    const [first, crawl, again, nextCrawl] = blocks(readme, 'By a plan', 'sh')[0].trimEnd().split('\n');
    writeFileSync(`${home}/pages.py`, blocks(readme, 'By a plan', 'python')[0]);
    const lines = pages.map((path) => `2026-01-01T00:00:00Z,${site.base}${path}\\n`).join('');
    await follow(withOwn(first, { '2026-01-01T00:00:00Z,https://news.example/\\n': lines }), place);
    await follow(`${crawl} -s LOG_LEVEL=CRITICAL`, place);
    for (const round of [1, 2, 3]) {
      await follow(withOwn(again, { '30 --interval 1d': '12 --interval 40s' }), place);
      const planned = readFileSync(`${home}/plan.csv`, 'utf8')
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((row) => row.split(','));
      began = Date.now() / 1000;
      await follow(`${nextCrawl} -s LOG_LEVEL=CRITICAL`, place);
      const early = pages.flatMap((path) => {
        const due = planned.filter(([, page]) => page === site.base + path).map(([time]) => Date.parse(time) / 1000);
        const fetches = site.fetches(path).filter((at) => at > began);
        // retries come after their fetch
        return fetches.filter((at) => !due.some((time) => time <= at + 0.01));
      });
      const counts = made(began);
      check(early.length === 0, `plan ${round}, ${planned.length} fetches, none before its time: ${said(counts)}`);
      check(counts[3] === 1, 'a page that has failed is tried once a plan');
    }
    checkVersions(`${home}/crawl-log.ndjson`);
  } finally {
    site.close();
  }
}
