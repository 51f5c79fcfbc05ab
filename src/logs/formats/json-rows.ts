/**
 * JSON objects, one a line or in arrays: logs of one's own, and Scrapy's feeds (jsonlines, json). Arrays may follow one
 * another, as appended exports have them, and the last may be cut.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, shown } from '../log-record.ts';
import { RowColumns } from './columns.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';

export type JsonRow = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type TakeValue = (value: unknown, number: number) => void;
type TakeFault = (number: number, why: string) => void;

/** Reads JSON values of a text in pieces; those in arrays one by one. */
export class JsonRows implements LogReader {
  readonly #take: TakeValue;
  readonly #fault: TakeFault;
  readonly #done: () => void;
  #reader: LogReader | null = null;
  #held = '';

  constructor(take: TakeValue, fault: TakeFault, done: () => void = () => {}) {
    this.#take = take;
    this.#fault = fault;
    this.#done = done;
  }

  push(text: string): void {
    if (this.#reader !== null) {
      this.#reader.push(text);
      return;
    }
    this.#held += text;
    const begun = this.#held.trimStart();
    // one whole line tells whether each line is a value
    if (begun.startsWith('{') && !begun.includes('\n') && this.#held.length < longestFirstLine) return;
    if (begun !== '') this.#begin();
  }

  end(): void {
    if (this.#reader === null) this.#begin();
    this.#reader?.end();
    this.#done();
  }

  #begin(): void {
    const first = firstLine(this.#held);
    const isLines = first.startsWith('{') && parsed(first) !== undefined;
    this.#reader = isLines
      ? new Lines((line, number) => this.#line(line, number))
      : new JsonStream(this.#take, this.#fault);
    this.#reader.push(this.#held);
    this.#held = '';
  }

  #line(line: string, number: number): void {
    const value = parsed(line) ?? parsed(line.trim().replace(/^,|,$/g, ''));
    if (value === undefined) this.#fault(number, `no JSON: ${shown(line)}`);
    else if (Array.isArray(value)) for (const each of value) this.#take(each, number);
    else this.#take(value, number);
  }
}

const longestFirstLine = 2 ** 24;

/** What a text is in JSON; undefined where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Objects and inner arrays, wherever they stand: in lists that follow one another, or over many lines. */
class JsonStream implements LogReader {
  readonly #take: TakeValue;
  readonly #fault: TakeFault;
  /** The value that is being read, from its first character. */
  #value = '';
  #depth = 0;
  #inText = false;
  #escaped = false;
  #inList = false;
  #count = 0;

  constructor(take: TakeValue, fault: TakeFault) {
    this.#take = take;
    this.#fault = fault;
  }

  push(text: string): void {
    let from = this.#depth > 0 ? 0 : -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (code === backslash) this.#escaped = true;
        else if (code === quote) this.#inText = false;
      } else if (code === quote) this.#inText = this.#depth > 0;
      else if (code === brace || code === bracket) {
        if (this.#depth === 0 && code === bracket && !this.#inList) this.#inList = true;
        else if (this.#depth++ === 0) from = at;
      } else if (code === closingBrace || code === closingBracket) {
        if (this.#depth === 0) this.#inList = false;
        else if (--this.#depth === 0) {
          this.#close(this.#value + text.slice(from, at + 1));
          from = -1;
        }
      }
    }
    if (from >= 0) this.#value += text.slice(from);
  }

  end(): void {
    if (this.#depth > 0) this.#fault(this.#count + 1, `the text ends within a value: ${shown(this.#value)}`);
  }

  #close(text: string): void {
    this.#value = '';
    this.#count++;
    const value = parsed(text);
    if (value === undefined) this.#fault(this.#count, `no JSON: ${shown(text)}`);
    else this.#take(value, this.#count);
  }
}

const [quote, backslash, brace, closingBrace, bracket, closingBracket] = Array.from('"\\{}[]', (each) =>
  each.charCodeAt(0),
);

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  const columns = new RowColumns(options, fetches);
  return new JsonRows(
    (value, number) => {
      if (isRow(value)) columns.take(value, number);
      else fetches.fault(number, `no JSON object: ${shown(value)}`);
    },
    (number, why) => fetches.fault(number, why),
    () => columns.end(),
  );
}

export const jsonLog: LogFormat = {
  name: 'json',
  title: 'JSON objects',
  hasColumns: true,
  recognises: (beginning) => /^[[{]/.test(firstLine(beginning)),
  open,
};
