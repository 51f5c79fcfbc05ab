/** Prometheus metrics, in a registry of this instance's own. */
import fp from 'fastify-plugin';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { RequestEndListener } from './request-end.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const gaps = [0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.5, 1];

declare module 'fastify' {
  interface FastifyInstance {
    /** What GET /metrics prints. */
    metrics: Registry;
  }
}

/** Measures every request and the pool. */
export const metrics = fp<{ readonly dispatcher: Dispatcher }>(
  async (app, { dispatcher }) => {
    const registry = new Registry();
    app.decorate('metrics', registry);
    collectDefaultMetrics({ register: registry });
    measurePool(registry, dispatcher);
    app.requestEndListeners.push(measureRequests(registry));
  },
  { name: 'metrics', fastify: '5.x', dependencies: ['request-end'] },
);

function measurePool(registry: Registry, dispatcher: Dispatcher): void {
  const registers = [registry];
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
}

/** A function that is remembered by its arguments: finding the place of labels in a metric costs more than counting. */
function remembered<Value>(make: (...labels: string[]) => Value): (...labels: string[]) => Value {
  const known = new Map<string, Value>();
  return (...labels) => {
    const key = labels.join(' ');
    let value = known.get(key);
    if (value === undefined) {
      value = make(...labels);
      known.set(key, value);
    }
    return value;
  };
}

function measureRequests(registry: Registry): RequestEndListener {
  const registers = [registry];
  const requests = new Counter({
    name: 'crawl_optimizer_requests_total',
    help: 'Requests by operation, where they ran and HTTP status',
    labelNames: ['operation', 'where', 'http_status'],
    registers,
  });
  const answers = new Counter({
    name: 'crawl_optimizer_answers_total',
    help: 'Answers by operation and status (optimal, feasible, infeasible, evaluated)',
    labelNames: ['operation', 'status'],
    registers,
  });
  const solve = new Histogram({
    name: 'crawl_optimizer_solve_seconds',
    help: 'Time spent solving',
    labelNames: ['operation'],
    buckets: seconds,
    registers,
  });
  const queue = new Histogram({
    name: 'crawl_optimizer_queue_seconds',
    help: 'Time spent waiting for a worker',
    labelNames: ['operation'],
    buckets: seconds,
    registers,
  });
  const gap = new Histogram({
    name: 'crawl_optimizer_gap',
    help: 'Relative gap of the answers that have one',
    labelNames: ['operation'],
    buckets: gaps,
    registers,
  });
  const aborted = new Counter({
    name: 'crawl_optimizer_aborted_total',
    help: 'Solves ended because the caller left',
    labelNames: ['operation'],
    registers,
  });
  const requestsOf = remembered((operation, where, status) => requests.labels(operation, where, status));
  const answersOf = remembered((operation, status) => answers.labels(operation, status));
  const solveOf = remembered((operation) => solve.labels(operation));
  const gapOf = remembered((operation) => gap.labels(operation));
  return ({ run }, httpStatus) => {
    if (run === null) return;
    const { operation } = run;
    requestsOf(operation, run.where ?? 'none', String(httpStatus)).inc();
    if (run.left) aborted.inc({ operation });
    if (run.status !== undefined) answersOf(operation, run.status).inc();
    if (run.solveMs !== undefined) solveOf(operation).observe(run.solveMs / 1000);
    if (run.where === 'worker' && run.queueMs !== undefined) queue.observe({ operation }, run.queueMs / 1000);
    if (typeof run.gap === 'number') gapOf(operation).observe(Math.max(0, run.gap));
  };
}
