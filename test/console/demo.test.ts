/** The demonstration: static files from any file server, solving in the browser with the service's own operations. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleAnswer } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { axeFindings, noBrowser, patience, settled, type Visit, visit } from './browser.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

let folder: string;
let files: Server;
let own: Visit;
let url: string;

/** A file server and nothing more, which has the demonstration in a folder of its own. */
function fileServer(): Server {
  return createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/shown\//, '').replace(/\?.*$/, '') || 'index.html';
    try {
      const content = readFileSync(join(folder, path));
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
}

beforeAll(async () => {
  if (noBrowser) return;
  folder = mkdtempSync(join(tmpdir(), 'demo-'));
  execFileSync(process.execPath, ['scripts/build-demo.ts', folder]);
  files = fileServer();
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address();
  const { port }: AddressInfo = typeof address === 'object' && address !== null ? address : Object({ port: 0 });
  url = `http://127.0.0.1:${port}/shown`;
  own = await visit(url);
});
afterAll(async () => {
  if (noBrowser) return;
  await own.close();
  files.close();
  rmSync(folder, { recursive: true });
});

describe.skipIf(noBrowser)('the demonstration, from a file server,', { timeout: patience.test }, () => {
  it('begins with its button and says what it is', async () => {
    const { page } = own;
    await page.goto(`${url}/`);
    await page.waitForSelector('.start-page .button.primary');
    expect(await page.textContent('[data-notice]')).toContain('your browser solves');
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
  });

  it.each(operations.map(({ name, examples }) => [name, examples[0]] as const))(
    '%s: answers its example as the service does',
    async (name, example) => {
      const { page, complaints } = own;
      complaints.length = 0;
      const expected: unknown = exampleAnswer(example);
      await page.goto(`${url}/#/${name}`);
      await expect.poll(() => page.title()).toBe(`${name} · crawl-optimizer`);
      await page.waitForSelector(settled);
      const { status, objective } = Object(expected);
      expect(await page.getAttribute('[data-status]', 'data-status')).toBe(status);
      if (objective !== undefined) {
        const value = Number(await page.getAttribute('[data-objective]', 'data-objective'));
        expect(Math.abs(value - objective.value)).toBeLessThanOrEqual(1e-9 * Math.abs(objective.value));
      }
      expect(complaints).toEqual([]);
    },
  );

  it('ends the worker of a solve that is stopped, and solves again', async () => {
    const { page } = own;
    await page.goto(`${url}/#/simulations/queue`);
    await page.waitForSelector(settled);
    const duration = page.locator('[data-field="/duration"] input').first();
    const before = await duration.inputValue();
    await duration.fill('200000');
    await page.click('[data-stop]');
    await page.waitForSelector('main .notice:has-text("Stopped")');
    await expect.poll(() => page.workers().length).toBe(0);
    await duration.fill(before);
    await page.waitForSelector(settled);
  });

  it('refuses what the contract refuses, at its field', async () => {
    const { page } = own;
    await page.goto(`${url}/#/crawl-plan`);
    await page.waitForSelector(settled);
    await page.fill('[data-field="/crawls"] input', '-1');
    await page.waitForSelector('[data-field="/crawls"] .remarks .error');
    await page.fill('[data-field="/crawls"] input', '30');
    await page.waitForSelector(settled);
  });
});
