/**
 * The console in a real Chromium: how long a visitor waits for the first picture, and for the next answer after a
 * change. Also how long a table of a hundred thousand rows takes to be drawn, sorted and scrolled. Needs a chromium on
 * the path.
 */
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { type App, buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import type { Benchmark } from './benchmark.ts';

const rows = 100_000;
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

interface Opened {
  readonly app: App;
  readonly browser: Browser;
  readonly page: Page;
  readonly url: string;
}

let opened: Opened | undefined;

async function open(): Promise<Opened> {
  if (opened !== undefined) return opened;
  const app = await buildApp(readConfig({ LOG_LEVEL: 'silent', WORKERS: '1' }));
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  const address: AddressInfo | string | null = app.server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}/console/`;
  // Built before it is timed: a visitor of a release finds it so.
  await fetch(url);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
  opened = { app, browser, page, url };
  return opened;
}

async function close(): Promise<void> {
  await opened?.browser.close();
  await opened?.app.server.close();
  opened = undefined;
}

const picture = '[data-picture] svg';

/** An answer of so many pages as a file: what the table shows without a solve before it. */
function largeAnswer(): string {
  const pages = {
    id: Array.from({ length: rows }, (_, i) => `https://host${i % 97}.example/page/${i}`),
    frequency: Array.from({ length: rows }, (_, i) => ((i * 7919) % rows) / rows ** 2),
    staleness: Array.from({ length: rows }, (_, i) => ((i * 104_729) % rows) / rows),
  };
  const statistics = { solver: 'water-filling', solveMs: 1, queueMs: 0 };
  return JSON.stringify({
    status: 'optimal',
    solution: { pages, multiplier: 1, starved: 0 },
    warnings: [],
    statistics,
  });
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'console: a fresh visit to its first picture (crawler-count)',
    target: '1 s',
    async check() {
      const { page, url } = await open();
      await page.goto(`${url}#/crawler-count`);
      await page.waitForSelector(picture);
    },
    async run() {
      const { browser, url } = await open();
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${url}#/crawler-count`);
      await page.waitForSelector(picture);
      await context.close();
    },
  },
  {
    name: 'console: another question of the menu to its first picture (access-frequencies)',
    target: '0.5 s',
    async check() {
      const { page, url } = await open();
      await page.goto(`${url}#/crawler-count`);
      await page.waitForSelector('[data-picture="cost-curve"] svg');
    },
    async run() {
      const { page, url } = await open();
      await page.goto(`${url}#/access-frequencies`);
      await page.waitForSelector('[data-picture="frequency"] svg');
      await page.goto(`${url}#/crawler-count`);
      await page.waitForSelector('[data-picture="cost-curve"] svg');
    },
  },
  {
    name: 'console: a changed number to the new answer (crawler-count, 180 ms of it the pause in typing)',
    target: '0.4 s',
    async check() {
      const { page, url } = await open();
      await page.goto(`${url}#/crawler-count`);
      await page.waitForSelector('[data-objective]');
    },
    async run() {
      const { page } = await open();
      const before = await page.getAttribute('[data-objective]', 'data-objective');
      await page.focus('[data-field="/costs/starvation"] input');
      await page.keyboard.press('ArrowUp');
      await page.waitForSelector(`[data-objective]:not([data-objective="${before}"])`);
    },
  },
  {
    name: `console: a table of ${rows} rows, sorted and scrolled to its middle`,
    target: '0.5 s',
    async check() {
      const { page, url } = await open();
      await page.goto(`${url}#/access-frequencies`);
      await page.waitForSelector('[data-objective]');
      const buffer = Buffer.from(largeAnswer());
      await page.setInputFiles('input[type="file"]', { name: 'a.json', mimeType: 'application/json', buffer });
      await page.waitForSelector(`table[data-rows="${rows}"]`);
    },
    async run() {
      const { page } = await open();
      await page.click('[data-sort="staleness"]');
      await page.evaluate(`document.querySelector('.result-rows').scrollTop = ${28 * (rows / 2)}`);
      await page.waitForSelector(`tr[aria-rowindex="${rows / 2 + 2}"]`);
    },
    finish: close,
  },
];
