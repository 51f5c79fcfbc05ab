import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSitemapFiles } from '../../src/cli/log-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
const june1 = Date.parse('2026-06-01T00:00:00Z') / 1000;
const named = (name: string): string => join(folder, name);

describe('a folder of sitemaps', () => {
  const urlset = (at: string): string =>
    `<urlset><url><loc>https://x.example/</loc><lastmod>${at}</lastmod></url></urlset>`;

  it('is read with its snapshots in folders below, packed or not', async () => {
    mkdirSync(named('snapshots/monday'), { recursive: true });
    mkdirSync(named('snapshots/tuesday'));
    writeFileSync(named('snapshots/monday/sitemap.xml'), urlset('2026-06-01'));
    writeFileSync(named('snapshots/tuesday/sitemap.xml.gz'), gzipSync(urlset('2026-06-02')));
    const { signals } = await readSitemapFiles([named('snapshots')]);
    expect(signals.get('https://x.example/')).toEqual([
      [june1, june1 + 86_400],
      [june1 + 86_400, june1 + 172_800],
    ]);
  });

  it('is read in UTF-16, in both orders of bytes, unpacked too', async () => {
    const text = `\ufeff${urlset('2026-06-01')}`;
    mkdirSync(named('wide'), { recursive: true });
    writeFileSync(named('wide/a.xml'), Buffer.from(text, 'utf16le'));
    writeFileSync(named('wide/b.xml.gz'), gzipSync(Buffer.from(text, 'utf16le').swap16()));
    for (const file of ['a.xml', 'b.xml.gz']) {
      const { signals } = await readSitemapFiles([named(`wide/${file}`)]);
      expect([...signals.values()].flat()).toHaveLength(1);
    }
  });

  it('is refused without a sitemap, with one cut off, and with one that unpacks beyond 50 MB', async () => {
    mkdirSync(named('none'));
    await expect(readSitemapFiles([named('none')])).rejects.toThrow(/no \.xml/);
    mkdirSync(named('cut'));
    writeFileSync(named('cut/sitemap.xml.gz'), gzipSync(urlset('2026-06-02')).subarray(0, 40));
    await expect(readSitemapFiles([named('cut')])).rejects.toThrow(/cannot be unpacked/);
    mkdirSync(named('bomb'));
    writeFileSync(named('bomb/sitemap.xml.gz'), gzipSync(Buffer.alloc(60_000_000, 32)));
    await expect(readSitemapFiles([named('bomb')])).rejects.toThrow(/more than the 50 MB of a sitemap/);
  });
});
