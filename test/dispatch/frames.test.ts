/** Frames cross in chunks of any size, and each body is read to the place that was asked for it. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameReader, framePieces } from '../../src/dispatch/wire/frames.ts';

interface Head {
  readonly text: string;
}

const frames = fc.array(
  fc.record({ head: fc.record({ text: fc.string() }), body: fc.uint8Array({ maxLength: 300 }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
);

/** Feeds the reader as a worker does: where a body's rest is long enough its bytes are put straight to their place. */
function feed(reader: FrameReader<Head>, bytes: Buffer, sizes: readonly number[], least: number): void {
  for (let at = 0, k = 0; at < bytes.length; k++) {
    const place = reader.place(least);
    const most = Math.min(sizes[k % sizes.length], bytes.length - at);
    const read = place === null ? most : Math.min(most, place.length);
    if (place === null) reader.push(bytes.subarray(at, at + read));
    else {
      bytes.copy(place, 0, at, at + read);
      reader.took(read);
    }
    at += read;
  }
}

describe('frames', () => {
  it('come as they were sent, whatever their chunks, each body in its place', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(frames, sizes, fc.integer({ min: 1, max: 100 }), (sent, chunks, least) => {
        const got: { head: Head; body: Buffer }[] = [];
        const places: Buffer[] = [];
        const reader = new FrameReader<Head>(
          (head, body) => got.push({ head, body }),
          (length, head) => {
            expect(head).toEqual(sent[places.length].head);
            places.push(Buffer.alloc(length));
            return places[places.length - 1];
          },
        );
        feed(reader, Buffer.concat(sent.flatMap(({ head, body }) => framePieces(head, [body]))), chunks, least);
        expect(got.map(({ head, body }) => ({ head, body: new Uint8Array(body) }))).toEqual(sent);
        got.forEach(({ body }, k) => void expect(body).toBe(places[k]));
      }),
    );
  });

  it('leave numbers of a body where they can be viewed', () => {
    const values = Float64Array.of(1, -2.5, 1e300);
    let view: readonly number[] = [];
    const reader = new FrameReader<Head>((_, { buffer, byteOffset, length }) => {
      view = Array.from(new Float64Array(buffer, byteOffset, length / 8));
    });
    for (const piece of framePieces({ text: 'é' }, [new Uint8Array(values.buffer)])) reader.push(Buffer.from(piece));
    expect(view).toEqual(Array.from(values));
  });
});
