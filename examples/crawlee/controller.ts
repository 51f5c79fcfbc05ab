/**
 * A Crawlee crawler steered by a lookup table: after every page that enters or leaves the indexing queue, as many
 * requests may be under way as the table has for the queue's new length. A request under way is never cut off: a
 * crawler that is not wanted any more stops after its page, as in the model.
 *
 * Start crawl-optimizer (npm start in the project), then `npm start -- http://127.0.0.1:8080 [activation|threshold]`.
 */
import { Configuration, HttpCrawler, log } from '@crawlee/http';
import { MemoryStorage } from '@crawlee/memory-storage';
import { followTable } from 'crawl-optimizer/crawlee';
import { Indexer } from './indexer.ts';
import { activationTable, thresholdTable } from './lookup-table.ts';
import { serveSite } from './site.ts';

const service = process.argv[2] ?? 'http://127.0.0.1:8080';
const policy = process.argv[3] ?? 'activation';
const pages = Number(process.env.PAGES ?? 400);
const crawlers = 12;
const capacity = 8;
const meanAnswerMs = 100;
const meanIndexingMs = 20;
const second = 1000;

const site = await serveSite(pages, meanAnswerMs);
const rates = { crawlerRate: second / meanAnswerMs, indexingRate: second / meanIndexingMs };
const table =
  policy === 'threshold'
    ? await thresholdTable(service, {
        capacity,
        arrivals: {
          model: 'per-mode',
          modes: [1, 2, 4, 8, crawlers].map((active) => ({
            crawlers: active,
            matrices: [[[-active * rates.crawlerRate]], [[active * rates.crawlerRate]]],
          })),
        },
        service: { type: 'exponential', rate: rates.indexingRate },
        obsolescence: null,
        costs: { loss: 1, obsolescence: 0, response: 0, crawler: 0, starvation: 50 },
      })
    : await activationTable(service, { ...rates, capacity, crawlers, starvationWeight: 50 });
console.log(`crawlers that may be active at queue lengths 0..${capacity}: ${table.join(' ')}`);

let followed: ((queueLength: number) => void) | undefined;
const used = new Map<number, number>();

/** Called after every page that enters or leaves the queue: Crawlee's pool is held to the table's number. */
function follow(length: number): void {
  const target = table[Math.min(length, capacity)];
  used.set(target, (used.get(target) ?? 0) + 1);
  followed?.(length);
}

log.setLevel(log.LEVELS.WARNING);
const indexer = new Indexer(capacity, meanIndexingMs, follow);
const configuration = new Configuration({ storageClient: new MemoryStorage({ persistStorage: false }) });
const crawler = new HttpCrawler(
  {
    minConcurrency: 1,
    maxConcurrency: crawlers,
    // the table decides: Crawlee looks for work again at once, and its own measure of load stays out of it
    autoscaledPoolOptions: { maybeRunIntervalSecs: 0.01, autoscaleIntervalSecs: 3600 },
    requestHandlerTimeoutSecs: 30,
    maxRequestRetries: 0,
    async requestHandler({ request, body }) {
      if (crawler.autoscaledPool !== undefined) followed ??= followTable(crawler.autoscaledPool, table);
      indexer.offer(request.url);
      const links = [...body.toString().matchAll(/href="([^"]+)"/g)].map(([, path]) => new URL(path, site.url).href);
      await crawler.addRequests(links);
    },
  },
  configuration,
);

const began = performance.now();
const statistics = await crawler.run([`${site.url}/page/0`]);
const elapsed = performance.now() - began;
while (indexer.length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
const switches = [...used].sort(([a], [b]) => a - b).map(([target, times]) => `${target} crawlers ${times} times`);
console.log(
  `${statistics.requestsFinished} pages fetched in ${(elapsed / second).toFixed(1)} s, ${statistics.requestsFailed} failed`,
);
console.log(
  `${indexer.indexed} indexed, ${indexer.lost} found no room; the indexer idled ${((100 * indexer.idleMs) / elapsed).toFixed(0)}% of the time`,
);
console.log(`at most ${site.busiest()} requests at once; the table asked for ${switches.join(', ')}`);
await site.close();
