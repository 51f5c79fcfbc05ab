/**
 * Watches the turns of the event loop of its own process: how long each took on the wall and on the processor, how much
 * of that was collecting garbage, and, where asked for, what it was doing. On a machine that others use too, only the
 * time on the processor is the process's own doing.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { type Sample, Sampler } from './sampler.ts';

/** Ends a turn after so long where nothing else does. */
const turnEveryMs = 5;
/** What a turn of so much processor time was doing is worth looking up. */
const worthLookingMs = 25;
/** The sampler begins anew after so long, because ending it takes the longer the more it has seen. */
const sampledForMs = 20_000;
/** A loop of a fixed number of steps, by which a slow spell of the machine is told from a long turn. */
const yardstickSteps = 1_000_000;

/** A turn of the event loop, in milliseconds. */
export interface Turn {
  readonly wallMs: number;
  readonly processorMs: number;
  /** How long each collection of garbage took within it, on the wall. */
  readonly collections: readonly number[];
  /** How much processor time the yardstick took right after it; undefined for short turns. */
  readonly yardstickMs?: number;
  /** What was running, with the time it was seen at it, longest first; empty where nothing samples. */
  readonly doing: readonly Sample[];
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly processorMs: number;
}

const nothing: Span = { from: 0, to: 0, processorMs: 0 };

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

export class TurnWatch {
  readonly #sampler: Sampler | null;
  #from = performance.now();
  #processorAt = processorMs();
  #sampledSince = performance.now();
  /** The longest of the turns since the last time it was asked, by the wall and by the processor. */
  #longestWallMs = 0;
  #worst: Span = nothing;
  #yardstickMs: number | undefined;
  #doing: readonly Sample[] = [];
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
  async longest(): Promise<{ readonly longestWallMs: number; readonly worst: Turn }> {
    // What the observer has not been told yet it is told within two turns.
    await new Promise((resolve) => setTimeout(resolve, 2 * turnEveryMs));
    const { from, to, processorMs: onProcessor } = this.#worst;
    const worst = {
      wallMs: to - from,
      processorMs: onProcessor,
      collections: this.#collected.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms),
      ...(this.#yardstickMs !== undefined && { yardstickMs: this.#yardstickMs }),
      doing: this.#doing,
    };
    const longestWallMs = this.#longestWallMs;
    this.#longestWallMs = 0;
    this.#worst = nothing;
    this.#yardstickMs = undefined;
    this.#doing = [];
    this.#collected = [];
    return { longestWallMs, worst };
  }

  #turn(): void {
    const turn = { from: this.#from, to: performance.now(), processorMs: processorMs() - this.#processorAt };
    this.#longestWallMs = Math.max(this.#longestWallMs, turn.to - turn.from - turnEveryMs);
    if (turn.processorMs > this.#worst.processorMs) {
      this.#worst = turn;
      if (turn.processorMs > worthLookingMs) this.#look(turn);
    }
    if (turn.to - this.#sampledSince > sampledForMs) this.#sampleAnew();
    // What looking took is no turn of the service's.
    this.#from = performance.now();
    this.#processorAt = processorMs();
  }

  #look({ from, to }: Span): void {
    this.#yardstickMs = yardstick();
    if (this.#sampler === null) return;
    this.#doing = this.#sampler.between(from, to);
    this.#sampledSince = performance.now();
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
