/** What a newcomer met, in a real browser: each of these was a dead end, a puzzle or a silence. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, keepScreenshot, noBrowser, patience, settled, type Tour, tourOfConsole } from './browser.ts';

let tour: Tour;

beforeAll(async () => {
  tour = await tourOfConsole();
});
afterAll(() => tour.close());

const day = 86_400_000;

/** An access log of two versions of a crawler and of somebody else, which ends now. */
function accessLog(): string {
  const lines: string[] = [];
  for (let k = 0; k < 60; k++) {
    const at = new Date(Date.now() - (60 - k) * (day / 10));
    const [, weekday, month, clock] = /^\w+, (\d\d) (\w+) \d+ (\S+)/.exec(at.toUTCString()) ?? [];
    const time = `${weekday}/${month}/${at.getUTCFullYear()}:${clock} +0000`;
    const agent = k % 3 === 0 ? 'ourbot/1.0' : k % 3 === 1 ? 'ourbot/1.1' : 'Mozilla/5.0';
    lines.push(`1.2.3.4 - - [${time}] "GET /item/${k % 4} HTTP/1.1" ${k % 5 === 0 ? 200 : 304} 512 "-" "${agent}"`);
  }
  return lines.join('\n');
}

describe.skipIf(noBrowser)('a newcomer, in a browser,', { timeout: patience.test }, () => {
  it('begins with one picture and one primary button', async () => {
    const { page } = tour;
    await page.goto(`${tour.service.url}/console/#/`);
    await page.waitForSelector('.start-page');
    expect(await page.locator('.start-page svg[role="img"]').count()).toBe(1);
    expect(await page.locator('.start-page .primary').allTextContents()).toEqual(['Open a log']);
    await keepScreenshot(page, 'start');
    expect(await axeFindings(page)).toEqual([]);
  });

  it('chooses the user agent of an access log, puts a site before its paths, and plans from this moment', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await tour.take('access.log', 'text/plain', accessLog());
    const dialog = page.locator('dialog.log-preview');
    await dialog.waitFor();
    const status = dialog.locator('[role="status"]');
    expect(await status.textContent()).toContain('3 user agents');
    expect(await dialog.textContent()).not.toContain('--');
    const choice = dialog.locator('[data-ask="agent"]');
    expect(await choice.locator('option').allTextContents()).toContain('ourbot/1.0 (20 lines)');
    await choice.selectOption('ourbot/1.0');
    await dialog.locator('[data-ask="base"]').fill('https://shop.example');
    await dialog.locator('[data-ask="base"]').press('Tab');
    await expect.poll(() => status.textContent()).toMatch(/pages, 20 fetches/);
    expect(await axeFindings(page)).toEqual([]);
    expect(await dialog.locator('[data-ask="fetches"]').getAttribute('placeholder')).toMatch(
      /as the log has had a day/,
    );
    await dialog.locator('button.primary').click();
    await page.waitForSelector(settled);
    expect(await page.textContent('.result-rows')).toContain('https://shop.example/item/');
    await page.locator('tbody tr[data-row]').first().click();
    expect(await page.textContent('[data-why]')).toMatch(/^It changes .* the price of a fetch is /);
    const now = Number(await page.inputValue('[data-field="/now"] input.number'));
    expect(Math.abs(now - Date.now() / 1000)).toBeLessThan(600);
    expect(complaints).toEqual([]);
  });

  it('is asked for no columns where a log has none, and told what is taken from it', async () => {
    const { page } = tour;
    const entry = (i: number): string =>
      `https://docs.example/${i}\tVersion: 7\nStatus: 2 (db_fetched)\nFetch time: Sat Nov 21 11:54:43 UTC 2026\n` +
      `Retry interval: 86400 seconds (1 days)\nModified time: Mon Nov 16 19:21:55 UTC 2026\nSignature: ${i}\n`;
    await page.goto(`${tour.service.url}/console/#/`);
    await page.waitForSelector('.start-page');
    await tour.take('dump.txt', 'text/plain', [1, 2].map(entry).join('\n'));
    const dialog = page.locator('dialog.log-preview');
    await dialog.waitFor();
    expect(await dialog.locator('[data-role]').count()).toBe(0);
    expect(await dialog.textContent()).toContain('Taken from each entry: the page, its last fetch');
    await dialog.locator('button', { hasText: 'Keep what I have' }).click();
  });

  it('has an answer checked by code of its own in the browser, and statements as text', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await page.goto(`${tour.service.url}/console/#/crawl-price`);
    await page.waitForSelector('[data-checked="fine"]');
    const text = await page.locator('[data-text*="plan"] textarea').inputValue();
    expect(text).toMatch(/^WITH .*\n/);
    expect(text).not.toContain('\\n');
    expect(complaints).toEqual([]);
  });

  it('finds no text of a picture cut off at its edge, on a phone', async () => {
    const { page } = tour;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const operation of ['simulations/queue', 'threshold-policy', 'crawl-plan']) {
      await page.goto(`${tour.service.url}/console/#/${operation}`);
      await page.waitForSelector(settled);
      await page.waitForSelector('figure svg text');
      if (operation === 'simulations/queue') await page.waitForSelector('figure:has-text("exact value of the model")');
      const cut: unknown = await page.evaluate(`[...document.querySelectorAll('figure svg')].flatMap((svg) => {
        const { left, right } = svg.closest('figure').getBoundingClientRect();
        return [...svg.querySelectorAll('text')]
          .filter((text) => text.getBoundingClientRect().right > right || text.getBoundingClientRect().left < left)
          .map((text) => text.textContent);
      })`);
      expect(cut, operation).toEqual([]);
    }
    await page.setViewportSize({ width: 1366, height: 768 });
  });

  it('is told where a request is too large for a link, and what opened link lacks it', async () => {
    const { page } = tour;
    const changeRate = Array.from({ length: 5000 }, (_, i) => 1 + Math.abs(Math.sin(i)));
    const request = { pages: { changeRate }, accessTime: { type: 'exponential', rate: 1e4 }, policy: 'deterministic' };
    await page.goto(`${tour.service.url}/console/#/access-frequencies`);
    await page.waitForSelector(settled);
    await tour.take('many.json', 'application/json', JSON.stringify(request));
    await page.waitForSelector('table[data-rows="5000"]');
    await page.click('[data-copy-link]');
    await page.waitForSelector('.history [role="status"]:has-text("Too large for a link")');
    await expect.poll(() => page.url()).toMatch(/access-frequencies\?large$/);
    const link = page.url();
    await page.evaluate('localStorage.clear()');
    await page.goto('about:blank');
    await page.goto(link);
    await page.waitForSelector('[data-lacking]');
  });
});
