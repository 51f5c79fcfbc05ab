/** The log of a Crawlee crawler: one JSON object a line, as `crawl-optimizer plan` reads it. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { changedShare, fingerprintOf } from './changed-share.ts';

/** A line of the log. */
export interface LoggedFetch {
  readonly page: string;
  /** Epoch seconds. */
  readonly time: number;
  /** 0: no answer came. */
  readonly status: number;
  readonly signature?: string;
  readonly lastModified?: number;
  /** The ETag, for the next fetch to ask with. */
  readonly validator?: string;
  /** A fingerprint of the page's text, and the share of it that changed since the one before. */
  readonly text?: string;
  readonly matters?: number;
}

/** What a request handler has in its hands, as far as it is needed. */
export interface SeenFetch {
  readonly request: { readonly url: string; readonly userData: { readonly page?: unknown } };
  readonly response?:
    | {
        readonly statusCode?: number;
        /** Playwright's and Puppeteer's answers have functions. */
        readonly status?: () => number;
        readonly headers?:
          | Readonly<Record<string, string | string[] | undefined>>
          | (() => Readonly<Record<string, string | string[] | undefined>>);
      }
    | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/** What an answer says of its page. */
export function answerOf({ request, response, body }: SeenFetch) {
  const { page } = request.userData;
  const status = response?.statusCode ?? response?.status?.() ?? 0;
  const given = typeof response?.headers === 'function' ? response.headers() : response?.headers;
  const header = (name: string): string | undefined => [given?.[name]].flat()[0];
  const modified = Date.parse(header('last-modified') ?? '') / 1000;
  const etag = header('etag');
  const fetched = status >= 200 && status < 300 && body !== undefined;
  return {
    page: typeof page === 'string' ? page : request.url,
    status,
    signature: fetched ? createHash('sha256').update(body).digest('hex').slice(0, 32) : undefined,
    lastModified: Number.isFinite(modified) ? modified : undefined,
    validator: etag,
    /** For the page's next fetch. */
    headers: {
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(Number.isFinite(modified) && { 'if-modified-since': new Date(modified * 1000).toUTCString() }),
    },
  };
}

/** Appends to a file; what it holds already gives the validators of the next fetches. */
export class CrawlLog {
  readonly #path: string;
  readonly #validators = new Map<string, Record<string, string>>();
  readonly #last = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  readonly #matters: boolean;

  /** @param matters whether to say of every change how much of the text changed */
  constructor(path: string, { matters = false }: { readonly matters?: boolean } = {}) {
    this.#path = path;
    this.#matters = matters;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const entry = readEntry(line);
      if (entry !== null) this.#remember(entry);
    }
  }

  /** For `requestHandler` (304 too) and for `failedRequestHandler`. */
  add(seen: SeenFetch): LoggedFetch {
    const { page, status, signature, lastModified, validator } = answerOf(seen);
    const text = this.#matters && signature !== undefined ? fingerprintOf(seen.body ?? '') : undefined;
    const before = this.#texts.get(page);
    const entry: LoggedFetch = {
      page,
      time: Date.now() / 1000,
      status,
      ...(signature !== undefined && { signature }),
      ...(text !== undefined && { text }),
      ...(text !== undefined && before !== undefined && { matters: changedShare(before, text) }),
      ...(lastModified !== undefined && { lastModified }),
      ...(validator !== undefined && { validator }),
    };
    this.#remember(entry);
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
    return entry;
  }

  /** `if-none-match` and `if-modified-since` for the page's next fetch. */
  conditionalHeaders(page: string): Record<string, string> {
    return { ...this.#validators.get(page) };
  }

  /** When the page was fetched last, in epoch seconds. */
  lastFetch(page: string): number {
    return this.#last.get(page) ?? Number.NEGATIVE_INFINITY;
  }

  /** How many of the page's last fetches failed in a row. */
  failures(page: string): number {
    return this.#failures.get(page) ?? 0;
  }

  #remember({ page, time, status, validator, lastModified, text }: LoggedFetch): void {
    const seen = status === 304 || (status >= 200 && status < 300);
    this.#failures.set(page, seen ? 0 : this.failures(page) + 1);
    if (text !== undefined) this.#texts.set(page, text);
    this.#last.set(page, Math.max(time, this.lastFetch(page)));
    const known = this.#validators.get(page) ?? {};
    if (validator !== undefined) known['if-none-match'] = validator;
    if (lastModified !== undefined) known['if-modified-since'] = new Date(lastModified * 1000).toUTCString();
    this.#validators.set(page, known);
  }
}

/** A line of the log; null for one that was half written. */
function readEntry(line: string): LoggedFetch | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
