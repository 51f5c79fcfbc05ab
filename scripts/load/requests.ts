/** What the load is made of: every example, and large requests made here. */
import { exampleRequest } from '../../src/examples.ts';
import { operations } from '../../src/operations/index.ts';

export interface LoadRequest {
  readonly path: string;
  readonly body: string;
}

/** One request an example of every operation: mostly small. */
export function exampleRequests(): LoadRequest[] {
  return operations.flatMap((operation) =>
    operation.examples.map((example) => ({
      path: `/v1/${operation.name}`,
      body: JSON.stringify(exampleRequest(example)),
    })),
  );
}

/** The smallest request there is: a closed form. */
export const smallRequest: LoadRequest = {
  path: '/v1/crawler-count',
  body: JSON.stringify({
    crawlerRate: 0.01,
    service: { type: 'exponential', rate: 1 },
    capacity: 10,
    costs: { starvation: 0.1 },
  }),
};

/** A request in columns of `pages` pages, which goes to a worker unparsed. */
export function largeRequest(pages: number): LoadRequest {
  const rate = Array.from({ length: pages }, (_, i) => 0.01 + ((i * 7919) % 1000) / 500);
  return {
    path: '/v1/crawl-allocation',
    body: JSON.stringify({ interval: 1, crawls: 5 * pages, pages: { changeRate: rate } }),
  };
}

/** A request that keeps a worker busy for about a second, or until its time limit. */
export function slowRequest(timeLimitMs: number): LoadRequest {
  const body = {
    crawlerRate: 0.001,
    service: 1,
    capacity: 300,
    costs: { starvation: 1 },
    crawlers: 3000,
    options: { timeLimitMs },
  };
  return { path: '/v1/activation-policy', body: JSON.stringify(body) };
}
