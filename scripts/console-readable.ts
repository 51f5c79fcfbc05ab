/**
 * How long after its answer a plan of a hundred thousand pages can be read in the console. It opens a log of 200,000
 * fetches in a real Chromium and plans it. It prints the time from the last byte of the answer to the rows and lanes.
 */
import { chromium } from 'playwright-core';
import { listeningService } from '../test/service/test-service.ts';

const pages = 100_000;
const lines = ['url,timestamp,status,digest'];
for (let i = 0; i < pages; i++) {
  const url = `https://host${i % 97}.example/page/${i}`;
  lines.push(`${url},2026-06-0${1 + (i % 7)} 04:00:00,200,a`, `${url},2026-06-08 0${i % 10}:00:00,200,${'ab'[i % 2]}`);
}

const service = await listeningService();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
let answered = Number.NaN;
page.on('requestfinished', (request) => {
  if (request.url().includes('/v1/crawl-plan')) answered = performance.now();
});
for (let run = 0; run < 3; run++) {
  await page.goto(`${service.url}/console/#/`);
  await page.waitForSelector('.start-page');
  await page.setInputFiles('input[type="file"]', {
    name: 'log.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });
  const planned = page.locator('dialog.log-preview button.primary');
  await planned.waitFor();
  const asked = performance.now();
  await planned.click();
  await page.waitForSelector(`table[data-rows="${pages}"]`);
  const rows = performance.now();
  await page.locator('[data-plan="lanes"] g.lane').first().waitFor();
  const lanes = performance.now();
  const ms = (from: number, until: number): string => `${Math.round(until - from)} ms`;
  console.log(
    `answer ${ms(asked, answered)} after the click, rows ${ms(answered, rows)} later, lanes ${ms(answered, lanes)}`,
  );
  await page.evaluate('sessionStorage.clear()');
  await page.goto('about:blank');
}
await browser.close();
await service.server.close();
