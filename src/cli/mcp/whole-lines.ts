/**
 * Passes bytes on a whole line at a time. The transport copies all it holds with every chunk that comes: for a line of
 * many chunks this is quadratic.
 */
import { Transform } from 'node:stream';

const lineFeed = 10;

/** A line longer than `most` bytes is passed on in pieces, for the transport to refuse. */
export function wholeLines(most: number): Transform {
  let held: Buffer[] = [];
  let bytes = 0;
  const take = (): Buffer => {
    const all = Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
    return all;
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held.push(chunk);
      bytes += chunk.length;
      if (bytes > most || chunk.includes(lineFeed)) this.push(take());
      done();
    },
    flush(done) {
      this.push(take());
      done();
    },
  });
}
