/** Crawlee by the letter of docs/how-to/integrations.md: its blocks as they stand, with URLs and an end put before them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { blocks, check, checkVersions, follow, type Place, withOwn } from './readme.ts';
import { startSite } from './site.ts';

const pages = ['/every/5', '/every/60', '/every/100000', '/dies'];
/** One fetch of a page in this many seconds. */
const mean = 6;

export async function crawlee(_clone: string, { folder, env }: Place, work: string): Promise<void> {
  const site = await startSite();
  site.answers.set('/dies', 500);
  const home = `${work}/crawlee`;
  mkdirSync(home);
  const place = { folder: home, env: { ...env, CRAWLEE_LOG_LEVEL: 'OFF' } };
  const made = (since: number): number[] => pages.map((path) => site.fetches(path).filter((at) => at > since).length);
  const said = (counts: readonly number[]): string => pages.map((path, at) => `${path} ${counts[at]}`).join(', ');
  const ends = "import { writeFileSync } from 'node:fs';\n";
  const urls = `const urls = ${JSON.stringify(pages.map((path) => site.base + path))};\n`;
  const signal = (seconds: number): string => `const signal = AbortSignal.timeout(${seconds * 1000});\n`;
  const run = async (name: string, program: string): Promise<number[]> => {
    writeFileSync(`${home}/${name}.ts`, program);
    const began = Date.now() / 1000;
    await follow(`node ${name}.ts`, place);
    return made(began);
  };
  try {
    await follow('npm init --yes >/dev/null && npm pkg set type=module', place, true);
    await follow(`npm install --silent ${work}/crawl-optimizer-*.tgz @crawlee/http@3`, place);
    const [byPrice, hosts, table] = blocks(`${folder}/docs/how-to/integrations.md`, 'Crawlee', 'ts');
    const price = withOwn(byPrice, { '5000': String((86_400 / mean) * pages.length) });

    let counts = await run('price', urls + signal(90) + price);
    check(counts[0] > counts[2], `by the price, 90 s: ${said(counts)}`);
    check(counts[3] <= counts[1] + 3, 'a page that fails takes no more fetches than others');
    const still = site.fetches('/every/100000').at(-1) ?? 0;
    // the second run, by the delays of hosts too
    const imported = withOwn(price, {
      '{ FreshPages }': '{ FreshPages, HostDelays }',
      'HttpCrawler({': 'HttpCrawler({\n  ...hooks,',
    });
    const noted = "\nwriteFileSync('delays.json', JSON.stringify(delays.delays()));\n";
    counts = await run('hosts', ends + urls + signal(60) + hosts + imported + noted);
    check(counts[0] > counts[2], `by the price and the delays of hosts, 60 s: ${said(counts)}`);
    const again = site.fetches('/every/100000').find((at) => at > still);
    check(again === undefined || again - still > mean, 'started again it goes on from pages.json');
    check(readFileSync(`${home}/delays.json`, 'utf8').includes('127.0.0.1'), 'delays.delays() has the host');

    const rows = [`${site.base}/every/5,${86_400 / 5}`, `${site.base}/every/60,${86_400 / 60}`];
    writeFileSync(
      `${home}/rates.csv`,
      `id,rate,lastCrawl\n${rows.map((row) => `${row},${Date.now() / 1000}`).join('\n')}\n`,
    );
    await follow('npm install --silent --global --prefix ../global @duckdb/node-api', place, true);
    await follow(
      'crawl-optimizer tables plan rates.csv --id id --rate rate --rate-unit day --last-crawl lastCrawl --crawls 8640 --per day --out plan.ndjson',
      place,
    );
    const [head, start] = withOwn(price, { 'pages.json': 'table.json' }).split(/(?=await pages\.run)/);
    counts = await run('table', `const urls: string[] = [];\n${signal(60)}${head}${table}${start}`);
    check(counts[1] > 1 && counts[0] <= 12, `by the table, 60 s of 8640 fetches a day: ${said(counts)}`);

    const first = pages.map((path) => ({
      id: site.base + path,
      fetchInterval: null,
      intervalIfUnchanged: null,
      intervalIfChanged: null,
    }));
    const schedule = pages.map((_, page) => ({ time: Date.now() / 1000, page }));
    writeFileSync(`${home}/plan.json`, JSON.stringify({ solution: { pages: first, schedule } }));
    const byPlan = `import { readFileSync } from 'node:fs';
import { HttpCrawler } from '@crawlee/http';
import { CrawlLog, followPlan } from 'crawl-optimizer/crawlee';
const answer = JSON.parse(readFileSync('plan.json', 'utf8'));
const log = new CrawlLog('crawl-log.ndjson');
const seen = (context) => log.add(context);
const crawler = new HttpCrawler({ maxRequestRetries: 0, requestHandler: seen, failedRequestHandler: seen, additionalMimeTypes: ['application/octet-stream'] });
await followPlan(answer.solution, crawler, { log });
`;
    await run('plan', byPlan);
    for (const round of [1, 2, 3]) {
      await follow('crawl-optimizer plan crawl-log.ndjson --crawls 12 --interval 40s --json > plan.json', place);
      const { solution } = JSON.parse(readFileSync(`${home}/plan.json`, 'utf8'));
      const slots: { page: number; time: number }[] = solution.schedule;
      const due = (path: string): number[] =>
        slots.filter(({ page }) => solution.pages[page].id === site.base + path).map(({ time }) => time);
      const began = Date.now() / 1000;
      counts = await run('plan', byPlan);
      const early = pages.filter((path) =>
        site.fetches(path).some((at) => at > began && !due(path).some((time) => time <= at + 0.01)),
      );
      check(early.length === 0, `plan ${round}, ${slots.length} fetches, none before its time: ${said(counts)}`);
      check(counts[3] === 1, 'a page that has failed is tried once a plan');
    }
    checkVersions(`${home}/crawl-log.ndjson`);
  } finally {
    site.close();
  }
}
