/** A small request, which the server solves itself, and a large one for a worker. */
interface Request {
  readonly path: string;
  readonly body: string;
}

/** A request that is solved by a closed form, in the service's process. */
export const smallRequest: Request = {
  path: '/v1/crawler-count',
  body: JSON.stringify({
    crawlerRate: 0.01,
    service: { type: 'exponential', rate: 1 },
    capacity: 10,
    costs: { starvation: 0.1 },
  }),
};

/** A request of `pages` pages in columns, for a worker. */
export function largeRequest(pages: number): Request {
  const rate = Array.from({ length: pages }, (_, i) => 0.01 + ((i * 7919) % 1000) / 500);
  return {
    path: '/v1/crawl-allocation',
    body: JSON.stringify({ interval: 1, crawls: 5 * pages, pages: { changeRate: rate } }),
  };
}
