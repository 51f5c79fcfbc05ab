/** The interface of log formats. */
import type { FetchCollector } from '../fetch-collector.ts';
import type { LogOptions } from '../log-record.ts';

/** Reads one log, such as a file, piece by piece. */
export interface LogReader {
  /** Reads the next piece of the text; pieces may be cut anywhere. */
  push(text: string): void;
  /** Ends the log. @throws LogRefusal if it cannot be used */
  end(): void;
}

/** Counts the lines that a reader cannot read. Every format recovers in the same way: such a line is skipped. */
export interface FaultCounter {
  fault(line: number, why: string): void;
  passOver(reason: string, example: string): void;
}

/** The beginning of a log. */
export interface LogBeginning {
  readonly text: string;
  /** The first line that is not blank. */
  readonly line: string;
  /** The names of columns, if it has any, in lower case without separators; of a nested property the last. */
  readonly names: ReadonlySet<string>;
}

export interface LogFormat {
  readonly name: string;
  /** Other names that users give it. */
  readonly aliases?: readonly string[];
  /** Short description for users. */
  readonly title: string;
  /** Options of this format other than the column mapping and the zone. */
  readonly formatOptions?: readonly (keyof LogOptions)[];
  /** Whether column names vary, so that a mapping may be needed. */
  readonly hasColumns?: boolean;
  /** Whether its date form is fixed, so that no note about dates is needed. */
  readonly hasFixedDates?: boolean;
  /** Whether a log with this beginning has this format. */
  recognises(beginning: LogBeginning): boolean;
  open(options: LogOptions, fetches: FetchCollector): LogReader;
}

/** Splits a text read in pieces into numbered lines, without blank ones. */
export class LineReader implements LogReader {
  readonly #onLine: (line: string, number: number) => void;
  readonly #onEnd: () => void;
  readonly #keepsAll: boolean;
  #openLine = '';
  #number = 0;

  /** @param keepsAll keep blank lines and carriage returns */
  constructor(onLine: (line: string, number: number) => void, onEnd: () => void = () => {}, keepsAll = false) {
    this.#onLine = onLine;
    this.#onEnd = onEnd;
    this.#keepsAll = keepsAll;
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line(this.#openLine === '' ? text.slice(from, end) : this.#openLine + text.slice(from, end));
      this.#openLine = '';
      from = end + 1;
    }
    this.#openLine += text.slice(from);
  }

  end(): void {
    if (this.#openLine !== '') this.#line(this.#openLine);
    this.#openLine = '';
    this.#onEnd();
  }

  #line(text: string): void {
    this.#number++;
    const line = !this.#keepsAll && text.endsWith('\r') ? text.slice(0, -1) : text;
    if (this.#keepsAll || line.trim() !== '') this.#onLine(line, this.#number);
  }
}

/** A reader chosen by the first piece of the text. */
export function chooseReader(choose: (text: string) => LogReader): LogReader {
  let reader: LogReader | null = null;
  return {
    push(text) {
      reader ??= choose(text);
      reader.push(text);
    },
    end: () => reader?.end(),
  };
}

const requestLine = /^([A-Z]+) (.*?)(?: HTTP\/\d(?:\.\d)?)?$/;

/** Method and page of a request line; a crawler may not have escaped blanks in the path. */
export function parseRequestLine(line: string): { readonly method: string; readonly page: string } {
  const [, method = '', target = ''] = requestLine.exec(line) ?? [];
  return target === '' ? { method: line, page: '' } : { method, page: target.replaceAll(' ', '%20') };
}
