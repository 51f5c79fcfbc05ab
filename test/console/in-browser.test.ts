/** The console as it is sent, and a visitor's walk in Chromium: log → plan → export; an operation → refusal at its place → answer with its picture. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { verifyClaim } from '../../src/schemas/words/verify-claim.ts';
import { listeningService, waitUntil } from '../service/test-service.ts';
import { axeFindings, currentAnswer, isBrowserMissing, patience, type Tour, tourOf } from './browser.ts';

let tour: Tour;
let service: Tour['service'];

beforeAll(async () => {
  service = await listeningService();
  // the first request builds the console
  await fetch(`${service.url}/console/`);
});
afterAll(() => service.server.close());

const field = (pointer: string): string => `[data-field="${pointer}"]`;

/** Opens a question. */
async function open(name: string): Promise<void> {
  await tour.page.goto(`${service.url}/console/#/${name}`);
  await expect.poll(() => tour.page.title()).toBe(`${name} · crawl-optimizer`);
}

/** What a click downloads. */
async function saved(button: string): Promise<string> {
  const { page } = tour;
  const download = page.waitForEvent('download');
  await page.click(button);
  return readFileSync(await (await download).path(), 'utf8');
}

describe('the console as the service sends it', () => {
  it('stands at /console, under a policy that knows no other host and no inline code', async () => {
    const page = await fetch(`${service.url}/console`);
    expect(page.url).toBe(`${service.url}/console/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await page.text()).not.toMatch(/<script>|<style>|style=|https?:\/\//);
  });

  it('has less than 400 KB of JavaScript, compressed, cached for good under names that change with it', async () => {
    const html = await (await fetch(`${service.url}/console/`)).text();
    const scripts = [...html.matchAll(/src="\.\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
    expect(scripts).toHaveLength(1);
    const script = await fetch(`${service.url}/console/${scripts[0]}`);
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(gzipSync(await script.text()).byteLength).toBeLessThan(400_000);
  });

  it('comes compressed to those who accept that, and not at all to those who have it', async () => {
    const url = `${service.url}/console/`;
    const plain = await fetch(url, { headers: { 'accept-encoding': 'gzip;q=0, identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('accept-encoding');
    const zipped = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(await zipped.text()).toBe(await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    expect(etag).not.toBe('');
    // Not fetch: with If-None-Match it asks for no cache at all.
    const cached = await supertest(url).get('').set('accept-encoding', 'identity').set('if-none-match', etag);
    expect(cached.status).toBe(304);
  });

  it('answers 404 for a file it does not have, and nothing outside its folder', async () => {
    for (const path of ['nothing.js', '..%2f..%2fpackage.json', 'assets/..%2f..%2fserver.ts']) {
      const answer = await fetch(`${service.url}/console/${path}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });
});

describe.skipIf(isBrowserMissing)('in a browser,', { timeout: patience.test }, () => {
  beforeAll(async () => {
    tour = await tourOf(service);
  });
  afterAll(() => tour.close());

  it('a log is shown before it is taken, planned, read, sorted, and taken away', async () => {
    const { page, complaints } = tour;
    await page.goto(`${service.url}/`);
    await page.waitForSelector('.start-page');
    expect(page.url()).toBe(`${service.url}/console/`);
    expect(await axeFindings(page)).toEqual([]);
    const log = readFileSync('examples/quick-start/crawl-log.ndjson', 'utf8');
    await tour.take('crawl-log.ndjson', 'application/x-ndjson', log);
    const preview = page.locator('dialog.log-preview');
    await expect.poll(() => preview.locator('[role="status"]').textContent()).toMatch(/5 pages, \d+ fetches/);
    await preview.locator('[data-role="page"]').selectOption('signature');
    await expect.poll(() => preview.locator('[role="status"]').textContent()).not.toContain('5 pages');
    await preview.locator('[data-role="page"]').selectOption('url');
    await preview.locator('button.primary').click();
    await page.waitForSelector(currentAnswer);
    expect(await page.textContent('.sentence')).toMatch(/\d+ fetches/);
    expect(await page.textContent(field('/pages'))).toMatch(/\d+ values/);
    // the headline is what is left of staleness beside all in turn; that a plan is feasible is no badge
    expect(await page.textContent('[data-plan="headline"]')).toMatch(/stale share[\d.]+%.*all in turn[\d.]+%.*gap/);
    expect(await page.locator('.badge').count()).toBe(0);
    await page.locator('[data-picture="bought-by-crawls"] .frame svg').waitFor();
    await page.click('[data-sort="staleness"]');
    const stale = await page.locator('tbody tr[data-row] td:nth-of-type(5)').allTextContents();
    const numbers = stale.map((text) => Number.parseFloat(text));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
    await page.locator('tbody tr[data-row] .row-name').first().click();
    expect(await page.textContent('section.details h3')).toContain('://');
    expect((await saved('.take-away button:text-is("CSV")')).split('\r\n')).toHaveLength(7);
    expect(await saved('.take-away button:text-is("schedule CSV")')).toMatch(/^time,crawler,id\r\n20/);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('the slider asks again along what crawls buy, and a reload keeps the request', async () => {
    const { page } = tour;
    const crawlsBefore = Number(await page.inputValue(`${field('/crawls')} input`));
    await page.focus('.what-if .slider input');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await page.waitForSelector(currentAnswer);
    const crawlsAfter = await page.inputValue(`${field('/crawls')} input`);
    expect(Number(crawlsAfter)).toBeGreaterThan(crawlsBefore);
    await page.reload();
    await page.waitForSelector(currentAnswer);
    expect(await page.inputValue(`${field('/crawls')} input`)).toBe(crawlsAfter);
  });

  it('warnings are one list, each text once, with links to the fields they are about', async () => {
    const { page } = tour;
    await open('crawl-plan');
    await page.selectOption('.start select', 'crawl-plan');
    await page.waitForSelector(currentAnswer);
    expect(await page.locator('.notice').count()).toBe(1);
    await page.click('.notice summary');
    const notes = await page.locator('.notice [data-warning]').allTextContents();
    expect(new Set(notes).size).toBe(notes.length);
    expect(await page.locator('.remarks .warning').count()).toBe(0);
    await page.locator('.notice .pointer').first().click();
    expect(await page.evaluate("document.activeElement.closest('[data-field]') !== null")).toBe(true);
  });

  it('a wrong number is refused at its place; a right one has its answer and its picture, by keyboard', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await open('crawler-count');
    await page.selectOption('.start select', 'crawler-count-table-1.1');
    await page.waitForSelector(currentAnswer);
    const input = `${field('/capacity')} input`;
    await page.fill(input, '0');
    await page.locator(`${field('/capacity')} .remarks .error`).waitFor();
    expect(await page.getAttribute(input, 'aria-invalid')).toBe('true');
    expect(await page.locator('.refusal .pointer').first().textContent()).toBe('/capacity');
    await page.fill(input, '40');
    await page.waitForSelector(currentAnswer);
    const picture = page.locator('[data-picture="cost-curve"] .frame svg');
    await picture.waitFor();
    const pictureBefore = await picture.innerHTML();
    await page.focus(input);
    await page.keyboard.press('ArrowUp');
    expect(await page.inputValue(input)).toBe('41');
    await page.waitForSelector(currentAnswer);
    await expect.poll(() => picture.innerHTML()).not.toBe(pictureBefore);
    await page.focus('[role="tab"][aria-selected="true"]');
    await page.keyboard.press('ArrowRight');
    const answer = JSON.parse(await page.inputValue('[data-source="answer"]'));
    expect(String(answer.objective.value)).toBe(await page.getAttribute('[data-objective]', 'data-objective'));
    expect(await page.textContent('[data-claim]')).toContain(verifyClaim);
    await page.keyboard.press('ArrowRight');
    expect(await page.inputValue('[data-source="request"]')).toContain(`curl -s '${service.url}/v1/crawler-count'`);
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([]);
  });

  it('is read on a phone without scrolling sideways', async () => {
    const { page } = tour;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const name of ['crawl-plan', 'threshold-policy']) {
      await open(name);
      await page.waitForSelector(currentAnswer);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390);
      expect(await axeFindings(page), name).toEqual([]);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
  });

  it('draws the first example of every operation without a complaint', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    for (const { name } of operations) {
      await open(name);
      await page.waitForSelector(currentAnswer);
      expect(complaints, name).toEqual([]);
    }
  });

  it('a file that is no request changes nothing and says why; a busy service is asked again by itself', async () => {
    const { page } = tour;
    await open('crawl-plan');
    await page.waitForSelector(currentAnswer);
    await tour.take('photo.txt', 'text/plain', 'nothing of this is a request');
    await page.waitForSelector('.toast:has-text("photo.txt was not opened")');
    let refusals = 0;
    await page.route('**/v1/crawl-plan', async (route) => {
      if (++refusals > 1) return route.continue();
      const body = JSON.stringify({ title: 'The service is busy', status: 503, detail: 'no worker has started yet' });
      return route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '1' },
        body,
      });
    });
    await page.fill(`${field('/crawls')} input`, '8');
    await page.waitForSelector('.refusal [data-retrying]');
    await page.waitForSelector(currentAnswer);
    await page.unroute('**/v1/crawl-plan');
  });

  it('shows the progress of a long solve; Cancel aborts its request', async () => {
    const { page } = tour;
    // the document that the service sends is the package's: of the operation of this test it knows nothing
    const document = service.server.swagger();
    await page.route('**/openapi.json', (route) => route.fulfill({ json: document }));
    await page.goto('about:blank');
    await open('test/spin');
    const request = JSON.stringify({ value: 60_000, options: { timeLimitMs: 60_000 } });
    await tour.take('request.json', 'application/json', request);
    await page.waitForSelector('.waiting progress[value="0.25"]');
    expect(await page.textContent('.waiting')).toContain('best 2');
    await waitUntil(() => service.pool.inFlight === 1, patience.wait);
    await page.click('[data-cancel]');
    await waitUntil(() => service.pool.inFlight === 0, patience.wait);
    await page.waitForSelector('[data-cancelled]');
  });
});
