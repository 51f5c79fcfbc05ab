/** What a crawl log's formats have in common: a fetch as its line has it, and a log that cannot be told apart. */

/** One fetch as the log has it; times are still in the log's own writing. */
export interface LogRecord {
  readonly page: string;
  readonly time: string | number;
  readonly status?: string | number | undefined;
  readonly signature?: string | undefined;
  readonly lastModified?: string | number | undefined;
  readonly changed?: string | number | boolean | undefined;
  readonly weight?: string | number | undefined;
}

/** What each part of a fetch is, for people who say which column has it. */
export const logRoles: readonly (readonly [role: keyof LogRecord, meaning: string])[] = [
  ['page', 'page (URL or id)'],
  ['time', 'time of the fetch'],
  ['status', 'HTTP status'],
  ['signature', 'signature of the content'],
  ['lastModified', 'Last-Modified'],
  ['changed', 'changed since the fetch before'],
  ['weight', 'weight of the page'],
];

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
  /**
   * Which column or property is which: `page`, `time`, `status`, `signature`, `lastModified`, `changed`, `weight`.
   */
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

/** A user agent of an access log, and how many lines it has. */
export interface UserAgent {
  readonly agent: string;
  readonly lines: number;
}

/** A log that cannot be read for what it is; the message says what would help. */
export class LogRefusal extends Error {
  override readonly name = 'LogRefusal';
  /** Why, without the option of the command line that would help. */
  readonly reason: string;
  /** The option that would help, as the command line has it; empty where none would. */
  readonly option: string;
  /** The user agents to choose from, where that is what is missing; those with the most lines first. */
  readonly agents: readonly UserAgent[];

  constructor(reason: string, option = '', agents: readonly UserAgent[] = []) {
    super(option === '' ? reason : `${reason}: say ${option}`);
    this.reason = reason;
    this.option = option;
    this.agents = agents;
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

/** At most 80 characters of a value, for a message. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(beginningOf(value, 3)) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};

/** The first items of a value and of what lies in it, down to a depth: JSON.stringify overflows the stack on 5,000 levels. */
function beginningOf(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.slice(0, 80);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, 20).map((item) => beginningOf(item, depth - 1));
  const entries = Object.entries(value).slice(0, 20);
  return Object.fromEntries(entries.map(([name, item]) => [name, beginningOf(item, depth - 1)]));
}
