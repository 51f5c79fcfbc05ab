/** Writing to stdout so that an answer is whole, or its end is said. */
import { once } from 'node:events';
import { fstatSync, writeSync } from 'node:fs';
import { printable } from '../words/printable.ts';

/** What was to be written could not be, or not all of it. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

const stdout = 1;

/** Files and devices: Node's own stream drops what a short write leaves there. */
function writesAtOnce(): boolean {
  const kind = fstatSync(stdout);
  return kind.isFile() || (kind.isCharacterDevice() && process.stdout.isTTY !== true);
}

/**
 * Writes a line, or several, and waits until they are written.
 *
 * @throws OutputError where the disk is full
 */
export async function writeOut(text: string): Promise<void> {
  const line = `${process.stdout.isTTY === true ? printable(text) : text}\n`;
  if (writesAtOnce()) {
    writeAll(Buffer.from(line));
    return;
  }
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}

function writeAll(bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(stdout, bytes, written);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new OutputError(`the answer is cut: ${written} of ${bytes.length} bytes were written (${reason})`);
    }
  }
}
