import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { feedLogOf, isDatabase } from '../../src/cli/files/feed-files.ts';
import { sitemapsIn } from '../../src/cli/files/sitemap-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'doors-'));
const june1 = Date.parse('2026-06-01T00:00:00Z') / 1000;
const named = (name: string): string => join(folder, name);

afterAll(() => rmSync(folder, { recursive: true }));

describe('a database of FreshRSS', () => {
  it('gives each feed its entries and its last fetch', async () => {
    const database = new DatabaseSync(named('db.sqlite'));
    database.exec(`
      create table feed (id integer primary key, url text, name text, lastUpdate integer, ttl integer);
      create table entry (id bigint primary key, guid text, title text, date integer, lastSeen integer, id_feed integer);
      insert into feed values (1, 'https://x.example/feed', 'X', ${june1 + 900}, 0), (2, 'https://y.example/feed', 'Y', 0, 0);
      insert into entry values (10, 'a', 'A', ${june1}, 0, 1), (11, 'b', 'B', ${june1 - 60}, 0, 1), (12, 'c', 'C', ${june1 + 5}, 0, 2);
    `);
    database.close();
    expect(isDatabase(named('db.sqlite'))).toBe(true);
    const { pages } = await feedLogOf(named('db.sqlite'), undefined);
    expect(pages).toEqual([
      { id: 'https://x.example/feed', host: 'x.example', events: [june1 - 60, june1], lastCrawl: june1 + 900 },
      { id: 'https://y.example/feed', host: 'y.example', events: [june1 + 5] },
    ]);
  });

  it('is refused where it is of something else, without its columns, or cut off', async () => {
    const other = new DatabaseSync(named('other.sqlite'));
    other.exec('create table moz_places (id integer)');
    other.close();
    await expect(feedLogOf(named('other.sqlite'), undefined)).rejects.toThrow(
      /no tables feed and entry, but moz_places/,
    );
    const bare = new DatabaseSync(named('bare.sqlite'));
    bare.exec('create table feed (id integer); create table entry (id integer)');
    bare.close();
    await expect(feedLogOf(named('bare.sqlite'), undefined)).rejects.toThrow(
      /cannot be read as a database of FreshRSS/,
    );
    writeFileSync(named('cut.sqlite'), 'SQLite format 3\0 and no more');
    await expect(feedLogOf(named('cut.sqlite'), undefined)).rejects.toThrow(/cannot be read/);
  });
});

describe('an export of CommaFeed', () => {
  it('is read as psql writes it, and refused with the query that makes one', async () => {
    // recorded: the query below by psql 15, on tables with the columns of CommaFeed's (publication stands in `updated`)
    writeFileSync(
      named('entries.csv'),
      'feed,published,lastFetch\nhttps://x.example/feed,2026-06-01 00:00:00+00,2026-06-02 00:00:00.5+00\n' +
        'https://x.example/feed,2026-05-31 23:59:00.25+00,2026-06-02 00:00:00.5+00\nhttps://y.example/feed,,\n',
    );
    const { pages } = await feedLogOf(named('entries.csv'), undefined);
    expect(pages).toEqual([
      {
        id: 'https://x.example/feed',
        host: 'x.example',
        events: [june1 - 59.75, june1],
        lastCrawl: june1 + 86_400.5,
      },
    ]);
    writeFileSync(named('wrong.csv'), 'id,title\n1,x\n');
    await expect(feedLogOf(named('wrong.csv'), undefined)).rejects.toThrow(
      /but id, title.*\\copy \(select .*e\.updated as published/,
    );
    writeFileSync(named('empty.csv'), 'feed,published\n');
    await expect(feedLogOf(named('empty.csv'), undefined)).rejects.toThrow(/has no entries/);
  });
});

describe('a folder of sitemaps', () => {
  const urlset = (at: string): string =>
    `<urlset><url><loc>https://x.example/</loc><lastmod>${at}</lastmod></url></urlset>`;

  it('is read with its snapshots in folders below, packed or not', () => {
    mkdirSync(named('snapshots/monday'), { recursive: true });
    mkdirSync(named('snapshots/tuesday'));
    writeFileSync(named('snapshots/monday/sitemap.xml'), urlset('2026-06-01'));
    writeFileSync(named('snapshots/tuesday/sitemap.xml.gz'), gzipSync(urlset('2026-06-02')));
    const { signals } = sitemapsIn([named('snapshots')]);
    expect(signals.get('https://x.example/')).toEqual([
      [june1, june1 + 86_400],
      [june1 + 86_400, june1 + 172_800],
    ]);
  });

  it('is read in UTF-16, in both orders of bytes, unpacked too', () => {
    const text = `\ufeff${urlset('2026-06-01')}`;
    mkdirSync(named('wide'), { recursive: true });
    writeFileSync(named('wide/a.xml'), Buffer.from(text, 'utf16le'));
    writeFileSync(named('wide/b.xml.gz'), gzipSync(Buffer.from(text, 'utf16le').swap16()));
    for (const file of ['a.xml', 'b.xml.gz']) {
      expect([...sitemapsIn([named(`wide/${file}`)]).signals.values()].flat()).toHaveLength(1);
    }
  });

  it('is refused without a sitemap, with one cut off, and with one that unpacks beyond 50 MB', () => {
    mkdirSync(named('none'));
    expect(() => sitemapsIn([named('none')])).toThrow(/no \.xml/);
    mkdirSync(named('cut'));
    writeFileSync(named('cut/sitemap.xml.gz'), gzipSync(urlset('2026-06-02')).subarray(0, 40));
    expect(() => sitemapsIn([named('cut')])).toThrow(/cannot be unpacked/);
    mkdirSync(named('bomb'));
    writeFileSync(named('bomb/sitemap.xml.gz'), gzipSync(Buffer.alloc(60_000_000, 32)));
    expect(() => sitemapsIn([named('bomb')])).toThrow(/cannot be unpacked/);
  });
});
