/**
 * The service under many odd requests at once: `node scripts/stress/stress.ts [--minutes 5] [--seed 1] [--callers 4]`.
 *
 * Checks that every answer comes within its time limit and a second, once a worker has taken the request; that no status
 * is above 499 but those of a full queue and a time limit; and that the figures of an answer agree with its status.
 * Liveness is polled all the while. Prints counts and the first failures; exits with 1 after a failure.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import { spawnServer } from '../../test/service/spawned-server.ts';
import { type Attack, RequestMaker } from './requests.ts';

interface Failure {
  readonly attack: Attack;
  readonly detail: string;
}

interface Report {
  requests: number;
  answers: number;
  refusals: number;
  timeLimits: number;
  /** Latencies of the requests for liveness, ms. */
  longestLivenessMs: number;
  readonly failures: Failure[];
}

interface StressOptions {
  /** Whether enough requests were sent. */
  readonly isOver: (report: Report) => boolean;
  readonly seed: number;
  readonly callers: number;
  /** Tolerance of an answer after its time limit, ms. */
  readonly graceMs: number;
}

const defaultLimitMs = 10_000;
/** Longest wait of a request for a worker, ms. */
const queueMs = 10_000;
/** Maximum gap of an answer called optimal, and maximum rounding error of a value below its bound; both relative. */
const provedGap = 1e-6;
const rounding = 1e-9;

export async function stress(url: string, { isOver, seed, callers, graceMs }: StressOptions): Promise<Report> {
  const document: Record<string, unknown> = JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
  const maker = new RequestMaker(document, seededRandom(seed));
  const report: Report = {
    requests: 0,
    answers: 0,
    refusals: 0,
    timeLimits: 0,
    longestLivenessMs: 0,
    failures: [],
  };
  const call = async (): Promise<void> => {
    while (!isOver(report)) await send(url, maker.next(), graceMs, report);
  };
  const watch = async (): Promise<void> => {
    while (!isOver(report)) {
      const start = performance.now();
      await (await fetch(`${url}/health/live`)).text();
      report.longestLivenessMs = Math.max(report.longestLivenessMs, performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all([watch(), ...Array.from({ length: callers }, call)]);
  return report;
}

async function send(url: string, attack: Attack, graceMs: number, report: Report): Promise<void> {
  const fail = (detail: string): void => {
    report.failures.push({ attack, detail });
  };
  const start = performance.now();
  report.requests++;
  try {
    const response = await fetch(`${url}/v1/${attack.operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: attack.body,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    const elapsed = performance.now() - start;
    if (response.status === 200) {
      report.answers++;
      for (const claim of contradictionsIn(text)) fail(claim);
    } else if (response.status === 504 || response.status === 503) report.timeLimits++;
    else if (response.status < 500) report.refusals++;
    else fail(`${response.status} ${text.slice(0, 300)}`);
    const limit = timeLimitOf(attack.body);
    if (elapsed > queueMs + 1.1 * limit + graceMs) fail(`${Math.round(elapsed)} ms with a limit of ${limit} ms`);
  } catch (error) {
    fail(String(error));
  }
}

/** Contradictions in an answer: "optimal" with a gap, or a value below its bound. */
function contradictionsIn(text: string): string[] {
  const answer: { status?: string; objective?: { value?: number; bound?: number | null; gap?: number | null } } =
    JSON.parse(text);
  const { value, bound, gap } = answer.objective ?? {};
  return [
    ...(answer.status === 'optimal' && typeof gap === 'number' && gap > provedGap
      ? [`optimal with a gap of ${gap}`]
      : []),
    ...(typeof value === 'number' && typeof bound === 'number' && value < bound - rounding * Math.abs(bound)
      ? [`a value of ${value} below the bound ${bound}`]
      : []),
  ];
}

function timeLimitOf(body: string): number {
  try {
    const limit: unknown = JSON.parse(body)?.options?.timeLimitMs;
    return typeof limit === 'number' && limit > 0 ? limit : defaultLimitMs;
  } catch {
    return defaultLimitMs;
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      callers: { type: 'string', default: '4' },
    },
  });
  const server = await spawnServer({ WORKERS: '2' });
  const end = performance.now() + 60_000 * Number(values.minutes);
  const { failures, ...counts } = await stress(server.url, {
    isOver: () => performance.now() > end,
    seed: Number(values.seed),
    callers: Number(values.callers),
    graceMs: 1000,
  });
  server.process.kill('SIGTERM');
  console.log(counts);
  for (const { attack, detail } of failures.slice(0, 20)) {
    console.log(`${attack.operation}: ${detail}\n  ${attack.body.slice(0, 2000)}`);
  }
  process.exitCode = failures.length > 0 ? 1 : 0;
}
