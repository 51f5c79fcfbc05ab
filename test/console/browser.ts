/** A real browser on the service's console: what every browser test starts from. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { App } from '../../src/app.ts';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Without a browser the tests are skipped, and counted as such. */
export const isBrowserMissing = !existsSync(executablePath);

/**
 * How long the browser tests wait for a state before they say that it never came, in milliseconds. It is far longer
 * than a busy machine takes, as no test is about the time itself. `wait` is for one state, `test` for a whole test.
 */
export const patience = { wait: 120_000, test: 600_000 } as const;

/** What the page has when the answer it shows is that to the request as it stands, and nothing runs. */
export const currentAnswer = 'main:not(.solving):not(.refused) .outcome[data-stale="false"] .verdict';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A laptop's screen. */
const size = { width: 1366, height: 768 };

export interface Visit {
  readonly page: Page;
  /** What the page said that it should not have: console errors, uncaught errors, requests to other hosts. */
  readonly complaints: string[];
  close(): Promise<void>;
}

async function visit(url: string): Promise<Visit> {
  const browser: Browser = await chromium.launch({ executablePath, args });
  const context = await browser.newContext({ viewport: size, colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(patience.wait);
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

/** The service with the console built, and a browser on it. */
export interface Tour extends Visit {
  readonly service: App & { url: string };
  /** Opens a file as the reader would. */
  take(name: string, mimeType: string, text: string): Promise<void>;
}

/** Opens a laptop's screen on the console of a service. */
export async function tourOf(service: Tour['service']): Promise<Tour> {
  const visited = await visit(service.url);
  const take = (name: string, mimeType: string, text: string): Promise<void> =>
    visited.page.setInputFiles('input[type="file"]', { name, mimeType, buffer: Buffer.from(text) });
  return { ...visited, service, take };
}

const themes = ['light', 'dark'] as const;

/**
 * What axe-core finds serious or critical on the page as it stands, in both themes. What does not depend on colours is
 * looked at once.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source);
  const findings: string[] = [];
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    // Half faded in, text has less contrast than it will have. The page's policy forbids a condition that is polled.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished))',
    );
    const only = theme === 'light' ? '' : ", runOnly: ['color-contrast']";
    const violations: unknown = await page.evaluate(
      `axe.run({ resultTypes: ['violations']${only} }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
    );
    if (Array.isArray(violations)) findings.push(...violations.map((each) => `${theme}: ${String(each)}`));
    else findings.push(`${theme}: axe did not answer`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return findings;
}
