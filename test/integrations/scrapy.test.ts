/** A plain spider in Scrapy itself, with the add-on as its only change: pages are fetched again when they are due. */
import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt } from '../../src/console/api/read.ts';
import { dueAge, estimatesHostLimits } from '../../src/index.ts';
import { listeningService } from '../service/test-service.ts';
import { spawnSite } from './scrapy-site.ts';

const run = promisify(execFile);
const folder = resolve('integrations/scrapy');
const python = 'artefacts/python/bin/python';
const environment = {
  ...process.env,
  PYTHONPATH: `${folder}:${resolve('clients/python/price')}`,
  PYTHONDONTWRITEBYTECODE: '1',
};
if (!existsSync(python)) console.log('Scrapy is skipped: no artefacts/python with Scrapy');

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
    const fetchCount = (await asked('/fast')).length;
    expect(of('fast').length).toBeLessThanOrEqual(fetchCount);
    expect(of('fast').length).toBeGreaterThan(0.7 * fetchCount);
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
    const output = execFileSync(resolve(python), ['-c', code], { encoding: 'utf8', env: environment, cwd: work });
    rmSync(work, { recursive: true });
    expect(JSON.parse(output)).toEqual([['b'], true, null, ['a']]);
  },
);

describe.skipIf(!existsSync(python))('delays of hosts in Scrapy', () => {
  it('follow requests at once, and read Retry-After, as recorded', async () => {
    const code = `import json
from scrapy_crawl_optimizer.dates import retry_after
from scrapy_crawl_optimizer.delay import HostDelay
recorded = json.load(open("test/fixtures/host-delays.json"))
streams = []
for stream in recorded["streams"]:
    host = HostDelay(0.0, 0.0)
    found = []
    for asked, answered, status, *_ in stream["events"]:
        host.note(status, asked, answered)
        found.append(host.delay)
    streams.append(found)
cases = recorded["retryAfter"]
waits = [retry_after(header.encode("latin-1"), cases["now"]) for header, _ in cases["cases"]]
print(json.dumps({"streams": streams, "waits": waits}))`;
    const { stdout } = await run(python, ['-c', code], { env: environment });
    const found: { streams: number[][]; waits: (number | null)[] } = JSON.parse(stdout);
    const fixture: Recorded = JSON.parse(readFileSync('test/fixtures/host-delays.json', 'utf8'));
    expect(found.waits).toEqual(fixture.retryAfter.cases.map(([, seconds]) => seconds));
    for (const [at, { events }] of fixture.streams.entries()) {
      expect(found.streams[at]).toEqual(events.map((event) => expect.closeTo(event[4], 9)));
    }
  });

  it('log a fetch whatever its Last-Modified is', async () => {
    const code = `from scrapy_crawl_optimizer.log import FetchLog
log = FetchLog("fetches.ndjson")
for modified in ("Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "soon", None, "Sun Nov  6 08:49:37 1994"):
    log.note("http://a/", 1, 200, "x", modified)
log.close()
print(open("fetches.ndjson").read())`;
    const work = mkdtempSync(join(tmpdir(), 'scrapy-log-'));
    const { stdout } = await run(resolve(python), ['-c', code], { env: environment, cwd: work });
    rmSync(work, { recursive: true });
    const fetches: { lastModified?: number }[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(fetches.map(({ lastModified }) => lastModified)).toEqual([undefined, undefined, undefined, 784_111_777]);
  });

  /** What Scrapy was told by a site that refuses its third page for a second, and what it asked a service. */
  async function crawled(...service: string[]): Promise<Crawled> {
    const work = mkdtempSync(join(tmpdir(), 'scrapy-delays-'));
    const { site, url } = await spawnSite(python);
    try {
      const words = [join(folder, 'tests/by_limits.py'), url, ...service];
      const { stdout } = await run(resolve(python), words, { env: environment, cwd: work });
      return JSON.parse(stdout);
    } finally {
      site.kill();
      rmSync(work, { recursive: true });
    }
  }

  it('hold Scrapy itself back for as long as the host asks', async () => {
    const { told } = await crawled();
    expect(told.map(([status]) => status).filter((status) => status === 429)).toHaveLength(1);
    const [, , refusedAt] = told.find(([status]) => status === 429) ?? [0, 0, Number.NaN];
    // one request may have left before the answer came
    const later = told.filter(([, asked]) => asked > refusedAt).slice(1);
    expect(later.length).toBeGreaterThanOrEqual(2);
    for (const [, asked] of later) expect(asked - refusedAt).toBeGreaterThan(0.9);
  });

  it('are those that a service finds in the requests of Scrapy itself', async () => {
    const service = await listeningService();
    try {
      const { told, asked } = await crawled(service.url);
      const [{ row, said, inForce }] = asked;
      // it is asked after a hundred requests whose delay is in force, with all that were seen
      expect(row.requests.length).toBeGreaterThanOrEqual(100);
      expect(row.requests.length).toBeLessThanOrEqual(told.length);
      expect(row.requests.filter(({ status }) => status === 429)).toMatchObject([{ retryAfter: 1 }]);
      const { solution } = estimatesHostLimits({ hosts: [row] });
      expect(said).toBe(numberAt(solution, 'hosts', 0, 'nextDelay'));
      expect(inForce).toBe(Math.max(said, 0.002));
    } finally {
      await service.server.close();
    }
  });

  it('stay as they are where the service does not answer', async () => {
    const code = `from scrapy_crawl_optimizer.hosts import ask_delay
print(ask_delay("http://127.0.0.1:1", "a.example", [{"time": 1e9, "status": 200}], 1.0, 0.0))`;
    const { stdout } = await run(python, ['-c', code], { env: environment });
    expect(stdout.trim()).toBe('None');
  });
});

interface Crawled {
  /** Of each fetch: its status, when it was asked for, and when it was there. */
  readonly told: readonly (readonly [status: number, from: number, to: number])[];
  readonly asked: readonly {
    readonly row: {
      readonly host: string;
      readonly requests: { readonly time: number; readonly status: number; readonly retryAfter?: number }[];
      readonly delay: number;
      readonly since: number;
    };
    readonly said: number;
    readonly inForce: number;
  }[];
}

interface Recorded {
  readonly streams: readonly { readonly events: readonly (readonly [number, number, number, unknown, number])[] }[];
  readonly retryAfter: { readonly cases: readonly (readonly [string, number | null])[] };
}
