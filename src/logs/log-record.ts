/** Types shared by the log formats: a fetch as written in the log, and a refused log. */

/** A fetch as written in the log; fetch-collector.ts converts it to numbers. */
export interface LogRecord {
  readonly page: string;
  readonly time: string | number;
  /** Status; undefined if unknown. Text may have a reason after the number; `revisit` repeats the previous fetch. */
  readonly status?: string | number | undefined;
  readonly signature?: string | number | undefined;
  readonly lastModified?: string | number | undefined;
  readonly changed?: string | number | boolean | undefined;
  readonly weight?: string | number | undefined;
  /** Host of a page that is a path. */
  readonly host?: string | undefined;
  /** Method of the request; GET if left out. */
  readonly method?: string | undefined;
  /** User agent of the request, in logs that may have lines of other agents than the crawler. */
  readonly agent?: string | undefined;
  /** Size of the answer, bytes. */
  readonly bytes?: string | number | undefined;
}

/** A field of a fetch that a column can be mapped to. */
export type LogRole = 'page' | 'time' | 'status' | 'signature' | 'lastModified' | 'changed' | 'weight';

/** The fields of a fetch with their descriptions, for mapping columns. */
export const logRoles: readonly (readonly [role: LogRole, meaning: string])[] = [
  ['page', 'page (URL or id)'],
  ['time', 'time of the fetch'],
  ['status', 'HTTP status'],
  ['signature', 'signature of the content'],
  ['lastModified', 'Last-Modified'],
  ['changed', 'changed since the fetch before'],
  ['weight', 'weight of the page'],
];

/** Options for reading a log that the log itself does not determine. */
export interface LogOptions {
  /** Column or property of each field: `page`, `time`, `status`, `signature`, `lastModified`, `changed`, `weight`. */
  readonly map?: Readonly<Partial<Record<LogRole, string>>>;
  /** Zone of times without one: `UTC`, `+02:00`. */
  readonly zone?: string;
  /** Take only lines whose user agent contains this. */
  readonly agent?: string;
  /** Base URL for pages that are paths. */
  readonly base?: string;
  /** `bytes`: use the size of the answer as the signature. */
  readonly signature?: 'bytes';
  /** `keep`: URLs with different fragments are different pages, as in applications that route by them. */
  readonly fragments?: 'keep';
}

/** A user agent of an access log with its number of lines. */
export interface UserAgent {
  readonly agent: string;
  readonly lines: number;
}

/** A log that cannot be read; the message names the option that would help. */
export class LogRefusal extends Error {
  override readonly name = 'LogRefusal';
  /** The reason alone; `message` also names the option that would help. */
  readonly reason: string;
  /** The command-line option that would help; empty if there is none. */
  readonly option: string;
  /** The user agents to choose from, most lines first, if one must be chosen. */
  readonly agents: readonly UserAgent[];

  constructor(reason: string, option = '', agents: readonly UserAgent[] = []) {
    super(option === '' ? reason : `${reason}: say ${option}`);
    this.reason = reason;
    this.option = option;
    this.agents = agents;
  }
}

/** Counts by kind, each with its first occurrence. */
export class Tally<Kind extends string> {
  readonly counts = new Map<string, { count: number; readonly first: string }>();

  add(kind: Kind, first: () => string): void {
    const entry = this.counts.get(kind);
    if (entry === undefined) this.counts.set(kind, { count: 1, first: first() });
    else entry.count++;
  }

  of(kind: string): { readonly count: number; readonly first: string } {
    return this.counts.get(kind) ?? { count: 0, first: '' };
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
