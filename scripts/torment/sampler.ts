/** The inspector's sampling profiler on the own process, which says what ran between two moments. */
import { type Profiler, Session } from 'node:inspector';

/** How long something was seen to run, and where: the innermost function first. */
export interface Sample {
  readonly ms: number;
  readonly stack: readonly string[];
}

const everyMicroseconds = 2000;
const framesShown = 8;
const samplesShown = 12;

/** Microseconds of the clock that the profiler reads. */
const profilerNow = (): number => Number(process.hrtime.bigint() / 1000n);

export class Sampler {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.setSamplingInterval', { interval: everyMicroseconds });
    this.#session.post('Profiler.start');
  }

  /** Forgets what was seen. */
  restart(): void {
    this.#stop();
    this.#session.post('Profiler.start');
  }

  /** What ran between two moments of `performance.now()`; what was seen before is forgotten then. */
  between(from: number, to: number): readonly Sample[] {
    const ahead = profilerNow() - 1000 * performance.now();
    const profile = this.#stop();
    this.#session.post('Profiler.start');
    return profile === undefined ? [] : seen(profile, ahead + 1000 * from, ahead + 1000 * to);
  }

  #stop(): Profiler.Profile | undefined {
    let found: Profiler.Profile | undefined;
    // The inspector of the own thread answers before `post` returns.
    this.#session.post('Profiler.stop', (_error, { profile }) => {
      found = profile;
    });
    return found;
  }
}

/** The samples between two moments of the profiler's clock, the same stacks together. */
function seen(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  from: number,
  to: number,
): Sample[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const times = new Map<number, number>();
  let at = startTime;
  for (let i = 0; i < samples.length; i++) {
    at += timeDeltas[i];
    if (at >= from && at - timeDeltas[i] <= to) times.set(samples[i], (times.get(samples[i]) ?? 0) + timeDeltas[i]);
  }
  const stackOf = (leaf: number): string[] => {
    const stack: string[] = [];
    for (let id: number | undefined = leaf; id !== undefined && stack.length < framesShown; id = parents.get(id)) {
      const node = byId.get(id);
      if (node !== undefined) stack.push(named(node.callFrame));
    }
    return stack;
  };
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, samplesShown)
    .map(([id, microseconds]) => ({ ms: Math.round(microseconds / 100) / 10, stack: stackOf(id) }));
}

function named({ functionName, url, lineNumber }: Profiler.Profile['nodes'][number]['callFrame']): string {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || '(anonymous)'}${file && ` ${file}:${lineNumber + 1}`}`;
}
