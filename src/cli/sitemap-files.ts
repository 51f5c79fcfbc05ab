/** Sitemaps from files and folders: `.xml`, `.xml.gz`, snapshots in folders below. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogRefusal } from '../logs/log-record.ts';
import { readSitemaps, type Sitemaps } from '../logs/sitemaps/read-sitemaps.ts';
import { textOf } from './log-text.ts';

/** A sitemap unpacks to 50 MB at most (sitemaps.org). */
const longestText = 52_428_800;

/** @throws LogRefusal if there is no sitemap, or one cannot be read */
export async function sitemapsIn(paths: readonly string[]): Promise<Sitemaps> {
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
  for await (const piece of textOf(file, refuseCut)) {
    text += piece;
    if (text.length > longestText) throw new LogRefusal(`${file} has more than the 50 MB of a sitemap`);
  }
  return text;
}
