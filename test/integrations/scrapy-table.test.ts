/** Scrapy follows a plan table as `tables plan` writes it: pages of its own, each at its interval. */
import { type ChildProcess, execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnSite } from './scrapy-site.ts';

const run = promisify(execFile);
const folder = resolve('integrations/scrapy');
const python = resolve('artefacts/python/bin/python');
const environment = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };

describe.skipIf(!existsSync(python))('a plan table that Scrapy follows', () => {
  const work = mkdtempSync(join(tmpdir(), 'scrapy-table-'));
  let site: ChildProcess;
  let url = '';

  beforeAll(async () => {
    ({ site, url } = await spawnSite(python));
  });
  afterAll(() => {
    site.kill();
    rmSync(work, { recursive: true });
  });

  it('fetches pages of tables plan by their intervals, and none that the plan never fetches', async () => {
    const rates = join(work, 'rates.csv');
    const plan = join(work, 'plan.csv');
    // a page that changes a thousand times as often is not worth a fetch
    writeFileSync(rates, `id,rate,weight\n${url}/fast,.5,9\n${url}/slow,.1,1\n${url}/never,1000,1\n`);
    const words = ['--id', 'id', '--rate', 'rate', '--rate-unit', 'second', '--weight', 'weight'];
    const asked = ['tables', 'plan', rates, ...words, '--crawls', '3', '--per', 'second', '--out', plan];
    await run(process.execPath, [resolve('src/cli.ts'), ...asked]);
    const state = join(work, 'state.sqlite');
    await run(python, [join(folder, 'tests/by_table.py'), plan, state, '16'], { env: environment });
    const seen: readonly (readonly [string, string | null])[] = JSON.parse(await (await fetch(`${url}/seen`)).text());
    const fetches = (page: string): number => seen.filter(([path]) => path === page).length;
    expect(fetches('/never')).toBe(0);
    expect(fetches('/slow')).toBeGreaterThan(1);
    expect(fetches('/fast')).toBeGreaterThan(fetches('/slow'));
  });

  it('takes a new plan in place of the old one, and makes no fetch again that was made', () => {
    const code = `import json
from scrapy_crawl_optimizer.pages import Pages
from scrapy_crawl_optimizer.table import read_table
def plan(text):
    with open("plan.ndjson", "w") as file: file.write(text)
    pages.follow(read_table("plan.ndjson", "hour"), 1000)
def due(now): return sorted(url for url, _ in pages.due(now, 9))
pages = Pages("state.sqlite", 0)
plan('{"id":"a","interval":1,"nextFetch":1100}\\n{"id":"b","interval":2}\\n{"id":"c","interval":null}\\n')
said = [due(1000), due(1100), due(9e9)]
pages.checked("a", 1150, "x")
pages.checked("b", 1000, "x")
said += [due(1150 + 3599), due(1150 + 3600)]
plan('{"id":"a","interval":1,"nextFetch":1100}\\n{"id":"c","interval":1,"nextFetch":2000}\\n')
said += [due(1999), due(2000), due(4750), due(9e9)]
try: plan('{"id":"b","interval":1}\\n{"page":"c"}\\n')
except ValueError as error: said += [str(error), due(2000)]
print(json.dumps(said))`;
    const said = JSON.parse(execFileSync(python, ['-c', code], { encoding: 'utf8', env: environment, cwd: work }));
    expect(said).toEqual([
      ['b'],
      ['a', 'b'],
      ['a', 'b'],
      [],
      ['a'],
      [],
      ['c'],
      ['a', 'c'],
      ['a', 'c'],
      'a plan table has columns id and interval, but plan.ndjson has page',
      ['c'],
    ]);
  });
});
