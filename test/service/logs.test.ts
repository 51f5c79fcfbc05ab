/** Crawl logs sent to the service as they are, against the request that the command line makes of them. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { planRequest } from '../../src/logs/plan-request.ts';
import { readLog } from '../../src/logs/read-log.ts';
import { sharedService, waitUntil } from './test-service.ts';

const text = readFileSync('examples/quick-start/crawl-log.ndjson', 'utf8');
const now = 1_781_136_000;
const [head, ...rows] = [
  'url,time,etag',
  ...Array.from({ length: 60 }, (_, i) => `https://a.example/${i % 4},${now - 86_400 * (15 - i / 4)},v${i % (i % 4)}`),
];
const csv = [head, ...rows].join('\n');

const service = await sharedService({ BODY_LIMIT_BYTES: String(2 ** 24), WORKER_MEMORY_MB: '64' });

async function post(path: string, body: string | Uint8Array, type: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body: typeof body === 'string' ? body : Buffer.from(body),
  });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

describe('a crawl log over HTTP', () => {
  const path = `crawl-plan?crawls=30&now=2026-06-11&interval=1d`;
  const settings = { now, interval: 86_400, crawls: 30 };

  it('is planned as the command line plans it, and the answer says how it was read', async () => {
    const log = readLog([text]);
    const plain = await post('crawl-plan', JSON.stringify(planRequest(log, settings)), 'application/json');
    const logged = await post(path, text, 'application/x-ndjson');
    expect(logged.status).toBe(200);
    expect(logged.json.solution).toEqual(plain.json.solution);
    const logWarnings = logged.json.warnings.filter(({ code }: { code: string }) => code === 'log');
    expect(logWarnings[0].detail).toBe(
      'The log was read as JSON objects: 5 pages, 165 fetches, 1–10 June 2026, 3 failed.',
    );
    const packed = gzipSync(text);
    const ways = [
      await post(path, packed, 'application/x-ndjson', { 'content-encoding': 'gzip' }),
      await post(path, packed, 'application/gzip'),
      await post(path, packed, 'text/csv'),
      await post(`${path}&format=json`, text, 'text/csv'),
    ];
    for (const { json } of ways) expect(json.solution).toEqual(plain.json.solution);
  });

  it('takes CSV, the rest of the request as parameters, and rates too', async () => {
    const plan = await post(
      'crawl-plan?freshness=0.7&now=2026-06-11T02:00:00&zone=+02:00&hostDelay=2m&options.seed=3&objective=freshness',
      csv,
      'text/csv',
    );
    expect(plan.status, plan.json.detail).toBe(200);
    const request = planRequest(readLog([csv]), { ...settings, crawls: { freshness: 0.7 }, hostDelay: 120 });
    const plain = await post(
      'crawl-plan',
      JSON.stringify({ ...request, objective: 'freshness', options: { seed: 3 } }),
      'application/json',
    );
    expect(plan.json.solution).toEqual(plain.json.solution);
    const rates = await post('estimates/change-rates?confidence=0.9', csv, 'text/csv');
    expect(rates.json.solution.pages.map(({ id }: { id: string }) => id)).toEqual(
      [0, 1, 2, 3].map((i) => `https://a.example/${i}`),
    );
    const valid = await post('crawl-plan?crawls=3&validateOnly=true', csv, 'text/csv');
    expect(valid.json.valid).toBe(true);
  });

  it('leaves out a page that is gone, and keeps one that fails otherwise', async () => {
    const day = 86_400;
    const statuses = { fresh: 200, moved: 302, gone: 404, once: 404 } as const;
    const lines = Array.from({ length: 10 }, (_, k) =>
      Object.entries(statuses).map(([page, status]) => {
        const fails = page === 'moved' || (page === 'gone' && k > 1) || (page === 'once' && k === 9);
        const seen = { status: 200, signature: page === 'fresh' ? `${k}` : 'same' };
        return JSON.stringify({ page, time: now - (10 - k) * day, ...(fails ? { status } : seen) });
      }),
    ).flat();
    const log = readLog([lines.join('\n')]);
    // at their last fetch, a day ago: fine; failing for nine days; gone for a week; failing for a day
    expect(planRequest(log, settings).pages.map(({ id }) => id)).toEqual(['fresh', 'moved', 'once']);
    const within = await post(
      'crawl-plan?crawls=12&now=2026-06-11&maxInterval=7d',
      lines.join('\n'),
      'application/x-ndjson',
    );
    expect(within.status, within.json.detail).toBe(200);
    // a target can be reached in spite of pages that are gone
    const promised = planRequest(log, { ...settings, crawls: { freshness: 0.9 } });
    expect(promised.pages.map(({ id }) => id)).toEqual(['fresh', 'moved', 'once']);
  });

  const access = [200, 304].map(
    (status, i) => `10.0.0.1 - - [0${1 + i}/Jun/2026:10:00:00 +0000] "GET /a HTTP/1.1" ${status} 9 "-" "bot/${i}"`,
  );
  it.each([
    ['no page', 'crawl-plan?crawls=3', 'a,b\n1,2', 'text/csv', 'add to the query map page=<column>'],
    ['no time', 'crawl-plan?crawls=3', 'url,scrapd_at,etag\nx,1,2', 'text/csv', 'map time=scrapd_at'],
    ['two agents', 'crawl-plan?crawls=3', access.join('\n'), 'text/plain', 'add to the query agent with'],
    ['nothing', 'crawl-plan?crawls=3', '', 'text/csv', 'the log is empty'],
    ['noise', 'crawl-plan?crawls=3', '\u0000\u0001\u0002', 'text/csv', 'no format is known'],
    ['an open quote', 'crawl-plan?crawls=3', `${head}\n"${'a'.repeat(2e5)}`, 'text/csv', 'quoted cell is not closed'],
    ['columns without end', 'crawl-plan?crawls=3', `${'c,'.repeat(2e5)}url\n`, 'text/csv', 'at most 10000 columns'],
    [
      'later than now',
      'crawl-plan?crawls=3&now=2020-01-01',
      csv,
      'text/csv',
      'every line of the log is later than now',
    ],
    ['pages twice', 'crawl-plan?crawls=3&pages=[]', csv, 'text/csv', 'pages come from the log'],
    [
      'no zone',
      'crawl-plan?crawls=3&zone=Paris',
      csv,
      'text/csv',
      'a zone must be UTC, like +02:00 or like Europe/Berlin',
    ],
    ['no role', 'crawl-plan?crawls=3&map=site%3Durl', csv, 'text/csv', 'map must be <field>=<column>'],
    ['no crawls', 'crawl-plan', csv, 'text/csv', '/crawls: give crawls'],
    ['a misspelt property', 'crawl-plan?crawl=3', csv, 'text/csv', 'did you mean crawls?'],
    ['a misspelt reading', 'crawl-plan?crawls=3&agnt=x', csv, 'text/csv', 'did you mean agent?'],
    ['a prototype', 'crawl-plan?crawls=3&__proto__.x=1', csv, 'text/csv', 'unknown property \\"__proto__\\"'],
  ])('is refused by what is wrong with it: %s', async (_, path, body, type, reason) => {
    const { status, json } = await post(path, body, type);
    expect(status).toBe(422);
    expect(JSON.stringify(json).replaceAll('\\\\', '\\')).toContain(reason);
    expect(json.detail).not.toContain('--');
  });

  it('does not keep a wide column that no field needs, which would fill the heap of the worker', async () => {
    // 5 MiB a row once parsed: together five heaps of a worker
    const wide = `[${'{},'.repeat(80_000)}0]`;
    const lines = Array.from({ length: 60 }, (_, i) => `{"url":"/${i % 2}","time":${now - i},"changed":1,"x":${wide}}`);
    const { status, json } = await post(path, gzipSync(lines.join('\n')), 'application/gzip');
    expect(status, json.detail).toBe(200);
    expect(json.solution.pages).toHaveLength(2);
  });

  it('that is cut in the middle of its gzip is read to its last whole line, and the answer says so', async () => {
    const long = Array.from(
      { length: 4000 },
      (_, k) => `${JSON.stringify({ url: `/${k % 7}`, time: now - 9e5 + 200 * k, hash: `${Math.sin(k)}` })}\n`,
    );
    const whole = gzipSync(long.join(''));
    const { status, json } = await post(path, whole.subarray(0, whole.length / 2), 'application/gzip');
    expect(status, json.detail).toBe(200);
    const notes = json.warnings.map(({ detail }: { detail: string }) => detail).join(' ');
    const [, pages, fetches] = /: (\d) pages, (\d+) fetches/.exec(notes) ?? [];
    expect(pages).toBe('7');
    expect(Number(fetches)).toBeGreaterThan(1000);
    expect(notes).toContain(`The log ends in the middle: its ${fetches} whole fetches are read.`);
    expect(notes).not.toMatch(/cannot be read|left out/);
  });

  it('is refused where it inflates without end', async () => {
    const bomb = await post('crawl-plan?crawls=3', gzipSync(`${csv}\n`.repeat(10_000)), 'application/gzip');
    expect(bomb.status).toBe(413);
  });

  describe('that is larger than the first piece a worker gets', () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, i) => `https://a.example/${i % 4},${now - 864_000 + 20 * i},v${i % 9},${'-'.repeat(200)}`,
    );
    const long = [`${head},note`, ...lines].join('\n');
    const [first, rest] = [long.slice(0, 9_000_000), long.slice(9_000_000)].map((part) => Buffer.from(part));
    const sendFirst = async (signal?: AbortSignal) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const options = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: readable, signal } as const;
      const answer = fetch(`${service.url}/v1/${path}`, { ...options, duplex: 'half' });
      const writer = writable.getWriter();
      await writer.write(first);
      return { answer, writer };
    };

    it('goes to its worker while it arrives, is answered as one that came at once, and ends with its caller', async () => {
      const whole = await post(path, long, 'text/csv');
      const { answer, writer } = await sendFirst();
      await waitUntil(() => service.pool.running === 1);
      await writer.write(rest);
      await writer.close();
      expect(Object(await (await answer).json()).solution).toEqual(whole.json.solution);
      const caller = new AbortController();
      const unfinished = await sendFirst(caller.signal);
      await waitUntil(() => service.pool.running === 1);
      caller.abort();
      await expect(unfinished.answer).rejects.toThrow();
      await waitUntil(() => service.pool.running === 0);
      expect((await post(path, csv, 'text/csv')).status).toBe(200);
    });

    it('frees its worker when its sender stalls, so that the next request is answered', async () => {
      const stalled = await Promise.all([sendFirst(), sendFirst()]);
      await waitUntil(() => service.pool.running === 2);
      expect((await post(path, csv, 'text/csv')).status).toBe(200);
      for (const { answer } of stalled) {
        const refusal = Object(await (await answer).json());
        expect(refusal).toMatchObject({ status: 408, type: expect.stringContaining('too-slow') });
        expect(Number(/after (\d+) bytes/.exec(refusal.detail)?.[1])).toBeGreaterThanOrEqual(2 ** 23);
      }
    });
  });

  it('is pointed out where it was sent as JSON, and refused where the operation takes none', async () => {
    const asJson = await post('crawl-plan', csv, 'application/json');
    expect(asJson.status).toBe(400);
    expect(asJson.json.detail).toContain('this looks like a crawl log (CSV): send it with Content-Type: text/csv');
    expect((await post('crawler-count', csv, 'text/csv')).status).toBe(415);
    expect((await post('crawl-plan', '{}', 'text/plain')).status).toBe(415);
  });

  it('that nests thousands of arrays, or a query that names a property as deep, is refused and ends no worker', async () => {
    const nested = `${'['.repeat(9000)}${']'.repeat(9000)}`;
    const bad = `{"url": null, "time": ${now}, "changed": 1, "x": ${nested}}`;
    const logs: readonly (readonly [query: string, body: string, type: string, status: number])[] = [
      ['crawls=1&format=json', nested, 'text/csv', 422],
      [`crawls=1&now=${now}&interval=86400`, `${text.trimEnd()}\n${bad}\n`, 'application/x-ndjson', 200],
      [`${Array(2000).fill('a').join('.')}=1`, csv, 'text/csv', 422],
      [`x=${'['.repeat(5000)}`, csv, 'text/csv', 422],
    ];
    for (const [query, body, type, status] of logs) {
      const answer = await post(`crawl-plan?${query}`, body, type);
      expect([answer.status, answer.json.detail ?? ''], query.slice(0, 40)).toEqual([status, expect.any(String)]);
    }
    const body = await post('crawler-count', `{"capacity": ${nested}}`, 'application/json');
    expect(body.status).toBe(422);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain('crawl_optimizer_workers_lost_total 0');
  });
});
