/**
 * JSON objects, one a line or in arrays. Several arrays may follow one another, as in appended exports, and the last may be
 * truncated.
 */
import { excerpt } from '../log-record.ts';
import type { FaultCounter, LogReader } from './format.ts';

export type JsonRow = Readonly<Record<string, unknown>>;

export const isRowList = (value: unknown): value is readonly JsonRow[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

export const isRow = (value: unknown): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface RowHandlers {
  readonly onRow: (row: JsonRow, number: number) => void;
  /** Called with each list whose items are not rows. */
  readonly onList?: (list: readonly unknown[], number: number) => void;
  /** Called at the end of the text, with the names of the columns if it was a table. */
  readonly onEnd?: (names: readonly string[]) => void;
}

/** Maximum length of a value, characters. */
const longestValue = 2 ** 24;
/** Malformed values after which recovery is attempted; a text with more is not JSON. */
const maxRecoveries = 100;
/** The start of a row inside a malformed value, from the second character on. */
const rowStart = /(?<=[\s\S])(?:\n\s{0,100}[[{]|\[\s{0,100}\{)/;
/** The end of the text before a property's value; the last `maxBlanks` characters are searched for it. */
const colonBefore = /:\s*$/;
const maxBlanks = 16;
/** First characters of lines within a value. */
const innerStarts = new Set(Array.from(' \t\r}]', (each) => each.charCodeAt(0)));
/** Separators between the objects of a list. */
const onlyBrackets = /^[\s[\],]*$/;
/** Values of Python and JavaScript that JSON does not have, outside of strings. */
const noNumber = /(?<=[:,[]\s{0,9})(?:NaN|-?Infinity|None|undefined)(?=\s*[,}\]])/g;

const codes = (letters: string): number[] => Array.from(letters, (each) => each.charCodeAt(0));
const [quote, backslash, brace, closingBrace, bracket, closingBracket, comma, newline] = codes('"\\{}[],\n');
/** Blanks, and the separator of records (RFC 7464). */
const blanks = new Set(codes(' \t\r\n\x1e'));

/**
 * Reads the objects of a text in pieces, in any layout. A malformed value is skipped and counts as one fault: reading
 * resumes at the next start of a row, which may be inside of it. Lines within a value are indented or begin with its
 * end; any other line ends a value that is open.
 */
export class JsonRowReader implements LogReader {
  readonly #handlers: RowHandlers;
  readonly #faults: FaultCounter;
  /** The value being read, from its first character on. */
  #buffer = '';
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  #inList = false;
  /** Whether text is skipped until the next value or line; its fault is counted already. */
  #isSkipping = false;
  /** Whether the next character is the first of its line. */
  #isNewLine = true;
  #line = 1;
  /** Values and faults so far. */
  #values = 0;
  #recoveries = 0;

  constructor(faults: FaultCounter, handlers: RowHandlers) {
    this.#faults = faults;
    this.#handlers = handlers;
  }

  end(): void {
    while (this.#depth > 0) this.#recover('the text ends within a value');
    this.#handlers.onEnd?.([]);
  }

  /** The number of the line, or of the value where all stand on one line. */
  get #number(): number {
    return this.#line > 1 ? this.#line : this.#values;
  }

  push(text: string): void {
    let from = this.#depth > 0 ? 0 : -1;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const isLineStart = this.#isNewLine;
      this.#isNewLine = code === newline;
      // no text of JSON has a line break in it
      if (isLineStart ? !innerStarts.has(code) : this.#isNewLine && this.#inText) {
        if (this.#depth > 0) {
          this.#buffer += text.slice(from, at);
          const line = this.#line;
          if (isLineStart) this.#line--;
          while (this.#depth > 0) this.#recover('the line ends within a value');
          this.#line = line;
          from = -1;
        }
        if (isLineStart) this.#isSkipping = false;
      }
      if (this.#isNewLine) {
        this.#line++;
        continue;
      }
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === backslash) this.#isEscaped = true;
        else if (code === quote) this.#inText = false;
      } else if (code === quote && this.#depth > 0) this.#inText = true;
      else if (code === brace || code === bracket) {
        // a property of the value that is skipped
        if (this.#isSkipping && colonBefore.test(text.slice(Math.max(0, at - maxBlanks), at))) continue;
        this.#isSkipping = false;
        if (isLineStart && code === brace) {
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
    const end = text.indexOf('\n', at);
    if (end < 0) return -1;
    const value = parseJson(text.slice(at, text.charCodeAt(end - 1) === comma ? end - 1 : end), true);
    if (!isRow(value)) return -1;
    this.#values++;
    this.#handlers.onRow(value, this.#number);
    return end;
  }

  #close(text: string): void {
    const value = parseJson(text);
    this.#buffer = value === undefined ? text : '';
    if (value === undefined) {
      this.#recover('no JSON');
      return;
    }
    this.#values++;
    if (isRow(value)) this.#handlers.onRow(value, this.#number);
    else if (isRowList(value)) for (const row of value) this.#handlers.onRow(row, this.#number);
    else if (Array.isArray(value) && this.#handlers.onList !== undefined) this.#handlers.onList(value, this.#number);
    else if (!onlyBrackets.test(text)) this.#faults.fault(this.#number, `no JSON object: ${excerpt(value)}`);
  }

  /** Counts text between values as one fault, however long. */
  #skipText(text: string, at: number): void {
    if (!this.#isSkipping) this.#fault('no JSON object', text.slice(at, at + 100));
    this.#isSkipping = true;
  }

  #fault(why: string, text: string): void {
    this.#values++;
    this.#faults.fault(this.#number, `${why}: ${excerpt(text.slice(0, 100).split('\n', 1)[0])}`);
  }

  /** Counts the value being read as a fault, and resumes inside it if a row may begin there. */
  #recover(why: string): void {
    const text = this.#buffer;
    if (!onlyBrackets.test(text)) this.#fault(why, text);
    this.#buffer = '';
    [this.#depth, this.#inText, this.#isEscaped, this.#isSkipping] = [0, false, false, true];
    const match = this.#recoveries++ < maxRecoveries ? rowStart.exec(text) : null;
    if (match === null) return;
    this.#isSkipping = false;
    const line = this.#line;
    this.push(text.slice(match.index + match[0].length - 1));
    [this.#line, this.#isNewLine] = [line, false];
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
