/** A person drops a log, reads the plan, takes it away, and comes back to it: with five pages and with a hundred thousand. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { listeningService } from '../service/test-service.ts';
import { keepScreenshots, noBrowser, type Visit, visit } from './browser.ts';

let service: App & { url: string };
let tour: Visit;

beforeAll(async () => {
  service = await listeningService({ MAX_EVENT_LOOP_DELAY_MS: '0' });
  await fetch(`${service.url}/console/`);
  if (!noBrowser) tour = await visit(service.url);
}, 120_000);
afterAll(async () => {
  if (!noBrowser) await tour.close();
  await service.server.close();
});

const open = (name: string, mimeType: string, text: string): Promise<void> =>
  tour.page.setInputFiles('input[type="file"]', { name, mimeType, buffer: Buffer.from(text) });

/** What a click downloads. */
async function saved(button: string): Promise<string> {
  const { page } = tour;
  const download = page.waitForEvent('download');
  await page.click(button);
  return readFileSync(await (await download).path(), 'utf8');
}

describe.skipIf(noBrowser)('from a log to a plan, in a browser:', () => {
  it('GET / leads to the start page, and an unknown question is said to be one', async () => {
    const { page } = tour;
    await page.goto(`${service.url}/`);
    await page.waitForSelector('.intents');
    expect(page.url()).toBe(`${service.url}/console/`);
    await page.goto(`${service.url}/console/#/no-such`);
    expect(await page.textContent('[data-unknown="no-such"]')).toContain('no question “no-such”');
  });

  it('a log of five pages is shown before it is taken, planned, read, sorted, and taken away', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await page.goto(`${service.url}/console/#/`);
    await page.waitForSelector('.intents');
    await open(
      'crawl-log.ndjson',
      'application/x-ndjson',
      readFileSync('examples/quick-start/crawl-log.ndjson', 'utf8'),
    );
    const preview = page.locator('dialog.log-preview');
    await preview.waitFor();
    expect(await preview.locator('[role="status"]').textContent()).toMatch(/5 pages, \d+ fetches/);
    await preview.locator('[data-role="page"]').selectOption('signature');
    await expect.poll(() => preview.locator('[role="status"]').textContent()).not.toContain('5 pages');
    await preview.locator('[data-role="page"]').selectOption('url');
    await expect.poll(() => preview.locator('[role="status"]').textContent()).toContain('5 pages');
    await preview.locator('button.primary').click();
    await page.waitForSelector('table[data-rows="5"] tbody tr');
    expect(await page.textContent('.sentence')).toMatch(/^Make \d+ fetches of 5 pages in the next 1 d\./);
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
    await keepScreenshots(page, 'from-log-to-plan');
    expect(complaints).toEqual([]);
  }, 60_000);

  it('a wrong file changes nothing and says why, a request of another operation opens there, and undo goes back', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    const before = await page.inputValue('[data-field="/crawls"] input');
    await open('photo.txt', 'text/plain', 'nothing of this is a request');
    expect(await page.textContent('.toast')).toContain('photo.txt was not opened');
    expect(await page.inputValue('[data-field="/crawls"] input')).toBe(before);
    const other = readFileSync('examples/inria-crawler.json', 'utf8');
    await open('queue.json', 'application/json', JSON.stringify({ ...JSON.parse(other), capacity: 33, colour: 'red' }));
    await page.waitForSelector('.refusal button:text-is("remove it")');
    expect(page.url()).toContain('#/crawler-count');
    await page.click('.refusal button:text-is("remove it")');
    await page.waitForSelector('main:not(.solving):not(.refused) .verdict');
    expect(await page.inputValue('[data-field="/capacity"] input')).toBe('33');
    await page.click('[data-undo]');
    await page.click('[data-undo]');
    expect(await page.inputValue('[data-field="/capacity"] input')).toBe('20');
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
  }, 30_000);

  it('a reload, a link and the way back lose nothing; the request can be edited as text', async () => {
    const { page } = tour;
    await page.fill('[data-field="/capacity"] input', '31');
    await expect.poll(() => page.url()).toContain('?r=');
    const link = page.url();
    await page.reload();
    await page.waitForSelector('[data-field="/capacity"] input');
    expect(await page.inputValue('[data-field="/capacity"] input')).toBe('31');
    await page.goBack();
    await page.waitForSelector('table[data-rows="5"]');
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
  }, 30_000);

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
    await page.waitForSelector('.intents');
    await open('log.csv', 'text/csv', lines.join('\n'));
    await page.locator('dialog.log-preview button.primary').click();
    await page.waitForSelector('table[data-rows="100000"]', { timeout: 150_000 });
    expect(await page.locator('tbody tr[data-row]').count()).toBeLessThan(60);
    await page.click('[data-sort="id"]');
    await page.evaluate("document.querySelector('.result-rows').scrollTop = 28 * 50000");
    await page.waitForSelector('tr[aria-rowindex="50002"]');
    await page.fill('.result-table input[type="search"]', 'host13.example page/13');
    await expect.poll(() => page.locator('.result-rows table').getAttribute('data-rows')).toMatch(/^\d{1,3}$/);
    expect(await page.locator('[data-plan="lanes"] g.lane').count()).toBe(1);
    expect(complaints).toEqual([]);
  }, 200_000);
});
