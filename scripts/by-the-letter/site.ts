/** A site on loopback whose pages change, and what was fetched of it. */
import { createServer, type Server } from 'node:http';

export interface Site {
  readonly base: string;
  /** The times of the fetches of a path, in epoch seconds. */
  readonly fetches: (path: string) => readonly number[];
  /** What a path answers from now on, in place of 200. */
  readonly answers: Map<string, number>;
  readonly close: () => void;
}

/** /every/7 is another page every 7 seconds; with `feeds` it is a feed that has a new entry every 7 seconds. */
export async function startSite(feeds = false): Promise<Site> {
  const fetches = new Map<string, number[]>();
  const answers = new Map<string, number>();
  const started = Date.now() / 1000;
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '';
    const now = Date.now() / 1000;
    fetches.set(path, [...(fetches.get(path) ?? []), now]);
    const every = Number(/^\/every\/(\d+)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY);
    const status = path === '/robots.txt' ? 404 : (answers.get(path) ?? 200);
    const version = Math.floor((now - started) / every);
    response.writeHead(status, {
      'content-type': feeds ? 'application/rss+xml' : 'text/html',
      ...(status === 301 && { location: `${base}/newhome` }),
    });
    response.end(feeds ? feed(path, every, now) : `<html><body><p>${path} is at version ${version}</p></body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return { base, fetches: (path) => fetches.get(path) ?? [], answers, close: () => server.close() };
}

function feed(path: string, every: number, now: number): string {
  const newest = Math.floor(now / every);
  const items = Array.from({ length: 50 }, (_, k) => {
    const date = new Date((newest - k) * every * 1000).toUTCString();
    const link = `http://site.example${path}/${newest - k}`;
    return `<item><title>${newest - k}</title><link>${link}</link><guid>${link}</guid><pubDate>${date}</pubDate></item>`;
  });
  const head = `<title>${path}</title><link>http://site.example</link>`;
  return `<?xml version="1.0"?><rss version="2.0"><channel>${head}${items.join('')}</channel></rss>`;
}
