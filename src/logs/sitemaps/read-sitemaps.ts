/**
 * Sitemaps → signals of changes: what each sitemap said of its pages' `lastmod`, over snapshots in time.
 *
 * A page's signals are the different moments that it was ever said to have changed at. A sitemap that gives all its
 * pages one moment, that of its own making, says nothing; that is noted.
 * Source: sitemaps.org, protocol 0.9 (`urlset`, `sitemapindex`; lastmod in W3C Datetime).
 */
import { LogRefusal, shown } from '../log-record.ts';

/** One sitemap: its name, for messages, and its text. */
interface SitemapText {
  readonly name: string;
  readonly text: string;
}

export interface Sitemaps {
  /** By page: epoch seconds, rising. */
  readonly signals: ReadonlyMap<string, readonly number[]>;
  readonly notes: readonly string[];
}

const fewestAlike = 10;

/** @throws LogRefusal where a text is no sitemap, or none has a lastmod */
export function readSitemaps(texts: readonly SitemapText[]): Sitemaps {
  const signals = new Map<string, Set<number>>();
  const notes: string[] = [];
  const names = new Set(texts.map(({ name }) => name.replace(/\.gz$/, '').replace(/^.*\//, '')));
  const absent = new Set<string>();
  let undated = 0;
  let unreadable = 0;
  for (const { name, text } of texts) {
    if (/<sitemapindex\b/.test(text)) {
      for (const inside of elements(text, 'sitemap')) {
        const file = (content(inside, 'loc') ?? '').replace(/\.gz$/, '').replace(/^.*\//, '');
        if (!names.has(file)) absent.add(file);
      }
      continue;
    }
    if (!/<urlset\b/.test(text)) {
      throw new LogRefusal(
        `${name} is no sitemap: it has neither <urlset> nor <sitemapindex>, and begins with ${shown(text.trimStart().slice(0, 60))}`,
      );
    }
    const said: number[] = [];
    for (const inside of elements(text, 'url')) {
      const page = content(inside, 'loc');
      const lastmod = content(inside, 'lastmod');
      if (page === null) {
        unreadable++;
        continue;
      }
      const own = signals.get(page) ?? new Set<number>();
      signals.set(page, own);
      if (lastmod === null) undated++;
      else {
        const time = momentOf(lastmod);
        if (time === null) unreadable++;
        else {
          own.add(time);
          said.push(time);
        }
      }
    }
    if (said.length >= fewestAlike && said.every((time) => time === said[0])) {
      notes.push(`${name} gives all its ${said.length} pages one lastmod: that of its own making tells no change.`);
    }
  }
  if ([...signals.values()].every((times) => times.size === 0)) {
    throw new LogRefusal('no sitemap has a page with a lastmod: it signals nothing');
  }
  if (absent.size > 0) {
    const [first] = absent;
    notes.push(`${absent.size} sitemaps of an index were not given, such as ${first}.`);
  }
  if (undated > 0) notes.push(`${undated} entries have no lastmod.`);
  if (unreadable > 0) notes.push(`${unreadable} entries have no loc, or a lastmod that cannot be read.`);
  const rising = Array.from(signals, ([page, times]) => [page, [...times].sort((a, b) => a - b)] as const);
  return { signals: new Map(rising), notes };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What stands inside each element of a name, in time linear in the text, however broken it is. */
function* elements(text: string, name: string): Generator<string> {
  const [opening, closing] = [`<${name}`, `</${name}>`];
  for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at)) {
    at += opening.length;
    // <urlset> is no <url>
    if (!/[\s>/]/.test(text.charAt(at))) continue;
    const from = text.indexOf('>', at) + 1;
    const to = from > 0 ? text.indexOf(closing, from) : -1;
    if (to < 0) return;
    yield text.slice(from, to);
    at = to + closing.length;
  }
}

/** The text of an element, its entities resolved. */
function content(inside: string, element: string): string | null {
  const [first] = elements(inside, element);
  if (first === undefined) return null;
  const text = first.trim();
  const plain = text.startsWith('<![CDATA[') && text.endsWith(']]>') ? text.slice(9, -3).trim() : text;
  return plain === '' ? null : plain.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]);
}

/** Epoch seconds of a W3C Datetime; a month or a year alone is none. */
function momentOf(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null;
  const zoned = text.includes('T') && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text;
  const time = Date.parse(zoned) / 1000;
  return Number.isFinite(time) ? time : null;
}
