/** A site to crawl: pages 0..count−1, each linking to a few others, each taking a random time to answer. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Site {
  readonly url: string;
  /** Requests under way at once, at most so far. */
  readonly busiest: () => number;
  close(): Promise<void>;
}

/** Serves on a free port of the loopback interface; `meanAnswerMs` is the mean of the exponential answer time. */
export async function serveSite(count: number, meanAnswerMs: number): Promise<Site> {
  let underWay = 0;
  let busiest = 0;
  const server: Server = createServer(async (request, response) => {
    busiest = Math.max(busiest, ++underWay);
    await sleep(-Math.log(1 - Math.random()) * meanAnswerMs);
    underWay--;
    const page = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    const links = [1, 2, 3].map((k) => `<a href="/page/${(3 * page + k) % count}">${k}</a>`);
    response.setHeader('content-type', 'text/html');
    response.end(`<html><title>Page ${page}</title><body>${links.join(' ')}</body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    busiest: () => busiest,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
