/**
 * Follows READMEs of integrations by their letter: from an empty folder, with the packed file, on a site of its own.
 *
 *   node scripts/by-the-letter/run.ts nutch miniflux stormcrawler scrapy crawlee changedetection urlfrontier
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { changedetection } from './changedetection.ts';
import { crawlee } from './crawlee.ts';
import { miniflux } from './miniflux.ts';
import { nutch } from './nutch.ts';
import { pack, unpacked } from './readme.ts';
import { scrapy } from './scrapy.ts';
import { stormcrawler } from './stormcrawler.ts';
import { urlfrontier } from './urlfrontier.ts';

const known = { nutch, miniflux, stormcrawler, scrapy, crawlee, changedetection, urlfrontier };
const clone = resolve(import.meta.dirname, '../..');
const wanted = process.argv.slice(2);
const file = mkdtempSync(join(tmpdir(), 'packed-'));
try {
  pack(clone, file);
  for (const name of wanted.length > 0 ? wanted : Object.keys(known)) {
    const follow = Object.entries(known).find(([each]) => each === name)?.[1];
    if (follow === undefined) throw new Error(`${name} is none of ${Object.keys(known).join(', ')}`);
    const work = mkdtempSync(join(tmpdir(), 'letter-'));
    try {
      console.log(`== ${name}`);
      await follow(clone, unpacked(file, work), work);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
} finally {
  rmSync(file, { recursive: true, force: true });
}
