import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleAnswer, exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';
import { faultyOperations } from '../service/faulty-operations.ts';
import { until } from '../service/test-service.ts';
import { axeFindings, keepScreenshot, noBrowser, patience, settled, type Tour, tourOfConsole } from './browser.ts';
import { trials } from './questions.ts';

let tour: Tour;
let service: Tour['service'];

beforeAll(async () => {
  tour = await tourOfConsole();
  service = tour.service;
});
afterAll(() => tour.close());

const field = (pointer: string): string => `[data-field="${pointer}"]`;

/** Opens a question. */
async function open(name: string): Promise<void> {
  await tour.page.goto(`${service.url}/console/#/${name}`);
  await expect.poll(() => tour.page.title()).toBe(`${name} · crawl-optimizer`);
}

const exampleNamed = (name: string, wanted: string): unknown => {
  const example = operations.find((each) => each.name === name)?.examples.find((each) => each.name === wanted);
  if (example === undefined) throw new Error(`${name} has no example ${wanted}`);
  return exampleRequest(example);
};

/** The answers in examples/, as they were recorded, by the request as the console sends it. */
function recordedAnswers(): ReadonlyMap<string, string> {
  answersByRequest ??= new Map(
    operations
      .flatMap(({ examples }) => examples)
      .map((example) => [
        JSON.stringify(exampleRequest(example)),
        JSON.stringify(JSON.parse(readFileSync(`examples/${example.name}.answer.json`, 'utf8'))),
      ]),
  );
  return answersByRequest;
}
let answersByRequest: ReadonlyMap<string, string> | undefined;

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
    const again = await supertest(url).get('').set('accept-encoding', 'identity').set('if-none-match', etag);
    expect(again.status).toBe(304);
  });

  it('answers 404 for a file it does not have, and nothing outside its folder', async () => {
    for (const path of ['nothing.js', '..%2f..%2fpackage.json', 'assets/..%2f..%2fserver.ts']) {
      const answer = await fetch(`${service.url}/console/${path}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('knows every operation', () => {
    expect(trials.map(({ operation }) => operation).sort()).toEqual(operations.map(({ name }) => name).sort());
  });
});

describe.skipIf(noBrowser)('in a browser,', { timeout: patience.test }, () => {
  it.each(trials.map((trial) => [trial.operation, trial] as const))(
    '%s: the example has its pictures, axe finds nothing serious, a changed number moves them, a bad one is refused at its field',
    async (name, { pointer, next, bad, pictures }) => {
      const { page, complaints } = tour;
      complaints.length = 0;
      const example = operations.find((each) => each.name === name)?.examples[0].name ?? '';
      const request = exampleNamed(name, example);
      const response = await fetch(`${service.url}/v1/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      const answer: unknown = await response.json();
      await open(name);
      await page.waitForSelector(`[data-status="${Reflect.get(Object(answer), 'status')}"]`);
      for (const { picture, marks, count } of pictures) {
        const drawn = page.locator(`[data-picture="${picture}"] ${marks}`);
        const expected = count(request, answer);
        if (Number.isNaN(expected)) await drawn.first().waitFor({ state: 'attached' });
        else await expect.poll(() => drawn.count()).toBe(expected);
      }
      await keepScreenshot(page, name.replace('/', '-'));
      expect(await axeFindings(page)).toEqual([]);

      await page.evaluate("for (const more of document.querySelectorAll('details.more')) more.open = true");
      const first = page.locator(`[data-picture="${pictures[0].picture}"] .frame`);
      const before = await first.innerHTML();
      const input = page.locator(`${field(pointer)} input`).first();
      await input.fill(next);
      await expect.poll(() => first.innerHTML()).not.toBe(before);

      await input.fill(bad);
      const refusal = page.locator(`${field(pointer)} .remarks .error`);
      await refusal.waitFor();
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await page.locator('.refusal .pointer').first().textContent()).toContain(pointer);
      await input.fill(next);
      await refusal.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  // The test before solves and draws the first example of each operation. The recorded answers are held to what is
  // solved by test/contract/examples.test.ts; here they are drawn as they were recorded.
  it('draws every other example of every operation without a complaint', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    let recorded = 0;
    await page.route('**/v1/**', (route) => {
      const answer = recordedAnswers().get(route.request().postData() ?? '');
      if (answer === undefined) return route.continue();
      recorded++;
      return route.fulfill({ contentType: 'text/event-stream', body: `event: answer\ndata: ${answer}\n\n` });
    });
    let drawn = 0;
    for (const { name, examples } of operations) {
      await open(name);
      for (const example of examples.slice(1)) {
        await page.selectOption('.start select', example.name);
        await page.waitForSelector(settled);
        const solved = (await page.getAttribute('[data-status]', 'data-status')) !== 'infeasible';
        // Where there is no solution the picture is of the clash; an answer of one number has none.
        const found: unknown = Reflect.get(Object(exampleAnswer(example)), 'solution');
        const drawable = !solved || Object.keys(Object(found)).length > 1;
        if (drawable) await page.waitForSelector(`[data-picture${solved ? '' : '="clash"'}] svg`, { timeout: 20_000 });
        expect(complaints, example.name).toEqual([]);
        // Its list is empty: nothing in it can be reached by keyboard.
        if (example.name === 'crawl-price-feedback') expect(await axeFindings(page)).toEqual([]);
        drawn++;
      }
    }
    await page.unroute('**/v1/**');
    expect(recorded).toBeGreaterThanOrEqual(drawn);
  });

  it('draws the clash of an infeasible assignment', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await open('slot-assignment');
    await page.selectOption('.start select', 'slot-assignment-infeasible');
    await page.waitForSelector('[data-status="infeasible"]');
    const request = Object(exampleNamed('slot-assignment', 'slot-assignment-infeasible'));
    const tasks = page.locator('[data-picture="clash"] g[aria-label="dot"] path');
    await expect.poll(() => tasks.count()).toBe(request.tasks.length);
    await expect.poll(() => page.locator('[data-picture="clash"] g.slots line').count()).toBe(10);
    await keepScreenshot(page, 'slot-assignment-clash');
    expect(complaints).toEqual([]);
  });

  it('is worked by keyboard: arrows move a number and the answer with it, tabs change the view', async () => {
    const { page } = tour;
    await open('crawler-count');
    await page.selectOption('.start select', 'crawler-count-table-1.1');
    await page.waitForSelector(settled);
    // Behind the lever is its curve; where the machine is busy it waits for a click.
    const draw = page.locator('.what-if .about button');
    const complete = page.locator('.what-if-curve[data-complete="true"]');
    await draw.or(complete).first().waitFor();
    if ((await complete.count()) === 0) await draw.click();
    await complete.waitFor();
    expect(Number(await page.getAttribute('.what-if-curve', 'data-points'))).toBeGreaterThanOrEqual(8);
    const objective = page.locator('[data-objective]');
    const before = await objective.getAttribute('data-objective');
    await page.focus(`${field('/capacity')} input`);
    await page.keyboard.press('ArrowUp');
    expect(await page.inputValue(`${field('/capacity')} input`)).toBe('41');
    await expect.poll(() => objective.getAttribute('data-objective')).not.toBe(before);
    await page.waitForSelector(settled);
    await page.focus('[role="tab"][aria-selected="true"]');
    await page.keyboard.press('ArrowRight');
    const shown = JSON.parse(await page.inputValue('[data-source="answer"]'));
    expect(String(shown.objective.value)).toBe(await objective.getAttribute('data-objective'));
    await page.keyboard.press('ArrowRight');
    const curl = await page.inputValue('[data-source="request"]');
    expect(curl).toContain(`curl -s '${service.url}/v1/crawler-count'`);
    expect(curl).toContain('"capacity": 41');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
  });

  it('takes a dropped file of a hundred thousand pages and draws every one of them', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    await open('access-frequencies');
    const count = 100_000;
    const changeRate = Array.from({ length: count }, (_, i) => 0.001 * 1e4 ** (((i * 0.618034) % 1) * 0.9));
    const weight = Array.from({ length: count }, (_, i) => 1 + ((i * 7) % 13));
    const body = {
      pages: { changeRate, weight },
      accessTime: { type: 'exponential', rate: 1e5 },
      policy: 'deterministic',
    };
    const buffer = Buffer.from(JSON.stringify(body));
    await page.setInputFiles('input[type="file"]', { name: 'pages.json', mimeType: 'application/json', buffer });
    const raster = page.locator('[data-picture="frequency"] image.raster');
    await raster.waitFor();
    expect(await raster.getAttribute('data-marks')).toBe(String(count));
    await keepScreenshot(page, 'access-frequencies-100000');
    expect(complaints).toEqual([]);
  });

  it('shows the progress of a long solve, and stops it by its button and by leaving', async () => {
    const { page, complaints } = tour;
    complaints.length = 0;
    // The document that the service sends is the package's: of the operation of this test it knows nothing.
    const document = await service.server.openApiDocument([...operations, ...faultyOperations]);
    await page.route('**/openapi.json', (route) => route.fulfill({ json: document }));
    await page.goto('about:blank');
    await open('test/spin');
    const request = JSON.stringify({ value: 600_000, options: { timeLimitMs: 600_000 } });
    await tour.take('request.json', 'application/json', request);
    await page.waitForSelector('.waiting progress[value="0.25"]');
    const waiting = page.locator('.waiting');
    expect(await waiting.textContent()).toContain('best 2');
    await expect.poll(() => waiting.textContent()).toMatch(/25% done · \d+ \w+ so far · about .* to go/);
    // The example's solve, which this one replaced, may still be ending.
    await until(() => service.dispatcher.inFlight === 1, patience.wait);
    await page.click('[data-stop]');
    await until(() => service.dispatcher.inFlight === 0, patience.wait);
    await page.waitForSelector('main .notice:has-text("Stopped. Below is the best found until then.")');
    expect(await page.textContent('#answer')).toContain('evaluated');
    await page.click('main .notice:has-text("Stopped.") button');
    await page.waitForSelector('.waiting progress[value="0.25"]');
    await open('crawler-count');
    await page.waitForSelector(settled);
    await until(() => service.dispatcher.inFlight === 0, patience.wait);
    expect(complaints).toEqual([]);
  });
});
