/** One line on stderr that says how far a solve is. */
import progressBars from 'cli-progress';
import { gapText } from '../schemas/words/numbers.ts';
import { relativeGap } from '../solvers/answer.ts';
import type { Progress } from '../solvers/budget.ts';

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

/** The line while `solve` runs, where the stream is a terminal: redrawn at most five times a second, then cleared. */
export function withProgress<T>(
  label: string,
  stream: NodeJS.WritableStream,
  solve: (report: (progress: Progress) => void) => T,
): T {
  let shown: Progress = {};
  const bar = new progressBars.SingleBar({
    stream,
    barsize: 24,
    barCompleteChar: '█',
    barIncompleteChar: '·',
    clearOnComplete: true,
    // Its own handler of Ctrl-C would wait for the solver, which runs in this thread.
    gracefulExit: false,
    // What is switched off here would stay off after Ctrl-C.
    linewrap: true,
    format: (options) => progressText(label, shown, (share) => progressBars.Format.BarFormat(share, options)),
  });
  try {
    return solve((progress) => {
      shown = progress;
      if (bar.isActive) bar.update(known(progress.fraction) ?? 0);
      else bar.start(1, 0);
    });
  } finally {
    bar.stop();
  }
}
