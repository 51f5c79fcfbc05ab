/**
 * Takes the pictures of the documentation, docs/pictures/<operation>.png, from the console in a real Chromium, and notes
 * beside them the sentence of the answer that each shows: test/docs compares it with the recorded answers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { operations } from '../src/operations/index.ts';
import { tourOf } from '../test/console/browser.ts';

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const names = process.argv.slice(2);
const sentences = new Map<string, string>(Object.entries(JSON.parse(readFileSync(`${folder}sentences.json`, 'utf8'))));
const app = await buildApp(readConfig({ LOG_LEVEL: 'silent', WORKERS: '1' }));
const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
// Requests are refused until a worker has started.
while (!app.pool.isReady) await new Promise((resolve) => setTimeout(resolve, 50));
const { page, close } = await tourOf({ ...app, url });
for (const { name } of operations) {
  const file = name.replace('/', '-');
  if (names.length > 0 && !names.includes(file)) continue;
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto(`${url}/console/#/${name}`);
  await page.waitForSelector('[data-status]');
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  if (name === 'activation-policy') {
    await page.waitForSelector('.what-if-curve[data-complete="true"]');
    await page.screenshot({ path: `${folder}console.png` });
  }
  await page.setViewportSize({ width: 1366, height: 2400 });
  // An answer of figures alone has no picture.
  if ((await page.locator('#tab-Pictures').count()) === 0) continue;
  const pictures = page.locator('#tab-panel');
  await pictures.screenshot({ path: `${folder}${file}.png` });
  sentences.set(file, (await page.textContent('.sentence')) ?? '');
  process.stdout.write(`${file}\n`);
}
const files = new Set(operations.map(({ name }) => name.replace('/', '-')));
const sorted = [...sentences].filter(([file]) => files.has(file)).sort(([a], [b]) => a.localeCompare(b, 'en'));
writeFileSync(`${folder}sentences.json`, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
await close();
await app.server.close();
