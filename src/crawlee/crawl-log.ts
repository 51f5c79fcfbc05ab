/** The log of a Crawlee crawler: one JSON object a line, as `crawl-optimizer compare` and `plan` read it. */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** A line of the log. */
export interface LoggedFetch {
  readonly page: string;
  /** Epoch seconds. */
  readonly time: number;
  /** 0: no answer came. */
  readonly status: number;
  readonly signature?: string;
  readonly lastModified?: number;
}

/** The part of Crawlee's handler context that is used. */
export interface FetchContext {
  readonly request: { readonly url: string; readonly userData: { readonly page?: unknown } };
  readonly response?:
    | {
        readonly statusCode?: number;
        /** Playwright's and Puppeteer's responses have methods. */
        readonly status?: () => number;
        readonly headers?:
          | Readonly<Record<string, string | string[] | undefined>>
          | (() => Readonly<Record<string, string | string[] | undefined>>);
      }
    | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/** The page, status, signature and validators of a response. */
export function readFetch({ request, response, body }: FetchContext) {
  const { page } = request.userData;
  const status = response?.statusCode ?? response?.status?.() ?? 0;
  const headers = typeof response?.headers === 'function' ? response.headers() : response?.headers;
  const header = (name: string): string | undefined => [headers?.[name]].flat()[0];
  const modifiedTime = Date.parse(header('last-modified') ?? '') / 1000;
  const etag = header('etag');
  const hasBody = status >= 200 && status < 300 && body !== undefined;
  return {
    page: typeof page === 'string' ? page : request.url,
    status,
    signature: hasBody ? createHash('sha256').update(body).digest('hex').slice(0, 32) : undefined,
    lastModified: Number.isFinite(modifiedTime) ? modifiedTime : undefined,
    /** Conditional request headers for the page's next fetch. */
    headers: {
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(Number.isFinite(modifiedTime) && { 'if-modified-since': new Date(modifiedTime * 1000).toUTCString() }),
    },
  };
}

/** Appends every fetch to a file. */
export class CrawlLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Logs a fetch; call it in `requestHandler` (also for 304) and in `failedRequestHandler`. */
  add(fetch: FetchContext): LoggedFetch {
    const { page, status, signature, lastModified } = readFetch(fetch);
    const entry: LoggedFetch = {
      page,
      time: Date.now() / 1000,
      status,
      ...(signature !== undefined && { signature }),
      ...(lastModified !== undefined && { lastModified }),
    };
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
    return entry;
  }
}
