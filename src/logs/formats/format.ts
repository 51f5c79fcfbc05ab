/** What a format of crawl logs is. */
import type { FetchCollector } from '../fetch-collector.ts';
import type { LogOptions } from '../log-record.ts';

/** Reads one log, such as a file, piece by piece. */
export interface LogReader {
  /** The next piece of the text; pieces may be cut anywhere. */
  push(text: string): void;
  /** @throws LogRefusal where what was read is of no use */
  end(): void;
}

export interface LogFormat {
  readonly name: string;
  /** In a few words, for people. */
  readonly title: string;
  /** What else may be said of such a log, beside the meaning of its columns and its zone. */
  readonly asks?: readonly (keyof LogOptions)[];
  /** Whether its columns have names of the log's own, so that somebody may have to say what they are. */
  readonly hasColumns?: boolean;
  /** Whether its dates are of one known form, of which nothing needs to be said. */
  readonly readsDates?: boolean;
  /** Whether a log that begins so is of this format. */
  recognises(beginning: string): boolean;
  open(options: LogOptions, fetches: FetchCollector): LogReader;
}

/** Cuts a text that comes in pieces into numbered lines, blank ones left out. */
export class Lines implements LogReader {
  readonly #take: (line: string, number: number) => void;
  readonly #done: () => void;
  readonly #keepsAll: boolean;
  #rest = '';
  #number = 0;

  /** @param keepsAll takes lines as they are, blank ones and carriage returns too */
  constructor(take: (line: string, number: number) => void, done: () => void = () => {}, keepsAll = false) {
    this.#take = take;
    this.#done = done;
    this.#keepsAll = keepsAll;
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line(this.#rest === '' ? text.slice(from, end) : this.#rest + text.slice(from, end));
      this.#rest = '';
      from = end + 1;
    }
    this.#rest += text.slice(from);
  }

  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    this.#done();
  }

  #line(text: string): void {
    this.#number++;
    const line = !this.#keepsAll && text.endsWith('\r') ? text.slice(0, -1) : text;
    if (this.#keepsAll || line.trim() !== '') this.#take(line, this.#number);
  }
}

/** The first line that is not blank. */
export const firstLine = (text: string): string => /^\s*(.*)/.exec(text)?.[1].trimEnd() ?? '';
