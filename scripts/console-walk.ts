/**
 * Takes every example of every operation through the console in a real Chromium, on a laptop and on a phone, in light
 * and in dark. It keeps a picture of each, and lists what axe-core finds and what the page complains of. The first
 * argument is the folder of the pictures, further ones name operations.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { operations } from '../src/operations/index.ts';
import { listeningService } from '../test/service/test-service.ts';

const [folder, ...wanted] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node scripts/console-walk.ts FOLDER [OPERATION…]');
mkdirSync(folder, { recursive: true });

const widths = { laptop: 1440, phone: 390 } as const;
const themes = ['light', 'dark'] as const;

const service = await listeningService();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const page = await browser.newPage({ bypassCSP: true });
page.setDefaultTimeout(120_000);
/** Where each finding was made. */
const findings = new Map<string, string[]>();
const say = (where: string, what: string): void => {
  findings.set(what, [...(findings.get(what) ?? []), where]);
};
let at = '';
page.on('console', (message) => {
  if (message.type() === 'error' || message.type() === 'warning') say(at, message.text());
});
page.on('pageerror', (error) => say(at, String(error)));

/** The page's height, unfolded so that a picture has all of it. */
async function wholePage(width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForTimeout(300);
  const height = Number(
    await page.evaluate(
      "Math.max(...['main', '.ask', 'body'].map((each) => document.querySelector(each)?.scrollHeight ?? 0))",
    ),
  );
  const beyond = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  if (beyond > 0) say(at, `the page is ${beyond} pixels wider than the screen`);
  await page.setViewportSize({ width, height: Math.min(12_000, height + 20) });
}

async function accessible(): Promise<void> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source);
  await page.waitForFunction('!document.getAnimations().some((each) => each instanceof CSSTransition)');
  const found: unknown = await page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target }) => impact + ' ' + id + ' ' + target)))`,
  );
  if (!Array.isArray(found)) say(at, 'axe did not answer');
  else for (const each of found) say(at, String(each));
}

let taken = 0;
for (const { name, examples } of operations) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  await page.setViewportSize({ width: widths.laptop, height: 900 });
  await page.goto(`${service.url}/console/#/${name}`);
  await page.waitForFunction(`document.title === ${JSON.stringify(`${name} · crawl-optimizer`)}`);
  for (const [order, example] of examples.entries()) {
    if (order > 0) await page.selectOption('.start select', example.name);
    await page.waitForSelector('main:not(.solving):not(.refused) .outcome[data-stale="false"] .verdict');
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(800);
    for (const open of [false, true]) {
      await page.evaluate(`for (const more of document.querySelectorAll('main details')) more.open = ${open}`);
      for (const [screen, width] of Object.entries(widths)) {
        await wholePage(width);
        for (const theme of themes) {
          at = `${example.name} ${screen} ${theme}${open ? ' open' : ''}`;
          await page.emulateMedia({ colorScheme: theme });
          await page.waitForTimeout(300);
          await accessible();
          if (!open) await page.screenshot({ path: join(folder, `${example.name}-${screen}-${theme}.png`) });
          taken++;
        }
      }
    }
  }
}
for (const [what, where] of findings)
  process.stdout.write(`${what}\n  ${where.length} times: ${where.slice(0, 5).join(', ')}\n`);
process.stdout.write(`${taken} states, ${findings.size} findings\n`);
await browser.close();
await service.server.close();
process.exitCode = findings.size > 0 ? 1 : 0;
