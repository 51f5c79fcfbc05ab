/** The progress of a running solve, an estimate of the time it still takes, and a button to cancel it. */
import { useEffect, useState } from 'preact/hooks';
import { figure, share } from '../../schemas/words/numbers.ts';
import type { AnswerView } from '../api/answer.ts';
import { durationText } from '../words/dates.ts';

const tickMs = 500;
/** Elapsed time before the remaining time is estimated, ms; earlier estimates fluctuate. */
const minEstimatedMs = 800;
/** Solves shorter than this show no progress if an older answer is on display, ms. */
const minShownMs = 400;

/** Estimated remaining time of a solve, by its progress; undefined while there is no estimate. */
export function remainingMs(fraction: number | null | undefined, elapsedMs: number): number | undefined {
  if (fraction == null || fraction <= 0.01 || elapsedMs < minEstimatedMs) return undefined;
  return (elapsedMs * (1 - Math.min(1, fraction))) / fraction;
}

interface SolveProgressProps {
  readonly view: AnswerView;
  readonly onCancel: () => void;
}

export function SolveProgress({ view, onCancel }: SolveProgressProps) {
  const { exchange, progress, startedAt } = view;
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const fraction = progress?.fraction ?? null;
  const elapsedMs = Math.max(0, now - startedAt);
  if (exchange !== undefined && progress === undefined && elapsedMs < minShownMs) return null;
  const remaining = remainingMs(fraction, elapsedMs);
  const parts = [
    fraction === null ? 'solving' : `${share(fraction)} done`,
    ...(elapsedMs >= 1000 ? [`${durationText(Math.round(elapsedMs / 1000) * 1000)} so far`] : []),
    ...(remaining === undefined ? [] : [`about ${durationText(remaining)} to go`]),
    ...(progress?.incumbent == null ? [] : [`best ${figure(progress.incumbent, 6)}`]),
    ...(progress?.bound == null ? [] : [`bound ${figure(progress.bound, 6)}`]),
  ];
  return (
    <div class="waiting">
      <progress {...(fraction === null ? {} : { value: fraction })} max={1} aria-label="solving" />
      <span>{parts.join(' · ')}</span>
      <button type="button" data-cancel onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** Notice that a solve was cancelled and that the answer below is to an earlier request. */
export function CancelNotice({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <p class="notice" data-cancelled>
      <strong>Cancelled.</strong> A time limit under options returns the best found by then.{' '}
      <button type="button" onClick={onRetry}>
        Ask again
      </button>
    </p>
  );
}
