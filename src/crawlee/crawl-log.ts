/** The log of a Crawlee crawler: one JSON object a line, as `crawl-optimizer plan` reads it. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

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
}

/** What a request handler has in its hands, as far as it is needed. */
export interface SeenFetch {
  readonly request: { readonly url: string; readonly userData: { readonly page?: unknown } };
  readonly response?:
    | { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string | string[] | undefined>> }
    | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/** Appends to a file; what it holds already gives the validators of the next fetches. */
export class CrawlLog {
  readonly #path: string;
  readonly #validators = new Map<string, Record<string, string>>();

  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line.trim() !== '') this.#remember(JSON.parse(line));
    }
  }

  /** For `requestHandler` (304 too) and for `failedRequestHandler`. */
  add({ request, response, body }: SeenFetch): LoggedFetch {
    const { page } = request.userData;
    const status = response?.statusCode ?? 0;
    const header = (name: string): string | undefined => [response?.headers?.[name]].flat()[0];
    const modified = Date.parse(header('last-modified') ?? '') / 1000;
    const validator = header('etag');
    const fetched = status >= 200 && status < 300 && body !== undefined;
    const entry: LoggedFetch = {
      page: typeof page === 'string' ? page : request.url,
      time: Date.now() / 1000,
      status,
      ...(fetched && { signature: createHash('sha256').update(body).digest('hex').slice(0, 32) }),
      ...(Number.isFinite(modified) && { lastModified: modified }),
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

  #remember({ page, validator, lastModified }: LoggedFetch): void {
    const known = this.#validators.get(page) ?? {};
    if (validator !== undefined) known['if-none-match'] = validator;
    if (lastModified !== undefined) known['if-modified-since'] = new Date(lastModified * 1000).toUTCString();
    this.#validators.set(page, known);
  }
}
