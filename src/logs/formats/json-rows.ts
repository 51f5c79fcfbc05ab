/**
 * JSON objects, one a line or in arrays: custom logs and Scrapy's feeds (jsonlines, json). Several arrays may follow one
 * another, as in appended exports, and the last may be truncated.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { RowColumns } from './columns.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';

export type JsonRow = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type TakeValue = (value: unknown, number: number) => void;
type TakeFault = (number: number, why: string) => void;

/** Reads JSON objects of a text in pieces: by line if most of the first lines are objects, else as a stream. */
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
    if (this.#held.length >= maxBuffered || this.#held.split('\n', linesLookedAt + 1).length > linesLookedAt)
      this.#begin();
  }

  end(): void {
    if (this.#reader === null) this.#begin();
    this.#reader?.end();
    this.#done();
  }

  #begin(): void {
    const lines = this.#held.split('\n', linesLookedAt).filter((line) => !onlyBrackets.test(line));
    const whole = lines.filter((line) => jsonOf(line) !== undefined).length;
    this.#reader =
      whole > 0 && 2 * whole >= lines.length
        ? new Lines((line, number) => this.#line(line, number))
        : new JsonStream(this.#take, this.#fault);
    this.#reader.push(this.#held);
    this.#held = '';
  }

  #line(line: string, number: number): void {
    if (onlyBrackets.test(line)) return;
    const value = jsonOf(line);
    if (value === undefined) this.#brokenLine(line, number);
    else if (Array.isArray(value)) for (const each of value) this.#take(each, number);
    else this.#take(value, number);
  }

  /** A line with several objects, a list with a malformed row, or no JSON: at most one fault. */
  #brokenLine(line: string, number: number): void {
    let fault = /^\s*[[{]/.test(line) ? '' : `no JSON: ${excerpt(line)}`;
    const note = (_count: number, why: string): void => {
      fault ||= why;
    };
    const stream = new JsonStream((value) => this.#take(value, number), note, line.trimStart().startsWith('['));
    if (fault === '') stream.push(line);
    stream.end();
    if (fault !== '') this.#fault(number, fault);
  }
}

/** First lines tested for one value a line; the first of them may be odd. */
const linesLookedAt = 20;
/** Characters buffered at most for this test. */
const maxBuffered = 2 ** 20;
/** Separators between the objects of a list. */
const onlyBrackets = /^[\s[\],]*$/;

/** Parses a line as JSON, alone or as part of a list; undefined if it is not JSON. */
const jsonOf = (line: string): unknown => parseJson(line) ?? parseJson(line.trim().replace(/^\[|^,|[\],]+$/g, ''));

/** Parses a text as JSON; undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maximum length of a value, characters. */
const longestValue = 2 ** 24;
/** Malformed values after which recovery is attempted; a text with more is not JSON. */
const maxRecoveries = 100;
/** The start of a row inside a malformed value, from the second character on. */
const rowBegins = /(?<=[\s\S])(?:\n\s{0,100}[[{]|\[\s{0,100}\{)/;

/**
 * Reads objects and inner arrays in any layout: consecutive lists, or values over many lines. A malformed value is lost
 * alone: reading resumes where the next row may begin.
 */
export class JsonStream implements LogReader {
  readonly #take: TakeValue;
  readonly #fault: TakeFault;
  /** The value being read, from its first character. */
  #value = '';
  #depth = 0;
  #inText = false;
  #escaped = false;
  #inList = false;
  #count = 0;
  #mended: number;
  /** Whether the current text between values has been counted as a fault. */
  #isBetween = false;

  /** @param mends whether to search for rows inside a malformed value */
  constructor(take: TakeValue, fault: TakeFault, mends = true) {
    this.#take = take;
    this.#fault = fault;
    this.#mended = mends ? 0 : maxRecoveries;
  }

  push(text: string): void {
    let from = this.#depth > 0 ? 0 : -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (code === backslash) this.#escaped = true;
        else if (code === quote) this.#inText = false;
      } else if (code === quote && this.#depth > 0) this.#inText = true;
      else if (code === brace || code === bracket) {
        this.#isBetween = false;
        if (this.#depth === 0 && code === bracket && !this.#inList) this.#inList = true;
        else if (this.#depth++ === 0) from = at;
      } else if (code === closingBrace || code === closingBracket) {
        if (this.#depth === 0) this.#inList = false;
        else if (--this.#depth === 0) {
          this.#close(this.#value + text.slice(from, at + 1));
          // a malformed value may contain the start of another
          from = this.#depth > 0 ? at + 1 : -1;
        }
      } else if (this.#depth === 0 && code > blank && code !== comma) this.#skip(text, at);
    }
    if (from >= 0) this.#value += text.slice(from);
    if (this.#value.length > longestValue) this.#mend('a value does not end');
  }

  end(): void {
    while (this.#depth > 0) this.#mend('the text ends within a value');
  }

  #close(text: string): void {
    this.#value = '';
    this.#count++;
    const value = parseJson(text);
    if (value !== undefined) this.#take(value, this.#count);
    else {
      this.#value = text;
      this.#mend('no JSON');
    }
  }

  /** Counts invalid text between values as one fault, however long. */
  #skip(text: string, at: number): void {
    if (this.#isBetween) return;
    this.#isBetween = true;
    this.#count++;
    this.#fault(this.#count, `no JSON object: ${excerpt(text.slice(at, at + 100))}`);
  }

  /** Counts the buffered value as a fault and resumes inside it. */
  #mend(why: string): void {
    const text = this.#value;
    this.#fault(this.#count + 1, `${why}: ${excerpt(text.slice(0, 100))}`);
    this.#value = '';
    [this.#depth, this.#inText, this.#escaped] = [0, false, false];
    const found = this.#mended++ < maxRecoveries ? rowBegins.exec(text) : null;
    if (found !== null) this.push(text.slice(found.index + found[0].length - 1));
  }
}

const [quote, backslash, brace, closingBrace, bracket, closingBracket, comma, blank] = Array.from('"\\{}[], ', (each) =>
  each.charCodeAt(0),
);

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  const columns = new RowColumns(options, fetches);
  return new JsonRows(
    (value, number) => {
      if (isRow(value)) columns.take(value, number);
      else fetches.fault(number, `no JSON object: ${excerpt(value)}`);
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
