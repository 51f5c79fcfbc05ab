/** A hostile sample for every door: what is broken or made to break is refused or counted, soon, and nothing more. */
import { describe, expect, it } from 'vitest';
import { readLog } from '../../src/logs/read-log.ts';
import { readSitemaps } from '../../src/logs/sitemaps/read-sitemaps.ts';

const many = 300_000;
const prototypeKey = '"__proto__": {"polluted": 1}';

describe('a hostile', () => {
  it('sitemap of elements that never end is read in one pass, and entities of its own are left as they are', () => {
    const open = '<urlset><url><loc>https://x.example/&lol;</loc><lastmod>2026-06-01</lastmod></url>';
    for (const broken of ['<url><loc>', '<url ', '<url><![CDATA[', '<loc>]]> ']) {
      const { signals } = readSitemaps([{ name: 'x.xml', text: `${open}${broken.repeat(many)}` }]);
      expect([...signals.keys()]).toEqual(['https://x.example/&lol;']);
    }
    const bomb = `<!DOCTYPE x [<!ENTITY lol "${'lol'.repeat(9)}">]>${open}</urlset>`;
    expect([...readSitemaps([{ name: 'x.xml', text: bomb }]).signals.keys()]).toEqual(['https://x.example/&lol;']);
    const years = ['+275760-09-13', '-000001-01-01', '2026-13-45', '2026-06-01T25:61:61Z', '9'.repeat(5000)];
    const dated = years.map((at) => `<url><loc>https://y.example/</loc><lastmod>${at}</lastmod></url>`).join('');
    expect(readSitemaps([{ name: 'x.xml', text: `${open}${dated}</urlset>` }]).notes).toEqual([
      '5 entries have no loc, or a lastmod that cannot be read, such as "+275760-09-13".',
    ]);
  });

  it('pages.jsonl or index of Browsertrix changes no prototype, and is refused or counted', () => {
    const head = '{"format": "json-pages-1.0", "id": "pages", "hasText": true}';
    const page = (more: string): string => `{"url": "https://x.example/", "ts": "2026-06-01T00:00:00Z", ${more}}`;
    const fine = Array(40).fill(page('"status": 200, "text": "one"'));
    const broken = [page(`${prototypeKey}, "text": {"a": []}`), 'null', '['.repeat(100_000)];
    const { pages } = readLog([[head, ...fine, ...broken].join('\n')]);
    expect(pages).toHaveLength(1);
    const index = 'example,x)/ 20260601000000123 {"url": "https://x.example/", "status": "200", "digest": "sha256:9f"}';
    const bad = [`example,x)/ 20260601000000123 {${prototypeKey}, "url": 7, "status": {}}`, 'example,x)/ 2026 {"url'];
    expect(readLog([[...Array(40).fill(index), ...bad].join('\n')]).pages[0].observations).toHaveLength(40);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('a log of many lines', () => {
  it('of a web server is read whole', () => {
    const line = (path: string, status: number): string =>
      `10.0.0.1 - - [01/Jun/2026:00:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 500 "-" "crawler"\n`;
    const { pages } = readLog([`${line('/a', 304)}${line('/a', 200).repeat(200_000)}`]);
    expect(pages[0].observations).toHaveLength(200_001);
    expect(pages[0].observations.changed.at(-1)).toBe(1);
  });

  it('has the pages of a host that never answer 304 found in one pass', () => {
    const lines: string[] = ['page,time,status'];
    for (let i = 0; i < 100_000; i++) lines.push(`https://a.example/${i},${1_780_000_000 + i},304`);
    for (let i = 0; i < 20_000; i++)
      for (let k = 0; k < 4; k++) lines.push(`https://a.example/never/${i},${1_780_000_000 + k},200`);
    const { pages, notes } = readLog([lines.join('\n')]);
    expect(pages[110_000].observations.toJSON()[0]).toEqual({ time: 1_780_000_000, status: 200, changed: true });
    expect(notes.join(' ')).toContain('and 19995 more');
  });
});

describe('a name of what every object inherits', () => {
  it('is no verdict of a fetch', () => {
    const rows = ['a,1780000000,true', 'a,1780000100,constructor', 'a,1780000200,__proto__'];
    const [page] = readLog([['url,time,changed', ...rows].join('\n')]).pages;
    expect(page.observations.toJSON().map((each) => 'changed' in each)).toEqual([true, false, false]);
  });
});
