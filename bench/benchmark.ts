/**
 * One measured case: correctness is checked before anything is timed, and a baseline runs beside it where one exists.
 */
export interface Benchmark {
  /** What is measured, as a reader of the report would say it, e.g. `crawl-allocation, 1e6 pages, mixed`. */
  readonly name: string;
  /** The figure to reach, as text, e.g. `under 0.6 s`. */
  readonly target?: string;
  /** Throws when the answer is wrong; run once, before timing. */
  check(): void | Promise<void>;
  /** The timed work. */
  run(): void | Promise<void>;
  /** Another way to do the same, timed in the same run. */
  readonly baseline?: { readonly name: string; run(): void | Promise<void> };
  /** Timed repetitions after one warm-up (default 5). */
  readonly repetitions?: number;
  /** Stops what the runs started. */
  finish?(): void | Promise<void>;
  /** Extra figures to print, read after the runs. */
  figures?(): Readonly<Record<string, number | string>>;
}
