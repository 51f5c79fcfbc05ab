/** Bodies in Arrow and compressed, against the same request in plain JSON. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DateMillisecond, Decimal, Dictionary, Int32, Utf8, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { exampleRequest } from '../../src/package.ts';
import { arrowStream, lists, numbers, readStream, texts, vectorsOf } from './arrow-streams.ts';
import { sharedService } from './test-service.ts';

const arrow = 'application/vnd.apache.arrow.stream';

const bodyLimit = 1.5 * 1024 * 1024;

// a small limit, so that a body above it is quickly made
const service = await sharedService({ BODY_LIMIT_BYTES: String(bodyLimit) });

async function post(operation: string, body: Uint8Array | string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : Buffer.from(body),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const type = answer.headers.get('content-type') ?? '';
  const json = type.includes('json') && !type.includes('ndjson') ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  return { status: answer.status, type, bytes, json, headers: answer.headers };
}

/** Pages of several processes, with absent cells. */
const mixed = {
  id: ['a', null, 'ü', 'd', 'e'],
  process: ['poisson', 'lomax', 'quasi-deterministic', 'poisson', 'deterministic'],
  changeRate: [2, null, null, 0.5, null],
  shape: [null, 2.5, null, null, null],
  scale: [null, 1, null, null, null],
  value: [null, null, null, null, 0.4],
  times: [null, null, [0.2, 0.7], null, null],
  probabilities: [null, null, [0.5, 1], null, null],
  weight: [1, 2, null, 4, 0.5],
};
const accessed = { accessTime: { type: 'exponential', rate: 1 }, policy: 'deterministic' };
const common = { interval: 1, crawls: 9, idealTimes: true };
const mixedStream = () =>
  arrowStream(
    {
      id: texts(mixed.id),
      process: texts(mixed.process),
      changeRate: numbers(mixed.changeRate),
      shape: numbers(mixed.shape),
      scale: numbers(mixed.scale),
      value: numbers(mixed.value),
      times: lists(mixed.times),
      probabilities: lists(mixed.probabilities),
      weight: numbers(mixed.weight),
    },
    common,
  );

