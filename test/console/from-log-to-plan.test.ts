/**
 * A person drops a log, reads the plan, takes it away, and comes back to it: with five pages and with a hundred
 * thousand.
 */
import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../service/test-service.ts';
import { axeFindings, keepScreenshot, noBrowser, patience, settled, type Tour, tourOfConsole } from './browser.ts';

let tour: Tour;
let service: Tour['service'];
let open: Tour['take'];

beforeAll(async () => {
  tour = await tourOfConsole();
  ({ service, take: open } = tour);
});
afterAll(() => tour.close());

/** What a click downloads. */
async function saved(button: string): Promise<string> {
  const { page } = tour;
  const download = page.waitForEvent('download');
  await page.click(button);
  return readFileSync(await (await download).path(), 'utf8');
}

/** The request in an address, as text; empty where there is none. */
function linkedRequest(url: string): string {
  const [, packed = ''] = url.split('?r=');
  return packed === '' ? '' : inflateRawSync(Buffer.from(packed, 'base64url')).toString();
}

describe.skipIf(noBrowser)('from a log to a plan, in a browser:', { timeout: patience.test }, () => {
  it('GET / leads to the start page, and an unknown question is said to be one', async () => {
    const { page } = tour;
    await page.goto(`${service.url}/`);
    await page.waitForSelector('.start-page');
    expect(page.url()).toBe(`${service.url}/console/`);
    await page.goto(`${service.url}/console/#/no-such`);
    expect(await page.textContent('[data-unknown="no-such"]')).toContain('no question “no-such”');
  });

  it('a log of five pages is shown before it is taken, planned, read, sorted, and taken away', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await page.goto(`${service.url}/console/#/`);
    await page.waitForSelector('.start-page');
    await open(
      'crawl-log.ndjson',
      'application/x-ndjson',
      readFileSync('examples/quick-start/crawl-log.ndjson', 'utf8'),
    );
    const preview = page.locator('dialog.log-preview');
    await preview.waitFor();
    await expect.poll(() => preview.locator('[role="status"]').textContent()).toMatch(/5 pages, \d+ fetches/);
    await preview.locator('[data-role="page"]').selectOption('signature');
    await expect.poll(() => preview.locator('[role="status"]').textContent()).not.toContain('5 pages');
    await preview.locator('[data-role="page"]').selectOption('url');
    await expect.poll(() => preview.locator('[role="status"]').textContent()).toContain('5 pages');
    await preview.locator('button.primary').click();
    await page.waitForSelector('table[data-rows="5"] tbody tr');
    expect(await page.textContent('.sentence')).toMatch(/\d+ fetches/);
    await page.click('[data-sort="staleness"]');
    const shares = await page.locator('tbody tr[data-row] td:nth-of-type(5)').allTextContents();
    expect(shares).toHaveLength(5);
    const numbers = shares.map((text) => Number.parseFloat(text));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    await page.locator('tbody tr[data-row]').first().click();
    expect(await page.locator('.details h3').textContent()).toContain('://');
    expect(await page.locator('[data-plan="lanes"] path[fill="var(--orange)"]').first().getAttribute('d')).not.toBe('');
    expect((await saved('.take-away button:text-is("CSV")')).split('\r\n')).toHaveLength(7);
    expect(await saved('[data-plan="lanes"] button:text-is("SVG")')).toMatch(/^<svg [^>]*xmlns=/);
    await keepScreenshot(page, 'from-log-to-plan');
    expect(complaints).toEqual([]);
  });

  it('the slider moves the plan along what crawls buy, and a pinned answer says what differs', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const before = await page.inputValue('[data-field="/crawls"] input');
    await page.click('[data-pin]');
    expect(await page.textContent('.comparison')).toContain('This is the pinned answer');
    // What crawls buy stands first, with the lever of the other axis, and is the only curve along the crawls.
    await page.locator('.curve-levers').waitFor();
    expect(await page.locator('.curve-levers input').count()).toBe(1);
    expect(await page.textContent('.curve-levers')).toContain(`at ${before} crawls`);
    expect(await page.locator('.what-if-curve').count()).toBe(0);
    const markedAt = () => page.locator('.frame circle.lever').getAttribute('cx').then(Number);
    const marked = await markedAt();
    await page.focus('.curve-levers input');
    for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowRight');
    await expect.poll(markedAt).not.toBe(marked);
    const top = async (of: string) => (await page.locator(of).first().boundingBox())?.y ?? Number.NaN;
    expect(await top('.curve-levers')).toBeLessThan(await top('.what-if .slider input'));
    await page.focus('.what-if .slider input');
    // Steps that follow each other fast are one change: to the page these come at one moment, on a busy machine too.
    await page.evaluate('{ const moment = performance.now(); performance.now = () => moment; }');
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowRight');
    await page.evaluate('delete performance.now');
    const crawls = await page.inputValue('[data-field="/crawls"] input');
    expect(Number(crawls)).toBeGreaterThan(Number(before));
    await page.waitForSelector('[data-compared="objective"]');
    const told = page.locator('.comparison tbody tr').first();
    await expect.poll(() => told.textContent()).toBe(`crawls${before}${crawls}`);
    await expect.poll(() => page.textContent('[data-compared="objective"]')).toMatch(/% less/);
    await page.locator('[data-compared="row"]').first().waitFor();
    await page.waitForSelector(settled);
    expect(await axeFindings(page)).toEqual([]);
    // Those steps were one change: one step back undoes them.
    await page.click('[data-undo]');
    expect(await page.inputValue('[data-field="/crawls"] input')).toBe(before);
    // The pin is still there after a reload.
    await page.waitForSelector(settled);
    await page.reload();
    await page.waitForSelector(settled);
    expect(await page.textContent('.comparison')).toContain('This is the pinned answer');
    await page.click('[data-pin]');
    expect(await page.locator('.comparison').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('the list of pages takes a column, a nested cell and a row with an id of its own; a duration is typed as 6h', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const pages = page.locator('[data-field="/pages"]');
    const rows = await pages.locator('tbody tr').count();
    await pages.locator('[data-add-column]').selectOption('weight');
    expect(await page.inputValue('[data-pointer="/pages/0/weight"]')).toBe('1');
    await pages.locator('button:text-is("+ add a row")').click();
    await expect.poll(() => pages.locator('tbody tr').count()).toBe(rows + 1);
    const ids = await pages
      .locator('tbody tr td:nth-of-type(1) input')
      .evaluateAll((cells) => cells.map((each) => String(Reflect.get(each, 'value'))));
    expect(new Set(ids).size).toBe(rows + 1);
    await pages.locator('button.nested').first().click();
    await page.waitForSelector('dialog.cell-editor[open] tbody tr');
    await page.click('dialog.cell-editor .dialog-actions button');
    await page.waitForSelector('dialog.cell-editor', { state: 'detached' });
    await page.fill('[data-field="/interval"] input', '6h');
    await page.waitForSelector('[data-field="/interval"] .said:has-text("= 6 h")');
    expect(await page.textContent('[data-field="/interval"] .said')).toBe('= 6 h');
    await page.waitForSelector(settled);
    expect(complaints).toEqual([]);
  });

  it('what has no solution is shown, an answer file is shown, a key is asked for and tried', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await open('tight.json', 'application/json', readFileSync('test/fixtures/crawl-plan-infeasible.json', 'utf8'));
    await page.waitForSelector('[data-picture="clash"] svg');
    expect(await page.textContent('.verdict .proof')).toBe('no solution exists');
    await open('old.json', 'application/json', readFileSync('examples/crawl-plan.answer.json', 'utf8'));
    await page.waitForSelector('[data-file="old.json"]');
    await expect.poll(() => page.locator('table[data-rows="6"] tbody tr').count()).toBe(6);
    let asked = 0;
    const url = '**/v1/crawl-plan';
    await page.route(url, async (route) => {
      asked++;
      if (route.request().headers()['x-api-key'] === 'right') return route.continue();
      const problem = { title: 'An API key is needed', status: 401, detail: 'Send it as X-API-Key' };
      return route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) });
    });
    await page.fill('[data-field="/crawls"] input', '7');
    await page.waitForSelector('.refusal input[type="password"]');
    await page.fill('.refusal input[type="password"]', 'right');
    await page.keyboard.press('Enter');
    await page.waitForSelector(settled);
    expect(asked).toBeGreaterThanOrEqual(2);
    await page.unroute(url);
    await page.evaluate('sessionStorage.clear()');
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
  });

  it('a plan that a host’s delay, or too few slots, leave no room for shows both sides as bars', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const now = 1_760_000_000;
    const pages = ['a', 'b'].map((id) => ({ id, host: 'slow.example', changeRate: 1e-4, lastCrawl: now - 600 }));
    const plan = { now, interval: 86_400, crawls: 24, pages };
    const clashes = [
      { ...plan, maxInterval: 9000, hosts: [{ host: 'slow.example', minDelay: 7000 }] },
      { ...plan, crawls: 4, maxInterval: 20_000 },
    ];
    for (const [k, clash] of clashes.entries()) {
      await open(`clash-${k}.json`, 'application/json', JSON.stringify(clash));
      await page.waitForSelector(`[data-status="infeasible"]`);
      const picture = page.locator('[data-picture="clash"]');
      await expect.poll(() => picture.locator('svg g[aria-label="bar"] rect').count()).toBe(2);
      expect(await picture.textContent()).toContain('fetches due by then');
      expect(await picture.textContent()).toMatch(/maxInterval|minDelay|windows/);
    }
    expect(complaints).toEqual([]);
  });

  it('a service that is starting or busy is asked again by itself, when it said it could be', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const url = '**/v1/crawl-plan';
    let refused = 0;
    let free = false;
    await page.route(url, async (route) => {
      if (free) return route.continue();
      refused++;
      const problem = { title: 'The service is busy', status: 503, detail: 'no worker has started yet' };
      const contentType = 'application/problem+json';
      const headers = { 'retry-after': '1' };
      return route.fulfill({ status: 503, contentType, headers, body: JSON.stringify(problem) });
    });
    await page.fill('[data-field="/crawls"] input', '8');
    await page.waitForSelector('.refusal:has-text("no worker has started yet") [data-retrying]');
    await expect.poll(() => refused).toBeGreaterThanOrEqual(2);
    free = true;
    await page.waitForSelector(settled);
    expect(await page.locator('.refusal').count()).toBe(0);
    await page.unroute(url);
    expect(complaints.filter((each) => !each.includes('503'))).toEqual([]);
  });

  it('a wrong file changes nothing and says why, a request of another operation opens there, and undo goes back', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const before = await page.inputValue('[data-field="/crawls"] input');
    await open('photo.txt', 'text/plain', 'nothing of this is a request');
    await page.waitForSelector('.toast:has-text("photo.txt was not opened")');
    expect(await page.inputValue('[data-field="/crawls"] input')).toBe(before);
    const other = readFileSync('examples/inria-crawler.json', 'utf8');
    await open('queue.json', 'application/json', JSON.stringify({ ...JSON.parse(other), capacity: 33, colour: 'red' }));
    await page.waitForSelector('.refusal button:text-is("remove it")');
    await expect.poll(() => page.url()).toContain('#/crawler-count');
    await page.click('.refusal button:text-is("remove it")');
    await page.waitForSelector(settled);
    expect(await page.inputValue('[data-field="/capacity"] input')).toBe('33');
    await page.click('[data-undo]');
    await page.click('[data-undo]');
    expect(await page.inputValue('[data-field="/capacity"] input')).toBe('20');
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
  });

  it('a reload, a link and the way back lose nothing; the request can be edited as text', async () => {
    const { page } = tour;
    await page.fill('[data-field="/capacity"] input', '31');
    await expect.poll(() => linkedRequest(page.url())).toContain('"capacity":31');
    const link = page.url();
    await page.reload();
    await page.waitForSelector('[data-field="/capacity"] input');
    expect(await page.inputValue('[data-field="/capacity"] input')).toBe('31');
    await page.goBack();
    await expect.poll(() => page.title()).toBe('crawl-plan · crawl-optimizer');
    await page.evaluate('localStorage.clear()');
    await page.goto('about:blank');
    await page.goto(link);
    await expect.poll(() => page.inputValue('[data-field="/capacity"] input')).toBe('31');
    await page.click('[role="tab"]:text-is("Request")');
    const text = await page.inputValue('[data-source="request-json"]');
    await page.fill('[data-source="request-json"]', text.replace('"capacity": 31', '"capacity": 32'));
    await expect.poll(() => page.inputValue('[data-field="/capacity"] input')).toBe('32');
    await page.selectOption('.as select', 'Python');
    expect(await page.inputValue('[data-source="request"]')).toContain('urllib.request.urlopen');
  });

  it('a log of a hundred thousand pages is planned and read without a stutter', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const lines = ['url,timestamp,status,digest'];
    for (let i = 0; i < 100_000; i++) {
      const url = `https://host${i % 97}.example/page/${i}`;
      lines.push(
        `${url},2026-06-0${1 + (i % 7)} 04:00:00,200,a`,
        `${url},2026-06-08 0${i % 10}:00:00,200,${'ab'[i % 2]}`,
      );
    }
    await page.goto(`${service.url}/console/#/`);
    await page.waitForSelector('.start-page');
    await open('log.csv', 'text/csv', lines.join('\n'));
    await page.locator('dialog.log-preview button.primary').click();
    await page.waitForSelector('table[data-rows="100000"]', { timeout: 2 * patience.wait });
    expect(await page.locator('tbody tr[data-row]').count()).toBeLessThan(60);
    await page.click('[data-sort="id"]');
    await page.evaluate("document.querySelector('.result-rows').scrollTop = 28 * 50000");
    await page.waitForSelector('tr[aria-rowindex="50002"]');
    await page.fill('.result-table input[type="search"]', 'host13.example page/13');
    await expect.poll(() => page.locator('.result-rows table').getAttribute('data-rows')).toMatch(/^\d{1,3}$/);
    await expect.poll(() => page.locator('[data-plan="lanes"] g.lane').count()).toBe(1);
    expect(await page.textContent('.sentence')).toMatch(/100,000|fetches/);
    await page.click('[data-pin]');
    expect(await page.textContent('.comparison')).toContain('This is the pinned answer');
    // The next answer takes its time: the one before stays, dimmed, with what it was asked, until that is stopped.
    const crawls = await page.inputValue('[data-field="/crawls"] input');
    await page.focus('.what-if .slider input');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('.outcome[data-stale="true"]');
    expect(await page.textContent('[data-asked]')).toContain(`The answer to crawls ${crawls} (now `);
    await page.click('[data-stop]');
    await until(() => service.dispatcher.inFlight === 0, patience.wait);
    const stopped = page.locator('main .notice:has-text("Stopped.")');
    await stopped.waitFor();
    // Early on there is nothing yet.
    expect(await stopped.textContent()).toMatch(/Below is the best found until then|Take the best found in \d+ s$/);
    await page.click('[data-undo]');
    await expect.poll(() => page.inputValue('[data-field="/crawls"] input')).toBe(crawls);
    const cell = '[data-field="/pages"] tbody tr:nth-of-type(1) td:nth-of-type(1) input';
    const id = await page.inputValue(cell);
    await page.fill(cell, 'https://renamed.example/');
    await page.press(cell, 'Tab');
    await expect.poll(() => page.inputValue(cell)).toBe('https://renamed.example/');
    await page.click('[data-undo]');
    await expect.poll(() => page.inputValue(cell)).toBe(id);
    // A solve that ends while it is told to stop is not found any more.
    expect(complaints.filter((each) => !each.includes('404 (Not Found)'))).toEqual([]);
  });
});
