/**
 * Change signals from sitemaps: the `lastmod` of each page over snapshots in time.
 *
 * A page's signals are its distinct `lastmod` times. A date alone means some time of that day (W3C NOTE-datetime). A
 * sitemap that gives all its pages the same time, that of its generation, is ignored with a note. Pages are joined with
 * the log's by canonical URL (canonical-url.ts).
 * Source: sitemaps.org, protocol 0.9 (`urlset`, `sitemapindex`); XML 1.0 and its namespaces, as far as these use them.
 */
import { canonicalUrl } from '../canonical-url.ts';
import { excerpt, LogRefusal } from '../log-record.ts';
import { LogClock } from '../log-times.ts';

/** A sitemap's name, for messages, and its text. */
interface SitemapText {
  readonly name: string;
  readonly text: string;
}

/** A signalled change: the earliest and latest time, epoch seconds; they differ if only the day is known. */
export type ChangeSignal = readonly [from: number, to: number];

export interface Sitemaps {
  /** Signals by canonical URL, ascending. */
  readonly signals: ReadonlyMap<string, readonly ChangeSignal[]>;
  readonly notes: readonly string[];
}

const minIdentical = 10;
const day = 86_400;
const dateOnly = /^\d{4}-\d{2}-\d{2}$/;

/** @throws LogRefusal if a text is not a sitemap, or none has a lastmod */
export function readSitemaps(texts: readonly SitemapText[]): Sitemaps {
  const signals = new Map<string, Map<number, number>>();
  const notes: string[] = [];
  const names = new Set(texts.map(({ name }) => fileName(name)));
  const absent = new Set<string>();
  const clock = new LogClock('UTC');
  let [undated, unread] = [0, 0];
  let example = '';
  for (const { name, text } of texts) {
    const plain = withoutComments(text);
    for (const inside of elements(plain, 'sitemap')) {
      const file = fileName(content(inside, 'loc') ?? '');
      if (!names.has(file)) absent.add(file);
    }
    if (/<(?:[\w.-]+:)?sitemapindex[\s>]/.test(plain)) continue;
    if (!/<(?:[\w.-]+:)?urlset[\s>]/.test(plain)) {
      throw new LogRefusal(
        `${name} is no sitemap: it has neither <urlset> nor <sitemapindex>, and begins with ${excerpt(text.trimStart().slice(0, 60))}`,
      );
    }
    const times: number[] = [];
    for (const inside of elements(plain, 'url')) {
      const page = content(inside, 'loc');
      const lastmod = content(inside, 'lastmod');
      const time = lastmod === null ? Number.NaN : clock.read(lastmod);
      if (page === null || (lastmod !== null && Number.isNaN(time))) {
        if (unread++ === 0) example = excerpt(page === null ? inside.trim() : lastmod);
      }
      if (page === null) continue;
      const form = canonicalUrl(page);
      const own = signals.get(form) ?? new Map<number, number>();
      signals.set(form, own);
      if (lastmod === null) undated++;
      if (Number.isNaN(time)) continue;
      own.set(time, dateOnly.test(lastmod ?? '') ? time + day : time);
      times.push(time);
    }
    if (times.length >= minIdentical && times.every((time) => time === times[0])) {
      notes.push(`${name} gives all its ${times.length} pages one lastmod: that of its own making tells no change.`);
    }
  }
  if ([...signals.values()].every((times) => times.size === 0)) {
    const why = unread > 0 ? ` that can be read, such as ${example}` : '';
    throw new LogRefusal(`no sitemap has a page with a lastmod${why}: it signals nothing`);
  }
  if (absent.size > 0) {
    const [first] = absent;
    notes.push(`${absent.size} sitemaps of an index were not given, such as ${first}.`);
  }
  if (undated > 0) notes.push(`${undated} entries have no lastmod.`);
  if (unread > 0) notes.push(`${unread} entries have no loc, or a lastmod that cannot be read, such as ${example}.`);
  const rising = Array.from(signals, ([page, times]) => [page, [...times].sort((a, b) => a[0] - b[0])] as const);
  return { signals: new Map(rising), notes };
}

const fileName = (path: string): string => path.replace(/\.gz$/, '').replace(/^.*\//, '');

/** Removes XML comments, in linear time. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let from = text.indexOf('<!--'); from >= 0; from = text.indexOf('<!--', at)) {
    parts.push(text.slice(at, from));
    const end = text.indexOf('-->', from + 4);
    if (end < 0) return parts.join('');
    at = end + 3;
  }
  return parts.join('') + text.slice(at);
}

/** The content of each element of a name, with or without a prefix; linear time even for malformed XML. */
function* elements(text: string, name: string): Generator<string> {
  const opening = new RegExp(`<((?:[\\w.-]{1,40}:)?${name})(?=[\\s>/])`, 'g');
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const from = text.indexOf('>', found.index) + 1;
    if (from === 0) return;
    if (text[from - 2] === '/') continue;
    const to = text.indexOf(`</${found[1]}`, from);
    if (to < 0) return;
    yield text.slice(from, to);
    opening.lastIndex = to;
  }
}

const cdata = '<![CDATA[';
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of an element, with character references resolved. */
function content(inside: string, element: string): string | null {
  const [first = ''] = elements(inside, element);
  let [text, at] = ['', 0];
  for (let from = first.indexOf(cdata); from >= 0; from = first.indexOf(cdata, at)) {
    const end = first.indexOf(']]>', from);
    if (end < 0) break;
    text += resolved(first.slice(at, from)) + first.slice(from + cdata.length, end);
    at = end + 3;
  }
  text = (text + resolved(first.slice(at))).trim();
  return text === '' ? null : text;
}

const resolved = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