describe('an Arrow stream', () => {
  it('asks what the same columns ask in JSON, and is answered alike', async () => {
    const plain = await post('crawl-allocation', JSON.stringify({ ...common, pages: mixed }));
    expect(plain.status).toBe(200);
    const asJson = await post('crawl-allocation', mixedStream(), { 'content-type': arrow });
    expect(asJson.json.solution).toEqual(plain.json.solution);
    const response = await post('crawl-allocation', mixedStream(), { 'content-type': arrow, accept: arrow });
    expect(response.type).toBe(arrow);
    const { cells, answer } = readStream(response.bytes);
    const { pages, ...others } = plain.json.solution;
    for (const [name, column] of Object.entries(pages)) expect(cells(name), name).toEqual(column);
    expect(answer.solution).toEqual(others);
    expect(answer.objective).toEqual(plain.json.objective);
  });

  it('carries the columns of every operation that takes a list as columns', async () => {
    const operationNames: string[] = [];
    for (const operation of operations) {
      const { request: list, answer: answered } = operation.lists;
      if (list === null) continue;
      for (const example of operation.examples) {
        const plain = exampleRequest(example);
        const { [list]: columns, ...others }: Record<string, unknown> = Object(plain);
        if (Array.isArray(columns) || columns === undefined) continue;
        const { vectors, constants } = vectorsOf(Object(columns));
        const stream = arrowStream(vectors, { ...others, [list]: constants });
        const { status, json } = await post(operation.name, stream, { 'content-type': arrow });
        expect(status, `${example.name} ${JSON.stringify(json)}`).toBe(200);
        const { json: recorded } = await post(operation.name, JSON.stringify(plain));
        expect(json.status, example.name).toBe(recorded.status);
        expect(json.objective, example.name).toEqual(recorded.objective);
        expect(json.conflict, example.name).toEqual(recorded.conflict);
        if (answered !== null && json.status !== 'infeasible')
          expect(json.solution[answered], example.name).toEqual(recorded.solution[answered]);
        operationNames.push(operation.name);
      }
    }
    expect(new Set(operationNames).size).toBeGreaterThan(5);
  });

  it('may leave values that stand for all rows to the metadata, and have integers for numbers', async () => {
    const request = { ...common, pages: { weight: 2 } };
    const stream = arrowStream({ changeRate: numbers([1, 2, 3]) }, request);
    const { json } = await post('crawl-allocation', stream, { 'content-type': arrow });
    expect(json.solution.pages.crawls.reduce((sum: number, each: number) => sum + each, 0)).toBe(9);
    const frequencies = await post(
      'access-frequencies',
      arrowStream({ changeRate: vectorFromArray([1, 2, 3], new Int32()) }, accessed),
      { 'content-type': arrow, accept: arrow },
    );
    expect(frequencies.status, JSON.stringify(frequencies.json)).toBe(200);
    expect(readStream(frequencies.bytes).cells('frequency')).toHaveLength(3);
  });

  it('in rows or JSON is answered in Arrow for who accepts it; an answer without columns is not', async () => {
    const rows = { interval: 1, crawls: 3, pages: [{ id: 'x', changeRate: 1 }] };
    const response = await post('crawl-allocation', JSON.stringify(rows), { accept: arrow });
    expect(readStream(response.bytes).cells('id')).toEqual(['x']);
    const refusal = await post('estimates/service-time', '{}', { accept: arrow });
    expect(refusal.status).toBe(406);
    expect((await post('estimates/service-time', '{}', { accept: `${arrow}, application/json;q=0.5` })).status).toBe(
      422,
    );
    const without = await post('estimates/service-time', mixedStream(), { 'content-type': arrow });
    expect(without.status).toBe(415);
  });

  it.each([
    [
      'process',
      vectorFromArray(['a'], new Dictionary(new Utf8(), new Int32())),
      'Dictionary; send the values themselves',
    ],
    ['weight', vectorFromArray([new Uint32Array(4)], new Decimal(2, 10, 128)), 'Decimal; cast it to a 64-bit float'],
    ['lastCrawlAge', vectorFromArray([new Date(0)], new DateMillisecond()), 'epoch seconds'],
    ['changeRate', lists([[1]]), 'must be a'],
    ['colour', texts(['red']), 'allowed here: id, changeRate, updates, process'],
  ])('is refused with the column %s and what to send', async (name, column, detail) => {
    const { status, json } = await post('crawl-allocation', arrowStream({ [name]: column }, common), {
      'content-type': arrow,
    });
    expect(status).toBe(422);
    expect(json.errors[0].pointer).toMatch(new RegExp(`^/pages/${name}`));
    expect(json.errors[0].detail).toContain(detail);
  });

  it('is refused with counts and places where cells are bad', async () => {
    const cells = { process: texts(['poisson', 'poisson', 'weekly']), changeRate: numbers([1, 2, 1]) };
    const { status, json } = await post('crawl-allocation', arrowStream(cells, common), { 'content-type': arrow });
    expect(status).toBe(422);
    expect(json.errors[0].pointer).toBe('/pages/process/2');
    expect(json.errors[0].detail).toContain('got "weekly"');
    const frequency = { changeRate: numbers([1, null, Number.NaN, -2]) };
    const many = await post('access-frequencies', arrowStream(frequency, accessed), { 'content-type': arrow });
    expect(many.json.errorCount).toBe(3);
  });

  it('that is truncated or no Arrow is refused', async () => {
    for (const body of [mixedStream().subarray(0, 2000), JSON.stringify(common)]) {
      const { status, json } = await post('crawl-allocation', body, { 'content-type': arrow });
      expect([status, json.type]).toEqual([400, 'urn:crawl-optimizer:problem:not-arrow']);
    }
  });
});

describe('a compressed body', () => {
  const text = JSON.stringify({ value: 5 });

  it('is inflated, be it gzip or brotli, JSON or Arrow', async () => {
    const encoded = {
      gzip: gzipSync(text),
      'x-gzip': gzipSync(text),
      br: brotliCompressSync(text),
    };
    for (const [encoding, body] of Object.entries(encoded)) {
      const { status, json } = await post('test/echo', body, { 'content-encoding': encoding });
      expect(status, `${encoding} ${JSON.stringify(json)}`).toBe(200);
      expect(json.solution.value).toBe(5);
    }
    const headers = { 'content-type': arrow, 'content-encoding': 'gzip' };
    expect((await post('crawl-allocation', gzipSync(mixedStream()), headers)).status).toBe(200);
  });

  it('that is a bomb, truncated, or of another encoding is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '));
    const burst = await post('test/echo', bomb, { 'content-encoding': 'gzip' });
    expect(burst.status).toBe(413);
    expect(burst.json.detail).toContain(`inflates to more than the ${bodyLimit} bytes`);
    expect(burst.json.detail).toContain('the columns of an Arrow stream');
    const cut = await post('test/echo', gzipSync(text).subarray(0, 12), { 'content-encoding': 'gzip' });
    expect(cut.status).toBe(400);
    expect(cut.json.detail).toContain('truncated');
    const unknown = await post('test/echo', text, { 'content-encoding': 'compress' });
    expect(unknown.status).toBe(415);
    expect(unknown.headers.get('accept-encoding')).toBe('gzip, br');
    expect((await post('test/echo', text)).status).toBe(200);
  });
});
