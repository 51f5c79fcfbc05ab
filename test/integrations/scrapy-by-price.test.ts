/** A plain spider in Scrapy itself, with the add-on as its only change: pages are fetched again when they are due. */
import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueAge } from '../../src/index.ts';
import { listeningService } from '../service/test-service.ts';
import { spawnSite } from './scrapy-site.ts';

const run = promisify(execFile);
const folder = resolve('integrations/scrapy');
const python = 'artefacts/python/bin/python';

interface Row {
  readonly callback: string | null;
  readonly rate: number;
  readonly failures: number;
  readonly etag: string | null;
}
interface Fetch {
  readonly page: string;
  readonly status: number;
  readonly signature?: string;
}
const readState = `import json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1])
rows.row_factory = sqlite3.Row
print(json.dumps({row["url"].rsplit("/", 1)[1]: dict(row) for row in rows.execute("SELECT * FROM pages")}))`;

it('the price in the add-on, and beside changedetection.io, is the file of the Python client', () => {
  const own = readFileSync('clients/python/src/crawl_optimizer_client/price.py', 'utf8');
  expect(readFileSync('integrations/scrapy/scrapy_crawl_optimizer/price.py', 'utf8')).toBe(own);
  expect(readFileSync('integrations/changedetection/crawl_optimizer_price.py', 'utf8')).toBe(own);
});

it('the reader of plan tables beside changedetection.io is the file of the add-on', () => {
  const own = readFileSync('integrations/scrapy/scrapy_crawl_optimizer/table.py', 'utf8');
  expect(readFileSync('integrations/changedetection/crawl_optimizer_table.py', 'utf8')).toBe(own);
});

describe.skipIf(!existsSync(python))('Scrapy by a price', () => {
  const work = mkdtempSync(join(tmpdir(), 'scrapy-price-'));
  const state = join(work, 'state.sqlite');
  let site: ChildProcess;
  let url = '';

  beforeAll(async () => {
    ({ site, url } = await spawnSite(python));
  });
  afterAll(() => {
    site.kill();
    rmSync(work, { recursive: true });
  });

  const crawl = async (answers: number): Promise<Readonly<Record<string, Row>>> => {
    const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
    await run(python, [join(folder, 'tests/by_price.py'), url, state, String(answers)], { env: environment });
    return JSON.parse(execFileSync(python, ['-c', readState, state], { encoding: 'utf8' }));
  };
  /** The validators with which a page was asked for. */
  const asked = async (page: string): Promise<(string | null)[]> => {
    const seen: readonly (readonly [string, string | null])[] = JSON.parse(await (await fetch(`${url}/seen`)).text());
    return seen.filter(([path]) => path === page).map(([, validator]) => validator);
  };

  it('fetches pages again by what they showed, takes in what is found, and leaves failing pages be', async () => {
    const pages = await crawl(40);
    expect(Object.keys(pages).sort()).toEqual(['down', 'drop', 'fast', 'found', 'slow']);
    expect(pages.found.callback).toBe('parse_found');
    // /fast changes at every second fetch, /slow never
    expect(pages.fast.rate).toBeGreaterThan(5 * pages.slow.rate);
    expect(Math.min(pages.down.failures, pages.drop.failures)).toBeGreaterThan(0);
    expect((await asked('/fast')).length).toBeGreaterThan(5);
  });

  it('logs every fetch, by itself, and goes on after a line that was half written', async () => {
    const log = `${state}.ndjson`;
    appendFileSync(log, '{"page":"half');
    await crawl(8);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(lines.filter((line) => line === '{"page":"half')).toHaveLength(1);
    const fetches: Fetch[] = lines.filter((line) => line !== '{"page":"half').map((line) => JSON.parse(line));
    const of = (path: string) => fetches.filter(({ page }) => page === `${url}/${path}`);
    // a spider that ends leaves what is under way
    const served = (await asked('/fast')).length;
    expect(of('fast').length).toBeLessThanOrEqual(served);
    expect(of('fast').length).toBeGreaterThan(0.7 * served);
    expect(of('found').length).toBeGreaterThan(0);
    const versions = (path: string) => new Set(of(path).flatMap(({ signature }) => signature ?? [])).size;
    expect(versions('slow')).toBe(1);
    expect(versions('fast')).toBeGreaterThan(2);
    expect(new Set(of('slow').map(({ status }) => status))).toEqual(new Set([200, 304]));
    expect(of('down').every(({ status }) => status >= 500) && of('down').length > 0).toBe(true);
    expect(of('drop').every(({ status }) => status === 0) && of('drop').length > 0).toBe(true);
    // what the commands read of it
    const { stderr } = await run('node', ['src/cli.ts', 'import', log, '--preview']);
    expect(stderr).toContain(`5 pages, ${fetches.length} fetches`);
    expect(stderr).toContain('1 lines cannot be read');
  });

  it('goes on where it ended: nothing is fetched anew because the spider was started again', async () => {
    const before = (await asked('/slow')).length;
    await crawl(8);
    const validators = await asked('/slow');
    // once without a validator, ever: all later fetches were asked conditionally
    expect(validators.filter((validator) => validator === null)).toHaveLength(1);
    expect(validators.length).toBeGreaterThanOrEqual(before);
  });
});

