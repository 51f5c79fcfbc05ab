/**
 * Prometheus metrics, of this instance's own. The client measures the process. What is counted for every request is
 * counted and printed here. The client looks each label and bucket up as text, half as long as a small solve takes.
 */
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
    const tally = new Tally();
    let loading: Promise<Registry> | undefined;
    const loaded = (): Promise<Registry> => {
      loading ??= measureProcess();
      return loading;
    };
    app.decorate('metrics', {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => [await (await loaded()).metrics(), ...poolLines(dispatcher), ...tally.printed()].join('\n'),
    });
    app.decorate('prepareMetrics', async () => {
      await loaded();
    });
    app.requestEndListeners.push(({ run }, httpStatus) => {
      if (run !== null) tally.add('request', run, httpStatus);
    });
    app.lineEndListeners.push((run, httpStatus) => tally.add('line', run, httpStatus));
  },
  { name: 'metrics', dependencies: ['request-end'] },
);

async function measureProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}

type Type = 'counter' | 'gauge' | 'histogram';

/** A metric as GET /metrics prints it; a sample's name goes on after the metric's, with its labels. */
function printed(name: string, type: Type, help: string, samples: Iterable<readonly [string, number]>): string {
  const lines = [`# HELP ${prefix}${name} ${help}`, `# TYPE ${prefix}${name} ${type}`];
  for (const [rest, value] of samples) lines.push(`${prefix}${name}${rest} ${value}`);
  return `${lines.join('\n')}\n`;
}

const poolLines = ({ inFlight, queueDepth, workersLost }: Dispatcher): string[] => [
  printed('in_flight', 'gauge', 'Requests accepted by the workers and not yet answered', [['', inFlight]]),
  printed('queue_depth', 'gauge', 'Requests waiting for a worker', [['', queueDepth]]),
  printed('workers_lost_total', 'counter', 'Worker processes that ended without being told to', [['', workersLost]]),
];

/** How requests, or lines of requests of many, have ended, and how often. */
interface Outcome {
  readonly of: 'request' | 'line';
  /** The first of them. */
  readonly run: RequestRun;
  readonly httpStatus: number;
  count: number;
}

/** What has been counted. */
class Tally {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #solve = new Spread(seconds);
  readonly #queue = new Spread(seconds);
  readonly #gap = new Spread(gaps);

  add(of: Outcome['of'], run: RequestRun, httpStatus: number): void {
    const { operation, where, left, status, solveMs, queueMs, gap } = run;
    const key = `${of} ${operation} ${where} ${left} ${status} ${httpStatus}`;
    const known = this.#outcomes.get(key);
    if (known === undefined) this.#outcomes.set(key, { of, run, httpStatus, count: 1 });
    else known.count++;
    if (solveMs !== undefined) this.#solve.observe(operation, solveMs / 1000);
    if (where === 'worker' && queueMs !== undefined) this.#queue.observe(operation, queueMs / 1000);
    if (typeof gap === 'number') this.#gap.observe(operation, Math.max(0, gap));
  }

  printed(): string[] {
    const where =
      'Requests by operation, where they ran (inline, worker, or lines of a request of many) and HTTP status';
    return [
      this.#counter('requests_total', where, ({ of, run, httpStatus }) =>
        of === 'request' ? `,where="${run.where ?? 'none'}",http_status="${httpStatus}"` : null,
      ),
      this.#counter('lines_total', 'Lines of requests of many, by HTTP status', ({ of, httpStatus }) =>
        of === 'line' ? `,http_status="${httpStatus}"` : null,
      ),
      this.#counter('answers_total', 'Answers by status', ({ run: { status } }) => status && `,status="${status}"`),
      this.#counter('aborted_total', 'Solves ended because the caller left', ({ run }) => (run.left ? '' : null)),
      printed('solve_seconds', 'histogram', 'Time spent solving', this.#solve.samples()),
      printed('queue_seconds', 'histogram', 'Time spent waiting for a worker', this.#queue.samples()),
      printed('gap', 'histogram', 'Relative gap of the answers that have one', this.#gap.samples()),
    ];
  }

  /** @param labelsOf further labels under which an outcome counts; null or undefined where it does not */
  #counter(name: string, help: string, labelsOf: (outcome: Outcome) => string | null | undefined): string {
    const samples = new Map<string, number>();
    for (const outcome of this.#outcomes.values()) {
      const labels = labelsOf(outcome) ?? null;
      const sample = `{operation="${outcome.run.operation}"${labels}}`;
      if (labels !== null) samples.set(sample, (samples.get(sample) ?? 0) + outcome.count);
    }
    return printed(name, 'counter', help, samples);
  }
}

/** A histogram by operation. */
class Spread {
  readonly #bounds: readonly number[];
  /** Values above the bound before and up to each, and above the last. */
  readonly #by = new Map<string, { readonly counts: number[]; sum: number }>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(operation: string, value: number): void {
    let own = this.#by.get(operation);
    if (own === undefined) {
      own = { counts: [...this.#bounds.map(() => 0), 0], sum: 0 };
      this.#by.set(operation, own);
    }
    let k = 0;
    while (value > this.#bounds[k]) k++;
    own.counts[k]++;
    own.sum += value;
  }

  *samples(): Generator<[string, number]> {
    for (const [operation, { counts, sum }] of this.#by) {
      const label = `operation="${operation}"`;
      let upTo = 0;
      for (const [k, count] of counts.entries()) {
        upTo += count;
        yield [`_bucket{le="${this.#bounds[k] ?? '+Inf'}",${label}}`, upTo];
      }
      yield [`_sum{${label}}`, sum];
      yield [`_count{${label}}`, upTo];
    }
  }
}
