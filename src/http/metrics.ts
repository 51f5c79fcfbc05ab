/** Prometheus metrics, of this instance's own. */
import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { RequestEndListener } from './request-end.ts';
import { Counters, Histograms } from './tallies.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const gaps = [0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.5, 1];

/** What GET /metrics prints. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
    /** Begins to measure the process; loading what does takes a fifth of the time of a start, so it comes after it. */
    prepareMetrics(): Promise<void>;
  }
}

/** Measures every request and the pool. */
export const metrics = fp<{ readonly dispatcher: Dispatcher }>(
  async (app, { dispatcher }) => {
    const requests = new RequestMetrics();
    let registry: Promise<Registry> | undefined;
    const process = (): Promise<Registry> => {
      registry ??= processMetrics(dispatcher);
      return registry;
    };
    app.decorate('metrics', {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => `${await (await process()).metrics()}\n${requests.text()}`,
    });
    app.decorate('prepareMetrics', async () => {
      await process();
    });
    app.requestEndListeners.push(requests.count);
  },
  { name: 'metrics', dependencies: ['request-end'] },
);

/** What is measured of the process and its pool. */
async function processMetrics(dispatcher: Dispatcher): Promise<Registry> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'crawl_optimizer_in_flight',
    help: 'Requests accepted by the workers and not yet answered',
    registers,
    collect() {
      this.set(dispatcher.inFlight);
    },
  });
  new Gauge({
    name: 'crawl_optimizer_queue_depth',
    help: 'Requests waiting for a worker',
    registers,
    collect() {
      this.set(dispatcher.queueDepth);
    },
  });
  new Counter({
    name: 'crawl_optimizer_workers_lost_total',
    help: 'Worker processes that ended without being told to',
    registers,
    collect() {
      this.reset();
      this.inc(dispatcher.workersLost);
    },
  });
  return registry;
}

/** What is counted of the requests of operations. */
class RequestMetrics {
  readonly #requests = new Counters({
    name: 'crawl_optimizer_requests_total',
    help: 'Requests by operation, where they ran and HTTP status',
    labelNames: ['operation', 'where', 'http_status'],
  });
  readonly #answers = new Counters({
    name: 'crawl_optimizer_answers_total',
    help: 'Answers by operation and status (optimal, feasible, infeasible, evaluated)',
    labelNames: ['operation', 'status'],
  });
  readonly #aborted = new Counters({
    name: 'crawl_optimizer_aborted_total',
    help: 'Solves ended because the caller left',
    labelNames: ['operation'],
  });
  readonly #solve = new Histograms(
    { name: 'crawl_optimizer_solve_seconds', help: 'Time spent solving', labelNames: ['operation'] },
    seconds,
  );
  readonly #queue = new Histograms(
    { name: 'crawl_optimizer_queue_seconds', help: 'Time spent waiting for a worker', labelNames: ['operation'] },
    seconds,
  );
  readonly #gap = new Histograms(
    { name: 'crawl_optimizer_gap', help: 'Relative gap of the answers that have one', labelNames: ['operation'] },
    gaps,
  );

  readonly count: RequestEndListener = ({ run }, httpStatus) => {
    if (run === null) return;
    const { operation, where = 'none' } = run;
    this.#requests.of(operation, where, String(httpStatus)).value++;
    if (run.left) this.#aborted.of(operation).value++;
    if (run.status !== undefined) this.#answers.of(operation, run.status).value++;
    if (run.solveMs !== undefined) this.#solve.of(operation).observe(run.solveMs / 1000);
    if (where === 'worker' && run.queueMs !== undefined) this.#queue.of(operation).observe(run.queueMs / 1000);
    if (typeof run.gap === 'number') this.#gap.of(operation).observe(Math.max(0, run.gap));
  };

  text(): string {
    const all = [this.#requests, this.#answers, this.#aborted, this.#solve, this.#queue, this.#gap];
    return all.map((metric) => metric.text()).join('\n');
  }
}
