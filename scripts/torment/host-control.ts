/**
 * A control for long turns on a machine that is itself a guest. When its host runs something else on a processor, this
 * machine's clocks count that as work of whoever was running. A metronome on every processor, above all other work,
 * pauses exactly then; what no metronome shows is not the host's.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Starts a program above all ordinary work, which takes the right to do so, on one processor. */
const onProcessor = (processor: number): readonly string[] => ['-f', '20', 'taskset', '-c', String(processor)];

export class HostControl {
  readonly #metronomes: ChildProcess[] = [];
  readonly #pauses: (readonly [from: number, to: number])[][] = [];

  /** Whether this machine lets metronomes beat. */
  readonly works = spawnSync('chrt', [...onProcessor(0), 'true']).status === 0;

  start(): void {
    if (!this.works) return;
    const program = [process.execPath, fileURLToPath(new URL('./metronome.ts', import.meta.url))];
    for (let processor = 0; processor < cpus().length; processor++) {
      const metronome = spawn('chrt', [...onProcessor(processor), ...program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      this.#metronomes.push(metronome);
      this.#pauses.push([]);
      let rest = '';
      metronome.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#take(processor, line);
      });
    }
  }

  stop(): void {
    for (const metronome of this.#metronomes) metronome.kill();
  }

  /** For how long between two moments a processor ran nothing, milliseconds. */
  pausedMs(processor: number, from: number, to: number): number {
    const pauses = this.#pauses[processor] ?? [];
    // The latest are asked for, and there may be many thousands.
    let paused = 0;
    for (let i = pauses.length - 1; i >= 0 && pauses[i][1] > from; i--) {
      paused += Math.max(0, Math.min(to, pauses[i][1]) - Math.max(from, pauses[i][0]));
    }
    return paused;
  }

  /** The most that any processor stood still between two moments, milliseconds. */
  mostPausedMs(from: number, to: number): number {
    return Math.max(0, ...this.#pauses.map((_, processor) => this.pausedMs(processor, from, to)));
  }

  /** For how long between two moments one processor or another ran nothing, milliseconds. */
  anyPausedMs(from: number, to: number): number {
    const pauses: (readonly [number, number])[] = [];
    for (const ofProcessor of this.#pauses) {
      for (let i = ofProcessor.length - 1; i >= 0 && ofProcessor[i][1] > from; i--) pauses.push(ofProcessor[i]);
    }
    // The union of intervals, by their starts.
    let paused = 0;
    let covered = from;
    for (const [start, end] of pauses.sort(([a], [b]) => a - b)) {
      paused += Math.max(0, Math.min(to, end) - Math.max(covered, start));
      covered = Math.max(covered, end);
    }
    return paused;
  }

  /** How long the processors stood still in all, milliseconds, and the longest time at once. */
  summary(): { readonly totalMs: number; readonly longestMs: number } {
    let totalMs = 0;
    let longestMs = 0;
    for (const [from, to] of this.#pauses.flat()) {
      totalMs += to - from;
      longestMs = Math.max(longestMs, to - from);
    }
    return { totalMs, longestMs };
  }

  #take(processor: number, line: string): void {
    const [from, to] = line.split(' ').map(Number);
    this.#pauses[processor].push([from, to]);
  }
}
