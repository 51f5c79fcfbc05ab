/**
 * Change signals from sitemaps: the `lastmod` of each page over snapshots in time.
 *
 * A page's signals are its distinct `lastmod` times. A date alone means some time of that day, and a month or a year some
 * time within it (W3C NOTE-datetime). A sitemap that gives all its pages the same time, that of its generation, gets a
 * note. Pages are joined with the log's by canonical URL (canonical-url.ts).
 * Source: sitemaps.org, protocol 0.9 (`urlset`, `sitemapindex`); XML 1.0 and its namespaces, as far as these use them.
 */
import { canonicalUrl } from '../canonical-url.ts';
import { excerpt, LogRefusal, Tally } from '../log-record.ts';
import { isPlausible, TimeParser } from '../time-parser.ts';

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

/** @throws LogRefusal if a text is not a sitemap, or none has a lastmod */
export function readSitemaps(texts: readonly SitemapText[]): Sitemaps {
  const signals = new Map<string, Map<number, number>>();
  const notes: string[] = [];
  const names = new Set(texts.map(({ name }) => fileName(name)));
  const missingNames = new Set<string>();
  const clock = new TimeParser('UTC');
  const datedEntries: (readonly [pageSignals: Map<number, number>, lastmod: string])[] = [];
  const oddities = new Tally<'undated' | 'unread'>();
  for (const { name, text } of texts) {
    let isSitemap = false;
    const lastmods = new Set<string>();
    let entries = 0;
    for (const { element, loc, lastmod } of entriesIn(text)) {
      isSitemap = true;
      if (element === 'sitemap' && !names.has(fileName(loc))) missingNames.add(fileName(loc));
      if (element === 'url' && loc === '') oddities.add('unread', () => excerpt('<url> without <loc>'));
      if (element !== 'url' || loc === '') continue;
      const form = canonicalUrl(loc);
      const pageSignals = signals.get(form) ?? new Map<number, number>();
      signals.set(form, pageSignals);
      entries++;
      lastmods.add(lastmod);
      if (lastmod === '') oddities.add('undated', () => loc);
      else {
        datedEntries.push([pageSignals, lastmod]);
        clock.read(lastmod);
      }
    }
    if (!isSitemap) {
      throw new LogRefusal(
        `${name} is no sitemap: it has neither <urlset> nor <sitemapindex>, and begins with ${excerpt(text.trimStart().slice(0, 60))}`,
      );
    }
    if (entries >= minIdentical && lastmods.size === 1 && !lastmods.has('')) {
      notes.push(`${name} gives all its ${entries} pages one lastmod: that of its own making tells no change.`);
    }
  }
  // all are read before, since only then the order of day and month is known
  for (const [pageSignals, lastmod] of datedEntries) {
    const [from, to] = signalOf(lastmod, clock);
    if (Number.isNaN(from)) oddities.add('unread', () => excerpt(lastmod));
    else pageSignals.set(from, to);
  }
  const [undatedEntries, unreadEntries] = [oddities.of('undated'), oddities.of('unread')];
  if ([...signals.values()].every((times) => times.size === 0)) {
    const exampleClause = unreadEntries.count > 0 ? ` that can be read, such as ${unreadEntries.first}` : '';
    throw new LogRefusal(`no sitemap has a page with a lastmod${exampleClause}: it signals nothing`);
  }
  if (missingNames.size > 0) {
    const [first] = missingNames;
    notes.push(`${missingNames.size} sitemaps of an index were not given, such as ${first}.`);
  }
  if (undatedEntries.count > 0) notes.push(`${undatedEntries.count} entries have no lastmod.`);
  if (unreadEntries.count > 0)
    notes.push(
      `${unreadEntries.count} entries have no loc, or a lastmod that cannot be read, such as ${unreadEntries.first}.`,
    );
  const sortedSignals = Array.from(signals, ([page, times]) => [page, [...times].sort((a, b) => a[0] - b[0])] as const);
  return { signals: new Map(sortedSignals), notes };
}

const fileName = (path: string): string => path.replace(/\.gz$/, '').replace(/^.*\//, '');

/** The time of a lastmod; NaN if it cannot be read. */
function signalOf(lastmod: string, clock: TimeParser): ChangeSignal {
  const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(lastmod) ?? [];
  if (year === undefined) {
    const from = clock.readUnambiguous(lastmod);
    return [from, from + clock.span];
  }
  const [first, months] = month === undefined ? [1, 12] : [Number(month), 1];
  const [from, to] = [first, first + months].map((each) => Date.UTC(Number(year), each - 1) / 1000);
  return isPlausible(from) && first >= 1 && first <= 12 ? [from, to] : [Number.NaN, Number.NaN];
}

interface Entry {
  /** `root`: the element around all entries. */
  readonly element: 'root' | 'url' | 'sitemap';
  readonly loc: string;
  readonly lastmod: string;
}

const cdata = '<![CDATA[';
/** Maximum length of an element name with its prefix, characters. */
const maxName = 100;

/** The entries of a sitemap, in the namespace prefix of its root; linear time even for malformed XML. */
function* entriesIn(text: string): Generator<Entry> {
  let rootPrefix: string | null = null;
  let element: Entry['element'] = 'root';
  let field: 'loc' | 'lastmod' | null = null;
  let values = { loc: '', lastmod: '' };
  for (let at = 0; ; ) {
    const from = text.indexOf('<', at);
    if (from < 0) return;
    if (field !== null) values[field] += resolveReferences(text.slice(at, from));
    const isComment = text.startsWith('<!--', from);
    const isText = text.startsWith(cdata, from);
    const terminator = isComment ? '-->' : isText ? ']]>' : '>';
    const end = text.indexOf(terminator, from + (isText ? cdata.length : 1));
    if (end < 0) return;
    at = end + terminator.length;
    if (isText && field !== null) values[field] += text.slice(from + cdata.length, end);
    if (isComment || isText) continue;
    const tag = text.slice(from, Math.min(end, from + maxName));
    const [, slash, prefix = '', name] = /^<(\/?)([\w.-]+:)?([\w.-]+)(?=[\s/]|$)/.exec(tag) ?? [];
    const opens = slash === '' && text[end - 1] !== '/';
    if (rootPrefix === null) {
      if (name !== 'urlset' && name !== 'sitemapindex') continue;
      rootPrefix = prefix;
      yield { element: 'root', ...values };
    } else if (prefix === rootPrefix && (name === 'url' || name === 'sitemap')) {
      if (!opens && element === name) yield { element, loc: values.loc.trim(), lastmod: values.lastmod.trim() };
      element = opens ? name : 'root';
      values = { loc: '', lastmod: '' };
      field = null;
    } else if (prefix === rootPrefix && (name === 'loc' || name === 'lastmod'))
      field = opens && element !== 'root' ? name : null;
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Resolves the character references of a text. */
const resolveReferences = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
