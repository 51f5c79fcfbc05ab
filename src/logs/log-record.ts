/** What a crawl log's formats have in common: a fetch as its line has it, and a log that cannot be told apart. */

/** One fetch as the log has it; it becomes numbers at once (fetch-collector.ts). */
export interface LogRecord {
  readonly page: string;
  readonly time: string | number;
  /** Left out: not told. Text may have a reason behind the number; `revisit` repeats the fetch before. */
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

/** How a log is to be read, where its own lines do not say. */
export interface LogOptions {
  /** Which column or property is which: `page`, `time`, `status`, `signature`, `lastModified`, `changed`, `weight`. */
  readonly map?: Readonly<Partial<Record<keyof LogRecord, string>>>;
  /** Zone of times that name none: `UTC`, `+02:00`. */
  readonly zone?: string;
  /** Take only lines of an access log whose user agent contains this. */
  readonly agent?: string;
  /** Put before paths that are no URL, as access logs have them. */
  readonly base?: string;
  /** `bytes`: an access log's number of bytes tells whether a page had changed. */
  readonly signature?: 'bytes';
  /** `keep`: URLs with different fragments are different pages, as in applications that route by them. */
  readonly fragments?: 'keep';
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

/** At most 80 characters of a value, for a message. */
export const excerpt = (value: unknown): string => {
  const text = textOf(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
};

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch (error) {
    // JSON nests deeper than the stack reaches
    if (error instanceof RangeError) return 'a value nested too deeply';
    throw error;
  }
}
