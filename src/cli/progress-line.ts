/** A progress line on stderr while a solver runs. */
import progressBars from 'cli-progress';
import { gapText } from '../schemas/words/numbers.ts';
import { relativeGap } from '../solvers/answer.ts';
import type { Progress } from '../solvers/budget.ts';

const shortNumber = (value: number): string => String(Number(value.toPrecision(6)));

/** Drops infinite values: a solver without a bound yet reports −∞. */
const finiteOrUndefined = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? value : undefined;

/** The line, without values that are not known; `bar` draws a fraction. */
export function progressText(label: string, progress: Progress, bar: (share: number) => string): string {
  const [fraction, incumbent, bound] = [progress.fraction, progress.incumbent, progress.bound].map(finiteOrUndefined);
  const parts = [label];
  if (fraction !== undefined) {
    const share = Math.min(1, Math.max(0, fraction));
    parts.push(`[${bar(share)}] ${String(Math.floor(100 * share)).padStart(3)}%`);
  }
  if (incumbent !== undefined) parts.push(`best ${shortNumber(incumbent)}`);
  if (bound !== undefined) parts.push(`bound ${shortNumber(bound)}`);
  if (incumbent !== undefined && bound !== undefined) parts.push(`gap ${gapText(relativeGap(incumbent, bound))}`);
  return parts.join('  ');
}

/** Shows the line while `solve` runs, if the stream is a terminal: redrawn at most five times a second, then cleared. */
export function withProgress<T>(
  label: string,
  stream: NodeJS.WritableStream,
  solve: (report: (progress: Progress) => void) => T,
): T {
  let lastProgress: Progress = {};
  const bar = new progressBars.SingleBar({
    stream,
    barsize: 24,
    barCompleteChar: '█',
    barIncompleteChar: '·',
    clearOnComplete: true,
    // cli-progress's handler of Ctrl-C would wait for the solver, which runs in this thread.
    gracefulExit: false,
    // line wrapping that is switched off here would stay off after Ctrl-C
    linewrap: true,
    format: (options) => progressText(label, lastProgress, (share) => progressBars.Format.BarFormat(share, options)),
  });
  try {
    return solve((progress) => {
      lastProgress = progress;
      if (bar.isActive) bar.update(finiteOrUndefined(progress.fraction) ?? 0);
      else bar.start(1, 0);
    });
  } finally {
    bar.stop();
  }
}
