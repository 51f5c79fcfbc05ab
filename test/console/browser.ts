/** A real browser on the service's console: what every browser test starts from. */
import { existsSync, mkdirSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Without a browser the tests are skipped, and counted as such. */
export const noBrowser = !existsSync(executablePath);

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Visit {
  readonly page: Page;
  /** What the page said that it should not have: console errors, uncaught errors, requests to other hosts. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Opens a laptop's screen on the console. */
export async function visit(url: string): Promise<Visit> {
  const browser: Browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`));
  context.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !/^(data|blob):/.test(address)) complaints.push(`another host: ${address}`);
  });
  return { page, complaints, close: () => browser.close() };
}

const artefacts = new URL('../../artefacts/console/', import.meta.url);

/** Keeps pictures of the whole page in both themes among the artefacts of the test run. */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  mkdirSync(artefacts, { recursive: true });
  const height = Number(await page.evaluate("document.querySelector('main').scrollHeight"));
  await page.setViewportSize({ width: 1366, height: Math.max(768, Math.min(2000, height + 20)) });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: new URL(`${name}-${colorScheme}.png`, artefacts).pathname });
  }
  await page.setViewportSize({ width: 1366, height: 768 });
}
