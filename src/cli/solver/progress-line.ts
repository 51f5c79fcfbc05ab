/** One line on stderr that says how far a solve is. */
import progressBars, { type SingleBar } from 'cli-progress';
import { gapText } from '../../schemas/words/numbers.ts';
import { relativeGap } from '../../solvers/answer.ts';
import type { Progress } from '../../solvers/budget.ts';

const short = (value: number): string => String(Number(value.toPrecision(6)));

/** A solver that knows no bound yet may say −∞, which is nothing to show. */
const known = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? value : undefined;

/** The line, with what is known alone; `bar` draws a share. */
export function progressText(label: string, progress: Progress, bar: (share: number) => string): string {
  const [fraction, incumbent, bound] = [progress.fraction, progress.incumbent, progress.bound].map(known);
  const parts = [label];
  if (fraction !== undefined) {
    const share = Math.min(1, Math.max(0, fraction));
    parts.push(`[${bar(share)}] ${String(Math.floor(100 * share)).padStart(3)}%`);
  }
  if (incumbent !== undefined) parts.push(`best ${short(incumbent)}`);
  if (bound !== undefined) parts.push(`bound ${short(bound)}`);
  if (incumbent !== undefined && bound !== undefined) parts.push(`gap ${gapText(relativeGap(incumbent, bound))}`);
  return parts.join('  ');
}

/** Drawn at most ten times a second, and cleared without a trace; where stderr is no terminal, a line every 2 s. */
export class ProgressLine {
  readonly #bar: SingleBar;
  #progress: Progress = {};

  constructor(label: string) {
    this.#bar = new progressBars.SingleBar({
      barsize: 24,
      barCompleteChar: '█',
      barIncompleteChar: '·',
      clearOnComplete: true,
      noTTYOutput: true,
      format: (options) =>
        progressText(label, this.#progress, (share) => progressBars.Format.BarFormat(share, options)),
    });
  }

  show(progress: Progress): void {
    this.#progress = progress;
    if (this.#bar.isActive) this.#bar.update(known(progress.fraction) ?? 0);
    else this.#bar.start(1, 0);
  }

  clear(): void {
    this.#bar.stop();
  }
}
