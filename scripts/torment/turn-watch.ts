/**
 * Watches the turns of the event loop of its own process. It tells how long each took on the wall and on the processor,
 * and how long it stood ready to run without one. It also tells how much was collecting garbage, and, where asked for,
 * what it was doing.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { clockMs } from './clock.ts';
import { type Sample, Sampler } from './sampler.ts';
import { MainThread, type ThreadState } from './thread-state.ts';

/** Ends a turn after so long where nothing else does. */
const turnEveryMs = 5;
/** Turns that took so much longer than they had to are kept. */
const keptFromMs = 10;
/** What the service was doing in a turn that took so much longer than it waited for a processor is looked up. */
const worthLookingMs = 25;
/** The sampler begins anew after so long, because ending it takes the longer the more it has seen. */
const sampledForMs = 20_000;
/** A loop of a fixed number of steps, by which a slow spell of the machine is told from a long turn. */
const yardstickSteps = 1_000_000;

/** A turn of the event loop that took longer than it had to, in milliseconds. */
export interface Turn {
  /** By the clock that all processes share. */
  readonly endedAt: number;
  /** By how much it was longer than the time after which turns end by themselves, on the wall. */
  readonly wallMs: number;
  readonly processorMs: number;
  /** How long it stood ready to run without a processor. */
  readonly waitedMs: number;
  /** The processors on which it began and ended. */
  readonly processors: readonly [number, number];
  /** How long each collection of garbage took within it, on the wall. */
  readonly collections: readonly number[];
  /** How much processor time the yardstick took right after it; undefined for shorter turns. */
  readonly yardstickMs?: number;
  /** What was running, with the time it was seen at it, longest first; empty where nothing samples. */
  readonly doing: readonly Sample[];
}

/** The turns since the last time it was asked. */
export interface Turns {
  readonly longestWallMs: number;
  readonly longestProcessorMs: number;
  /** Those that were much longer than they had to be, all of them. */
  readonly long: readonly Turn[];
}

/** A turn as it ends: from and to on the clock of this process. */
interface Ended extends Omit<Turn, 'collections'> {
  readonly from: number;
  readonly to: number;
}

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export class TurnWatch {
  readonly #sampler: Sampler | null;
  readonly #thread = new MainThread();
  #from = performance.now();
  #processorAt = processorMs();
  #threadAt: ThreadState = this.#thread.state();
  #sampledSince = performance.now();
  #longestWallMs = 0;
  #longestProcessorMs = 0;
  #long: Ended[] = [];
  #collected: { readonly at: number; readonly ms: number }[] = [];

  /** @param samples whether to look what runs, which takes some hundredths of the processor's time */
  constructor(samples: boolean) {
    this.#sampler = samples ? new Sampler() : null;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) this.#collected.push({ at: startTime, ms: duration });
    }).observe({ entryTypes: ['gc'] });
    setInterval(() => this.#turn(), turnEveryMs);
  }

  /** The longest turns since the last time it was asked. */
  async turns(): Promise<Turns> {
    // What the observer has not been told yet it is told within two turns.
    await new Promise((resolve) => setTimeout(resolve, 2 * turnEveryMs));
    const turns = {
      longestWallMs: this.#longestWallMs,
      longestProcessorMs: this.#longestProcessorMs,
      long: this.#long.map(({ from, to, ...turn }) => ({
        ...turn,
        collections: this.#collected.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms),
      })),
    };
    this.#longestWallMs = 0;
    this.#longestProcessorMs = 0;
    this.#long = [];
    this.#collected = [];
    return turns;
  }

  #turn(): void {
    const from = this.#from;
    const to = performance.now();
    const wallMs = to - from - turnEveryMs;
    const onProcessor = processorMs() - this.#processorAt;
    const thread = this.#thread.state();
    const waitedMs = thread.waitedMs - this.#threadAt.waitedMs;
    this.#longestWallMs = Math.max(this.#longestWallMs, wallMs);
    this.#longestProcessorMs = Math.max(this.#longestProcessorMs, onProcessor);
    if (wallMs - waitedMs > keptFromMs) {
      const span = { from, to, endedAt: clockMs(), wallMs, processorMs: onProcessor, waitedMs };
      const processors = [this.#threadAt.processor, thread.processor] as const;
      this.#long.push({ ...span, processors, ...this.#look(span) });
    }
    if (to - this.#sampledSince > sampledForMs) this.#sampleAnew();
    // What looking took is no turn of the service's.
    this.#from = performance.now();
    this.#processorAt = processorMs();
    this.#threadAt = this.#thread.state();
  }

  #look({
    from,
    to,
    wallMs,
    waitedMs,
  }: Pick<Ended, 'from' | 'to' | 'wallMs' | 'waitedMs'>): Pick<Ended, 'doing' | 'yardstickMs'> {
    if (wallMs - waitedMs < worthLookingMs) return { doing: [] };
    const yardstickMs = yardstick();
    if (this.#sampler === null) return { doing: [], yardstickMs };
    const doing = this.#sampler.between(from, to);
    this.#sampledSince = performance.now();
    return { doing, yardstickMs };
  }

  #sampleAnew(): void {
    this.#sampler?.restart();
    this.#sampledSince = performance.now();
  }
}

/** The processor time of a fixed loop. */
function yardstick(): number {
  const start = processorMs();
  let state = 1;
  for (let i = 0; i < yardstickSteps; i++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  // The state is looked at, so that the loop is not left out.
  return state === 0 ? 0 : processorMs() - start;
}
