/**
 * JSON objects, one a line or in arrays: custom logs and Scrapy's feeds (jsonlines, json). Several arrays may follow one
 * another, as in appended exports, and the last may be truncated.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { RowColumns } from './columns.ts';
import { type Faults, firstLine, type LogFormat, type LogReader } from './format.ts';

export type JsonRow = Readonly<Record<string, unknown>>;

export const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Callbacks for a row, for a list of other values than rows, and for the end of the text. */
interface JsonTakers {
  readonly take: (row: JsonRow, number: number) => void;
  readonly takeList?: (list: readonly unknown[], number: number) => void;
  readonly onEnd?: () => void;
}

/** First lines tested for having one value a line. */
const sampleLines = 20;
/** Characters buffered at most for this test. */
const maxBuffered = 2 ** 20;
/** Maximum length of a value, characters. */
const longestValue = 2 ** 24;
/** Malformed values after which recovery is attempted; a text with more is not JSON. */
const maxRecoveries = 100;
/** The start of a row inside a malformed value, from the second character on. */
const rowStart = /(?<=[\s\S])(?:\n\s{0,100}[[{]|\[\s{0,100}\{)/;
/** Separators between the objects of a list. */
const onlyBrackets = /^[\s[\],]*$/;
/** Values of Python and JavaScript that JSON does not have, outside of strings. */
const noNumber = /(?<=[:,[]\s{0,9})(?:NaN|-?Infinity|None|undefined)(?=\s*[,}\]])/g;

const codes = (letters: string): number[] => Array.from(letters, (each) => each.charCodeAt(0));
const [quote, backslash, brace, closingBrace, bracket, closingBracket, comma, newline] = codes('"\\{}[],\n');
const blanks = new Set(codes(' \t\r\n'));

/**
 * Reads the objects of a text in pieces, in any layout. If most of the first lines are values, a line that is not one
 * is skipped and counts as one fault. In other layouts a malformed value is skipped: reading resumes at the next start
 * of a row.
 */
export class JsonRows implements LogReader {
  readonly #takers: JsonTakers;
  readonly #faults: Faults;
  /** Whether values end with their line; null until the first lines are read. */
  #hasLines: boolean | null = null;
  /** The first lines until `#hasLines` is set; then the value being read, from its first character. */
  #buffer = '';
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #inList = false;
  /** Whether text is skipped until the next value or the end of the line; its fault is counted already. */
  #isSkipping = false;
  /** Number of the line, or of the value in other layouts. */
  #number = 0;
  #recoveries = 0;

  constructor(faults: Faults, takers: JsonTakers) {
    this.#faults = faults;
    this.#takers = takers;
  }

  push(text: string): void {
    if (this.#hasLines !== null) {
      this.#scan(text);
      return;
    }
    this.#buffer += text;
    if (this.#buffer.length >= maxBuffered || this.#buffer.split('\n', sampleLines + 1).length > sampleLines)
      this.#begin();
  }

  end(): void {
    if (this.#hasLines === null) this.#begin();
    while (this.#depth > 0) this.#recover('the text ends within a value');
    this.#takers.onEnd?.();
  }

  #begin(): void {
    const text = this.#buffer;
    const lines = text.split('\n', sampleLines).filter((line) => !onlyBrackets.test(line));
    const isWhole = (line: string): boolean => typeof (parseJson(line) ?? '') === 'object';
    const whole = lines.filter((line) => isWhole(line) || isWhole(line.trim().replace(/^\[|^,|[\],]+$/g, ''))).length;
    this.#hasLines = whole > 0 && 2 * whole >= lines.length;
    this.#number = this.#hasLines ? 1 : 0;
    this.#buffer = '';
    this.#scan(text);
  }

  #scan(text: string): void {
    let from = this.#depth > 0 ? 0 : -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === newline && this.#hasLines === true) {
        if (from >= 0) this.#buffer += text.slice(from, at);
        while (this.#depth > 0) this.#recover('the line ends within a value');
        from = -1;
        [this.#isSkipping, this.#inList] = [false, false];
        this.#number++;
        continue;
      }
      if (this.#isSkipping && this.#hasLines === true) continue;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === backslash) this.#isEscaped = true;
        else if (code === quote) this.#inText = false;
      } else if (code === quote && this.#depth > 0) this.#inText = true;
      else if (code === brace || code === bracket) {
        this.#isSkipping = false;
        if (this.#depth === 0 && code === brace) {
          const end = this.#wholeLine(text, at);
          if (end > at) {
            at = end - 1;
            continue;
          }
        }
        if (this.#depth === 0 && code === bracket && !this.#inList) this.#inList = true;
        else if (this.#depth++ === 0) from = at;
      } else if (code === closingBrace || code === closingBracket) {
        if (this.#depth > 0 && --this.#depth === 0) {
          this.#close(this.#buffer + text.slice(from, at + 1));
          // a malformed value may contain the start of another
          from = this.#depth > 0 ? at + 1 : -1;
        } else if (this.#depth === 0 && code === closingBracket) this.#inList = false;
        else if (this.#depth === 0) this.#skipText(text, at);
      } else if (this.#depth === 0 && code !== comma && !blanks.has(code)) this.#skipText(text, at);
    }
    if (from >= 0) this.#buffer += text.slice(from);
    if (this.#buffer.length > longestValue) this.#recover('a value does not end');
  }

  /** Parses a value that ends with its line, which is faster than letter by letter; returns its end, or −1. */
  #wholeLine(text: string, at: number): number {
    if (this.#hasLines !== true || (at > 0 && text.charCodeAt(at - 1) !== newline)) return -1;
    const end = text.indexOf('\n', at);
    if (end < 0) return -1;
    const value = parseJson(text.slice(at, text.charCodeAt(end - 1) === comma ? end - 1 : end), true);
    if (!isRow(value)) return -1;
    this.#takers.take(value, this.#number);
    return end;
  }

  #close(text: string): void {
    this.#buffer = '';
    if (this.#hasLines !== true) this.#number++;
    const value = parseJson(text);
    if (isRow(value)) this.#takers.take(value, this.#number);
    else if (Array.isArray(value) && this.#takers.takeList !== undefined) this.#takers.takeList(value, this.#number);
    else if (Array.isArray(value)) this.#faults.fault(this.#number, `no JSON object: ${excerpt(value)}`);
    else {
      this.#buffer = text;
      this.#recover('no JSON', 0);
    }
  }

  /** Counts text between values as one fault, however long. */
  #skipText(text: string, at: number): void {
    if (this.#isSkipping) return;
    this.#isSkipping = true;
    if (this.#hasLines !== true) this.#number++;
    this.#faults.fault(this.#number, `no JSON object: ${excerpt(text.slice(at, at + 100).split('\n', 1)[0])}`);
  }

  /** Counts the value being read as a fault, and resumes inside it if a row may begin there. */
  #recover(why: string, numberStep = 1): void {
    const text = this.#buffer;
    const mayResume = (this.#hasLines !== true || this.#inList) && this.#recoveries++ < maxRecoveries;
    if (this.#hasLines !== true) this.#number += numberStep;
    const isFault = !onlyBrackets.test(text);
    if (isFault) this.#faults.fault(this.#number, `${why}: ${excerpt(text.slice(0, 100).split('\n', 1)[0])}`);
    this.#buffer = '';
    [this.#depth, this.#inText, this.#isEscaped, this.#isSkipping] = [0, false, false, true];
    const match = mayResume ? rowStart.exec(text) : null;
    if (match === null) return;
    this.#isSkipping = false;
    this.#scan(text.slice(match.index + match[0].length - 1));
  }
}

/** Parses a text as JSON; undefined if it is not. NaN, None and the like are read as null, unless `strictly`. */
function parseJson(text: string, strictly = false): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (strictly || !/NaN|Infinity|None|undefined/.test(text)) return undefined;
  }
  const plain = text.replaceAll(noNumber, 'null');
  return plain === text ? undefined : parseJson(plain, true);
}

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  const columns = new RowColumns(options, fetches);
  return new JsonRows(fetches, {
    take: (row, number) => columns.take(row, number),
    onEnd: () => columns.end(),
  });
}

export const jsonLog: LogFormat = {
  name: 'json',
  title: 'JSON objects',
  hasColumns: true,
  recognises: (beginning) => /^[[{]/.test(firstLine(beginning)),
  open,
};
