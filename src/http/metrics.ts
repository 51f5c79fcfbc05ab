/** Prometheus metrics, of this instance's own. */
import fp from 'fastify-plugin';
import type { Registry } from 'prom-client';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { RequestRun } from './request-end.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const gaps = [0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.5, 1];
const prefix = 'crawl_optimizer_';

/** What GET /metrics prints. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
    /** Begins to measure the process. Loading the client takes a fifth of the time of a start, so it comes after it. */
    prepareMetrics(): Promise<void>;
  }
}

/** Measures every request, every line of a request of many, and the pool. */
export const metrics = fp<{ readonly dispatcher: Dispatcher }>(
  async (app, { dispatcher }) => {
    let loading: Promise<Measures> | undefined;
    let measures: Measures | undefined;
    const loaded = async (): Promise<Measures> => {
      loading ??= measuresOf(dispatcher);
      measures = await loading;
      return measures;
    };
    const count = (add: (to: Measures) => void): void => {
      if (measures === undefined) loaded().then(add);
      else add(measures);
    };
    app.decorate('metrics', {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => (await loaded()).registry.metrics(),
    });
    app.decorate('prepareMetrics', async () => {
      await loaded();
    });
    app.requestEndListeners.push(({ run }, httpStatus) => {
      if (run !== null) count((to) => to.request(run, httpStatus));
    });
    app.lineEndListeners.push((run, httpStatus) => count((to) => to.line(run, httpStatus)));
  },
  { name: 'metrics', dependencies: ['request-end'] },
);

interface Measures {
  readonly registry: Registry;
  request(run: RequestRun, httpStatus: number): void;
  line(run: RequestRun, httpStatus: number): void;
}

async function measuresOf(dispatcher: Dispatcher): Promise<Measures> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `${prefix}${name}`,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('in_flight', 'Requests accepted by the workers and not yet answered', () => dispatcher.inFlight);
  gauge('queue_depth', 'Requests waiting for a worker', () => dispatcher.queueDepth);
  new Counter({
    name: `${prefix}workers_lost_total`,
    help: 'Worker processes that ended without being told to',
    registers,
    collect() {
      this.reset();
      this.inc(dispatcher.workersLost);
    },
  });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `${prefix}${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `${prefix}${name}`, help, labelNames: ['operation'], buckets, registers });
  const requests = counter(
    'requests_total',
    'Requests by operation, where they ran (inline, worker, or lines of a request of many) and HTTP status',
    ...['operation', 'where', 'http_status'],
  );
  const lines = counter('lines_total', 'Lines of requests of many, by HTTP status', 'operation', 'http_status');
  const answers = counter('answers_total', 'Answers by status', 'operation', 'status');
  const aborted = counter('aborted_total', 'Solves ended because the caller left', 'operation');
  const solve = histogram('solve_seconds', 'Time spent solving', seconds);
  const queue = histogram('queue_seconds', 'Time spent waiting for a worker', seconds);
  const gap = histogram('gap', 'Relative gap of the answers that have one', gaps);
  const solved = ({ operation, where, left, ...run }: RequestRun): void => {
    if (left) aborted.inc({ operation });
    if (run.status !== undefined) answers.inc({ operation, status: run.status });
    if (run.solveMs !== undefined) solve.observe({ operation }, run.solveMs / 1000);
    if (where === 'worker' && run.queueMs !== undefined) queue.observe({ operation }, run.queueMs / 1000);
    if (typeof run.gap === 'number') gap.observe({ operation }, Math.max(0, run.gap));
  };
  return {
    registry,
    request(run, httpStatus) {
      requests.inc({ operation: run.operation, where: run.where ?? 'none', http_status: httpStatus });
      solved(run);
    },
    line(run, httpStatus) {
      lines.inc({ operation: run.operation, http_status: httpStatus });
      solved(run);
    },
  };
}
