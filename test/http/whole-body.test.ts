/** A body in one piece, whatever the chunks it comes in. */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Places } from '../../src/dispatch/wire/places.ts';
import { readWhole } from '../../src/http/bodies/whole-body.ts';

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, k) => k % 251));
const inChunks = (size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, k) => bytes.subarray(k * size, (k + 1) * size));

const read = (payload: Readable, length: number, limit = 1e6): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    readWhole(payload, { length, limit }, (error, body) => (error === null ? resolve(body) : reject(error)));
  });

describe('a body', () => {
  it.each([7, 1000, 4095, 65_536, 299_999, 300_000])('comes together from chunks of %d bytes', async (size) => {
    expect(await read(Readable.from(inChunks(size)), bytes.length)).toEqual(bytes);
    expect(await read(Readable.from(inChunks(size)), Number.NaN)).toEqual(bytes);
  });

  it('goes to the place of one that was given back, once, where that is not much larger', async () => {
    const places = new Places();
    const readTo = (length: number): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        const payload = Readable.from(inChunks(65_536));
        const done = (error: Error | null, body?: Buffer) => (body === undefined ? reject(error) : resolve(body));
        readWhole(payload, { length, limit: 1e6, places }, done);
      });
    const first = await readTo(bytes.length);
    places.giveBack(first.fill(1));
    expect(places.take(140_000).buffer).not.toBe(first.buffer);
    const second = await readTo(bytes.length);
    expect(second.buffer).toBe(first.buffer);
    expect(second).toEqual(bytes);
    expect((await readTo(bytes.length)).buffer).not.toBe(first.buffer);
    places.giveBack(second);
    expect(places.take(300_001).buffer).not.toBe(first.buffer);
    expect(places.take(299_000)).toHaveLength(299_000);
  });

  it('of a byte a chunk takes little more than its bytes', async () => {
    const payload = new Readable({ read() {} });
    const whole = read(payload, Number.NaN);
    const sent = Buffer.alloc(65_536, 7);
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    const heap = (): number => {
      if (typeof collect === 'function') collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    for (let i = 0; i < 300_000; i++) payload.emit('data', sent.subarray(i % 65_536, (i % 65_536) + 1));
    // An object for each would be some thirty megabytes.
    expect(heap() - before).toBeLessThan(8e6);
    payload.emit('end');
    expect((await whole)?.length).toBe(300_000);
  });

  it('of nothing is empty', async () => {
    expect(await read(Readable.from([]), Number.NaN)).toEqual(Buffer.alloc(0));
  });

  it('that was compressed is held against the length of what came', async () => {
    const inflated = () => Object.assign(Readable.from(inChunks(65_536)), { receivedEncodedLength: 280_000 });
    expect(await read(inflated(), 280_000)).toEqual(bytes);
    await expect(read(inflated(), 280_001)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('that is shorter than announced is refused', async () => {
    await expect(read(Readable.from(inChunks(65_536)), 300_001)).rejects.toMatchObject({ statusCode: 400 });
  });

  it('over the limit is given up with the chunk that passes it', async () => {
    await expect(read(Readable.from(inChunks(65_536)), Number.NaN, 200_000)).rejects.toMatchObject({ statusCode: 413 });
  });

  it('whose connection breaks is a fault of the caller, unless the error says otherwise', async () => {
    const breaking = (fault: object) =>
      new Readable({
        read() {
          this.destroy(Object.assign(new Error('broken'), fault));
        },
      });
    await expect(read(breaking({}), 10)).rejects.toMatchObject({ statusCode: 400 });
    await expect(read(breaking({ statusCode: 503 }), 10)).rejects.toMatchObject({ statusCode: 503 });
  });
});
