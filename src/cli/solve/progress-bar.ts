/** One line on a terminal that says how far a solve is. */
import { relativeGap } from '../../solvers/answer.ts';
import type { Progress } from '../../solvers/budget.ts';
import { gapText } from '../../words/numbers.ts';

const redrawEveryMs = 100;
const cells = 24;

const short = (value: number): string => String(Number(value.toPrecision(6)));

/** A solver that knows no bound yet may say −∞, which is nothing to show. */
const known = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? value : undefined;

/** The line, without its control characters. */
export function progressLine(label: string, progress: Progress): string {
  const [fraction, incumbent, bound] = [progress.fraction, progress.incumbent, progress.bound].map(known);
  const parts = [label];
  if (fraction !== undefined) {
    const share = Math.min(1, Math.max(0, fraction));
    const full = Math.round(share * cells);
    parts.push(`[${'█'.repeat(full)}${'·'.repeat(cells - full)}] ${String(Math.floor(share * 100)).padStart(3)}%`);
  }
  if (incumbent !== undefined) parts.push(`best ${short(incumbent)}`);
  if (bound !== undefined) parts.push(`bound ${short(bound)}`);
  if (incumbent !== undefined && bound !== undefined) {
    parts.push(`gap ${gapText(relativeGap(incumbent, bound))}`);
  }
  return parts.join('  ');
}

/** Draws at most ten times a second, and leaves no trace when cleared. */
export class ProgressBar {
  readonly #write: (text: string) => void;
  readonly #clock: () => number;
  readonly #label: string;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(label: string, write: (text: string) => void, clock: () => number) {
    this.#label = label;
    this.#write = write;
    this.#clock = clock;
  }

  show(progress: Progress): void {
    const at = this.#clock();
    if (at - this.#drawnAt < redrawEveryMs) return;
    this.#drawnAt = at;
    this.#drawn = true;
    this.#write(`\r\u001b[2K${progressLine(this.#label, progress)}`);
  }

  clear(): void {
    if (this.#drawn) this.#write('\r\u001b[2K');
    this.#drawn = false;
  }
}