describe.skipIf(!existsSync(python))('the price that a service is asked for once a day', () => {
  const work = mkdtempSync(join(tmpdir(), 'scrapy-asked-'));
  afterAll(() => rmSync(work, { recursive: true }));

  it('makes the fetches wanted, and without an answer feedback goes on alone', async () => {
    const service = await listeningService();
    const code = `import json, sys, time
from scrapy_crawl_optimizer.middleware import ask_price
from scrapy_crawl_optimizer.pages import DAY, Pages
asked = []
def ask(buckets, rate):
    asked.append(ask_price(sys.argv[1], buckets, rate, "freshness"))
    return asked[-1]
pages = Pages("state.sqlite", 40, ask=ask)
for check in range(9):
    for n in range(60): pages.checked(f"p{n}", check * DAY, str(check // (1 + n % 7)))
asked.clear()
pages._set_state("asked", time.time() - 2 * DAY)
pages._since -= DAY
pages.hold_price(time.time())
first = pages.price()
pages._since -= DAY / 2
pages.hold_price(time.time())
rates = [row[0] for row in pages._rows.execute("SELECT rate FROM pages")]
print(json.dumps([asked, first, rates, ask_price("http://127.0.0.1:1", [], 1, "freshness")]))`;
    const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
    try {
      const { stdout } = await run(resolve(python), ['-c', code, service.url], { env: environment, cwd: work });
      const [asked, price, rates, unanswered]: [number[], number, number[], null] = JSON.parse(stdout);
      // once, whatever else moves the price that day
      expect(asked).toEqual([price]);
      const perDay = rates.reduce((sum, rate) => sum + 86_400 / dueAge(rate, 1, price), 0);
      expect(Math.abs(perDay / 40 - 1)).toBeLessThan(0.02);
      expect(unanswered).toBeNull();
    } finally {
      await service.server.close();
    }
  });
});

it.skipIf(!existsSync(python))(
  'a spider that ends while pages are under way has them due when it is started again',
  () => {
    const code = `import json
from scrapy_crawl_optimizer.pages import Pages
def due(pages): return [url for url, _ in pages.due(1e6, 9)]
pages = Pages("state.sqlite", 86400)
for url in ("a", "b"): pages.checked(url, 0, "x")
pages.hold("a", 2e6)
told = [due(pages), pages.get("a")[0] > 1e6, pages.get("c")]
pages.checked("b", 2e6, "y")
pages.close()
print(json.dumps([*told, due(Pages("state.sqlite", 86400))]))`;
    const work = mkdtempSync(join(tmpdir(), 'scrapy-held-'));
    const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const told = execFileSync(resolve(python), ['-c', code], { encoding: 'utf8', env: environment, cwd: work });
    rmSync(work, { recursive: true });
    expect(JSON.parse(told)).toEqual([['b'], true, null, ['a']]);
  },
);

describe.skipIf(!existsSync(python))('a plan that Scrapy follows late', () => {
  it('has each page once that is overdue, nothing that was done, and the delay of each host', () => {
    const code = `import json
from crawl_optimizer_scrapy.plan import PlannedFetch, Waits, host_delays, still_to_make
plan = [PlannedFetch(10 * k, page) for k, page in enumerate(["http://a/1", "http://a/2", "http://b/3", "http://a/1", "http://a/1"])]
left = still_to_make(plan, {"http://a/2": 10.5}, 35, Waits({}))
late = [PlannedFetch(3 * k, f"http://c/{k}") for k in range(3)]
print(json.dumps([[(each.time, each.page) for each in left], host_delays(plan), host_delays(late)]))`;
    const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const found = JSON.parse(execFileSync(python, ['-c', code], { encoding: 'utf8', env: environment }));
    expect(found[0]).toEqual([
      [0, 'http://a/1'],
      [20, 'http://b/3'],
      [40, 'http://a/1'],
    ]);
    expect(found[1]).toEqual({ a: 10 });
    expect(found[2]).toEqual({ c: 3 });
  });
});
