/** A pilot in a real browser: a log of probes is opened, and its course drawn, on a laptop and on a phone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { axeFindings, keepScreenshot, noBrowser, patience, settled, type Tour, tourOfConsole } from './browser.ts';

let tour: Tour;

beforeAll(async () => {
  tour = await tourOfConsole();
});
afterAll(() => tour.close());

const day = 86_400;
const start = 20_400 * day;

/** Thirty days of probes, as an integration notes them: copies are current 95 times of 100 by the plan, else 65. */
function probeLog(): string {
  const random = seededRandom(9);
  return Array.from({ length: 1500 }, (_, i) => {
    const arm = random() < 0.5 ? 'plan' : 'incumbent';
    const current = random() < (arm === 'plan' ? 0.95 : 0.65);
    const time = start + Math.floor((i * day) / 50 + 800 * random());
    return JSON.stringify({ time, page: `https://shop.example/${Math.floor(4000 * random())}`, current, arm });
  }).join('\n');
}

describe.skipIf(noBrowser)('a pilot, in a browser,', { timeout: patience.test }, () => {
  const pictures = ['freshness-over-time', 'arms-over-time', 'difference-over-time'];

  it('is seen from its log of probes: how freshness went, the two arms, and their difference with the verdict', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await page.goto(`${tour.service.url}/console/#/`);
    await page.waitForSelector('.start-page');
    await tour.take('probes.ndjson', 'application/x-ndjson', probeLog());
    await page.waitForSelector(settled);
    expect(page.url()).toContain('#/estimates/freshness');
    for (const name of pictures) {
      const figure = page.locator(`figure[data-picture="${name}"]`);
      await figure.locator('svg path').first().waitFor({ state: 'attached' });
      // A band for each course, besides its line.
      expect(await figure.locator('[aria-label="area"] path').count()).toBe(name === 'arms-over-time' ? 2 : 1);
    }
    const difference = page.locator('figure[data-picture="difference-over-time"]');
    expect(await difference.textContent()).toContain('take over');
    expect(await page.textContent('.sentence')).toContain('take over');
    expect(await axeFindings(page)).toEqual([]);
    await keepScreenshot(page, 'pilot');
    expect(complaints).toEqual([]);
  });

  it('fits a phone, in light and in dark', async () => {
    const { page } = tour;
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForSelector(settled);
    // the pictures are drawn anew only after the page has its new width
    const fits =
      '[...document.querySelectorAll("figure svg")].every((each) => each.getBoundingClientRect().right <= 390)';
    // asked from here: the page's policy forbids a condition that it polls itself
    const narrow = (): Promise<unknown> => page.evaluate(`document.documentElement.scrollWidth <= 390 && ${fits}`);
    await expect.poll(narrow, { timeout: 10_000 }).toBe(true);
    for (const name of pictures) {
      const box = await page.locator(`figure[data-picture="${name}"] svg`).last().boundingBox();
      expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    }
    expect(await axeFindings(page)).toEqual([]);
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: `artefacts/console/pilot-phone-${scheme}.png`, fullPage: true });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    if (before !== null) await page.setViewportSize(before);
  });
});
