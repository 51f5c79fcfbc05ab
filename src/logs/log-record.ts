/** What a crawl log's formats have in common: a fetch as its line has it, and a log that cannot be told apart. */

/** One fetch as the log has it; times are still in the log's own writing. */
export interface LogRecord {
  readonly page: string;
  readonly time: string | number;
  readonly status?: string | number | undefined;
  readonly signature?: string | undefined;
  readonly lastModified?: string | number | undefined;
  readonly changed?: string | number | boolean | undefined;
}

/** The records of a log. */
export interface RecordedLog {
  readonly records: readonly LogRecord[];
  /** Lines, or records of another kind, that are no fetch of this crawler, by reason. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** Lines that could not be read, each with its number; the first hundred. */
  readonly unreadable: readonly { readonly line: number; readonly why: string }[];
  readonly unreadableCount: number;
  /** What was taken for granted, in whole sentences. */
  readonly notes: readonly string[];
}

/** How a log is to be read, where its own lines do not say. */
export interface LogOptions {
  /** Which column or property is which: `page`, `time`, `status`, `signature`, `lastModified`, `changed`. */
  readonly map?: Readonly<Partial<Record<keyof LogRecord, string>>>;
  /** Zone of times that name none: `UTC`, `+02:00`. */
  readonly zone?: string;
  /** Take only lines of an access log whose user agent contains this. */
  readonly agent?: string;
  /** Put before paths that are no URL, as access logs have them. */
  readonly base?: string;
  /** `bytes`: an access log's number of bytes tells whether a page had changed. */
  readonly signature?: 'bytes';
}

/** A log that cannot be read for what it is; the message says what would help. */
export class LogRefusal extends Error {
  override readonly name = 'LogRefusal';
  /** Why, without the option of the command line that would help. */
  readonly reason: string;

  constructor(reason: string, option = '') {
    super(option === '' ? reason : `${reason}: say ${option}`);
    this.reason = reason;
  }
}

/** Collects the records of a log line by line. */
export class RecordCollector {
  readonly records: LogRecord[] = [];
  readonly passedOver = new Map<string, number>();
  readonly unreadable: { line: number; why: string }[] = [];
  readonly notes: string[] = [];
  unreadableCount = 0;

  passOver(reason: string): void {
    this.passedOver.set(reason, (this.passedOver.get(reason) ?? 0) + 1);
  }

  fault(line: number, why: string): void {
    this.unreadableCount++;
    if (this.unreadable.length < 100) this.unreadable.push({ line, why });
  }
}

/** At most so many characters of a value, for a message. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};
