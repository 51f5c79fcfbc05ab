/** Sitemaps from files and folders: `.xml`, `.xml.gz`, snapshots in folders below. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { LogRefusal } from '../../logs/log-record.ts';
import { readSitemaps, type Sitemaps } from '../../logs/sitemaps/read-sitemaps.ts';
import { encodingOf } from '../../logs/text-pieces.ts';

/** A sitemap unpacks to 50 MB at most (sitemaps.org). */
const mostBytes = 52_428_800;

/** @throws LogRefusal where there is no sitemap, or one cannot be read */
export function sitemapsIn(paths: readonly string[]): Sitemaps {
  const files = paths.flatMap(filesIn);
  if (files.length === 0) throw new LogRefusal(`${paths.join(', ')}: there is no .xml and no .xml.gz in it`);
  return readSitemaps(files.map((name) => ({ name, text: textOf(name) })));
}

/** A file itself; of a folder all sitemaps in it and below, in order of their names. */
function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.xml(\.gz)?$/i.test(name))
    .sort()
    .map((name) => join(path, name));
}

/** UTF-8, or UTF-16 by its byte order mark. */
const decoded = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes);

function textOf(file: string): string {
  const raw = readFileSync(file);
  if (raw[0] !== 0x1f || raw[1] !== 0x8b) return decoded(raw);
  try {
    return decoded(gunzipSync(raw, { maxOutputLength: mostBytes }));
  } catch (error) {
    throw new LogRefusal(`${file} cannot be unpacked: ${error instanceof Error ? error.message : error}`);
  }
}
