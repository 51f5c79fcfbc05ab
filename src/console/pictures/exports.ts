/** The plan as files for other programs: CSV, a calendar, and the inputs of crawlers. */
import { csvCell } from '../../words/csv-cell.ts';
import type { Events } from './lanes/events.ts';
import type { ResultTable } from './table/result-table.ts';

const csvLines = (lines: readonly (readonly (string | number | null)[])[]): string =>
  lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');

/** The table by RFC 4180, in the order given; the names and units of the wire. */
export function tableCsv(table: ResultTable, rows: Int32Array): string {
  const body = Array.from(rows, (row) => [table.names(row), ...table.columns.map((column) => column.raw(row))]);
  return csvLines([['id', ...table.columns.map(({ name }) => name)], ...body]);
}

const isoTime = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString();

/** The fetches in order of time. */
export function scheduleCsv(table: ResultTable, events: Events): string {
  const lines: (string | number)[][] = [];
  for (let event = 0; event < events.time.length; event++) {
    const time = events.time[event];
    lines.push([
      events.clock === 'epoch' ? isoTime(time) : time,
      events.crawlers[events.crawler[event]] ?? String(events.crawler[event]),
      table.names(events.row[event]),
    ]);
  }
  return csvLines([['time', 'crawler', 'id'], ...lines]);
}

/** Of more fetches no calendar would be read. */
export const mostCalendarEvents = 2000;

/** A fetch is a moment; calendars show nothing shorter than a minute. */
const fetchSeconds = 60;

/** A text as a value (RFC 5545, 3.3.11), which has no control characters but tabs. */
const calendarText = (text: string): string =>
  text
    .replaceAll(/([\\,;])/g, '\\$1')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/(?!\t)\p{Cc}/gu, '');

/** Lines of more than 75 bytes go on in the next one, after a space (RFC 5545, 3.1). */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const parts: string[] = [];
  let part = '';
  let size = 0;
  for (const character of line) {
    const bytes = encoder.encode(character).length;
    if (size + bytes > (parts.length === 0 ? 75 : 74)) {
      parts.push(part);
      part = '';
      size = 0;
    }
    part += character;
    size += bytes;
  }
  return [...parts, part].join('\r\n ');
}

/** The fetches as an iCalendar file (RFC 5545), in UTC. */
export function calendar(table: ResultTable, events: Events, stamp: Date): string {
  const utc = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const at = (seconds: number): string => utc(new Date(seconds * 1000));
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//crawl-optimizer//console//EN'];
  for (let event = 0; event < Math.min(mostCalendarEvents, events.time.length); event++) {
    const time = events.time[event];
    const name = table.names(events.row[event]);
    lines.push(
      'BEGIN:VEVENT',
      `UID:${event}-${Math.round(time)}@crawl-optimizer`,
      `DTSTAMP:${utc(stamp)}`,
      `DTSTART:${at(time)}`,
      `DTEND:${at(time + fetchSeconds)}`,
      `SUMMARY:${calendarText(`Fetch ${name}`)}`,
      `DESCRIPTION:${calendarText(`Crawler: ${events.crawlers[events.crawler[event]] ?? ''}`)}`,
      'END:VEVENT',
    );
  }
  lines.push('END:VCALENDAR');
  return `${lines.map(folded).join('\r\n')}\r\n`;
}

const valuesOf = (table: ResultTable, name: string): Float64Array | undefined => {
  const values = table.columns.find((column) => column.name === name)?.values;
  return values instanceof Float64Array ? values : undefined;
};

/** An id on a line of its own: control characters, which would end its field or its line, are percent-encoded. */
const seedText = (id: string): string => id.replaceAll(/\p{Cc}/gu, (character) => encodeURIComponent(character));

/** A seed list with the fetch interval of each page in seconds, as Nutch's injector reads it. */
export function nutchSeeds(table: ResultTable): string | undefined {
  const wait = valuesOf(table, 'fetchInterval');
  if (wait === undefined) return undefined;
  const lines = Array.from(wait, (each, row) => {
    const seed = seedText(table.names(row));
    return Number.isFinite(each) ? `${seed}\tnutch.fetchInterval=${Math.round(each)}\n` : `${seed}\n`;
  });
  return lines.join('');
}

/**
 * Seeds with the plan's two intervals as metadata, in seconds, as StormCrawler's spouts and the plan's scheduler read
 * them.
 */
export function stormCrawlerSeeds(table: ResultTable): string | undefined {
  const unchanged = valuesOf(table, 'intervalIfUnchanged');
  const changed = valuesOf(table, 'intervalIfChanged');
  if (unchanged === undefined || changed === undefined) return undefined;
  const said = (name: string, value: number): string =>
    Number.isFinite(value) ? `\t${name}=${Math.round(value)}` : '';
  const lines = Array.from(
    unchanged,
    (each, row) =>
      `${seedText(table.names(row))}${said('plan.intervalIfUnchanged', each)}${said('plan.intervalIfChanged', changed[row])}\n`,
  );
  return lines.join('');
}

/** The fetches in order of time with the page's interval, as the Scrapy integration reads a plan. */
export function scrapyPlan(table: ResultTable, events: Events): string | undefined {
  const wait = valuesOf(table, 'fetchInterval');
  if (wait === undefined || events.clock !== 'epoch') return undefined;
  const lines = Array.from(events.time, (time, event): (string | number | null)[] => {
    const row = events.row[event];
    return [isoTime(time), table.names(row), Number.isFinite(wait[row]) ? Math.round(wait[row]) : null];
  });
  return csvLines([['time', 'page', 'fetchInterval'], ...lines]);
}
