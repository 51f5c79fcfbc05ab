/** Logs and sitemaps in files: unpacked, and read piece by piece. */
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeChunks } from '../logs/decode-chunks.ts';
import { LogRefusal } from '../logs/log-record.ts';
import { readSitemaps, type Sitemaps } from '../logs/sitemaps/read-sitemaps.ts';
import { InflationError, inflatePieces } from '../workers/inflate.ts';
import { UnreadableInput } from './failures.ts';

/** Bytes that are read at a time. */
const pieceBytes = 2 ** 20;

/**
 * The text of a file, unpacked if it is gzip; `-` is stdin.
 *
 * @param onCut called if a gzip file is truncated; its complete lines are read
 * @throws UnreadableInput if the file cannot be unpacked
 */
export async function* readText(file: string, onCut: () => void): AsyncGenerator<string> {
  const raw = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: pieceBytes });
  let isCut = false;
  const noteCut = (): void => {
    isCut = true;
    onCut();
  };
  try {
    yield* decodeChunks(inflatePieces(raw, undefined, noteCut), () => isCut);
  } catch (error) {
    if (!(error instanceof InflationError)) throw error;
    throw new UnreadableInput(`${file}: it cannot be unpacked: ${error.message}`);
  }
}

/** A sitemap unpacks to 50 MB at most (sitemaps.org). */
const longestText = 52_428_800;

/**
 * The sitemaps of files and of folders with their snapshots: `.xml`, `.xml.gz`.
 *
 * @throws LogRefusal if there is no sitemap, or one cannot be read
 */
export async function readSitemapFiles(paths: readonly string[]): Promise<Sitemaps> {
  const files = paths.flatMap(filesIn);
  if (files.length === 0) throw new LogRefusal(`${paths.join(', ')}: there is no .xml and no .xml.gz in it`);
  const texts: { name: string; text: string }[] = [];
  for (const name of files) texts.push({ name, text: await wholeText(name) });
  return readSitemaps(texts);
}

/** A file itself, or all sitemaps in a folder and its subfolders, sorted by name. */
function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.xml(\.gz)?$/i.test(name))
    .sort()
    .map((name) => join(path, name));
}

async function wholeText(file: string): Promise<string> {
  let text = '';
  const refuseCut = (): never => {
    throw new LogRefusal(`${file} cannot be unpacked: it is cut off`);
  };
  for await (const piece of readText(file, refuseCut)) {
    text += piece;
    if (text.length > longestText) throw new LogRefusal(`${file} has more than the 50 MB of a sitemap`);
  }
  return text;
}
