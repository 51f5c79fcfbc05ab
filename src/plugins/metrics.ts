/** prom-client: the metrics behind GET /metrics, in a registry of this instance. */
import fp from 'fastify-plugin';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Pool } from '../workers/pool.ts';
import type { RequestRun } from './request-log.ts';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Registry;
    countRun(run: RequestRun, httpStatus: number): void;
  }
}

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const gaps = [0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.5, 1];

export const metrics = fp<{ readonly pool: Pool }>(async (app, { pool }) => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const metricOptions = (name: string, help: string) => ({ name: `crawl_optimizer_${name}`, help, registers });
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ ...metricOptions(name, help), labelNames });
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ ...metricOptions(name, help), labelNames: ['operation'], buckets });
  const requestsHelp = 'Requests by operation, where they ran (inline or worker) and HTTP status';
  const requests = counter('requests_total', requestsHelp, ['operation', 'where', 'http_status']);
  const answers = counter('answers_total', 'Answers by status', ['operation', 'status']);
  const abortedSolves = counter('aborted_total', 'Solves ended because the caller left', ['operation']);
  const solve = histogram('solve_seconds', 'Time spent solving', seconds);
  const queue = histogram('queue_seconds', 'Time spent waiting for a worker', seconds);
  const gap = histogram('gap', 'Relative gap of the answers that have one', gaps);
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      ...metricOptions(name, help),
      collect() {
        this.set(value());
      },
    });
  gauge('in_flight', 'Requests that workers run or that wait for one', () => pool.inFlight);
  gauge('queue_depth', 'Requests waiting for a worker', () => pool.waiting);
  new Counter({
    ...metricOptions('workers_lost_total', 'Worker processes that ended by themselves'),
    collect() {
      this.reset();
      this.inc(pool.lostWorkers);
    },
  });
  app.decorate('metrics', register);
  app.decorate('countRun', (run, httpStatus) => {
    const { operation, where, status, solveMs, queueMs } = run;
    requests.inc({ operation, where, http_status: httpStatus });
    if (status !== undefined) answers.inc({ operation, status });
    if (run.left) abortedSolves.inc({ operation });
    if (solveMs !== undefined) solve.observe({ operation }, solveMs / 1000);
    if (where === 'worker' && queueMs !== undefined) queue.observe({ operation }, queueMs / 1000);
    if (typeof run.gap === 'number') gap.observe({ operation }, Math.max(0, run.gap));
  });
});
