/** Prometheus metrics, in a registry of this instance's own. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Dispatcher } from '../dispatch/dispatcher.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const gaps = [0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.5, 1];

/** Measures every request and the pool; answers with the registry that GET /metrics prints. */
export function measureRequests(app: FastifyInstance, dispatcher: Dispatcher): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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
  app.requestEndListeners.push((request, httpStatus) => {
    const { run } = request;
    if (run === null) return;
    const { operation } = run;
    requests.inc({ operation, where: run.where ?? 'none', http_status: String(httpStatus) });
    if (run.left) aborted.inc({ operation });
    if (run.status !== undefined) answers.inc({ operation, status: run.status });
    if (run.solveMs !== undefined) solve.observe({ operation }, run.solveMs / 1000);
    if (run.where === 'worker' && run.queueMs !== undefined) queue.observe({ operation }, run.queueMs / 1000);
    if (typeof run.gap === 'number') gap.observe({ operation }, Math.max(0, run.gap));
  });
  return registry;
}
