/** What a format of crawl logs is. */
import type { LogOptions, RecordedLog } from '../log-record.ts';

export interface LogFormat {
  readonly name: string;
  /** In a few words, for people. */
  readonly title: string;
  /** What else may be said of such a log, beside the meaning of its columns and its zone. */
  readonly asks?: readonly (keyof LogOptions)[];
  /** Whether its columns have names of the log's own, so that somebody may have to say what they are. */
  readonly hasColumns?: boolean;
  /** Whether the format reads the dates itself, so that its records have epoch seconds. */
  readonly readsDates?: boolean;
  /** Whether a log that begins so is of this format. */
  recognises(beginning: string): boolean;
  /** @throws LogRefusal */
  read(text: string, options: LogOptions): RecordedLog;
}

/** The lines of a text with their numbers, blank ones left out. */
export function* numberedLines(text: string): Generator<readonly [number, string]> {
  let from = 0;
  for (let number = 1; from < text.length; number++) {
    let end = text.indexOf('\n', from);
    if (end < 0) end = text.length;
    const line = text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    if (line.trim() !== '') yield [number, line];
    from = end + 1;
  }
}

/** The first line that is not blank. */
export const firstLine = (text: string): string => /^\s*(.*)/.exec(text)?.[1].trimEnd() ?? '';
