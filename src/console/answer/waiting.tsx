/** A solve that runs: how far it is, how long it will still take, and the way to cancel it. */
import { useEffect, useState } from 'preact/hooks';
import { figure, share } from '../../schemas/words/numbers.ts';
import type { AnswerView } from '../api/answer.ts';
import { durationText } from '../words/dates.ts';

const tickMs = 500;
/** Elapsed time before the remaining time is estimated, ms; earlier estimates fluctuate. */
const minEstimatedMs = 800;
/** Solves shorter than this show no progress if an older answer is on display, ms. */
const unseenMs = 400;

/** How long a solve will still take, by how far it is; undefined where that cannot be said yet. */
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
  const soFar = Math.max(0, now - startedAt);
  if (exchange !== undefined && progress === undefined && soFar < unseenMs) return null;
  const remaining = remainingMs(fraction, soFar);
  const parts = [
    fraction === null ? 'solving' : `${share(fraction)} done`,
    ...(soFar >= 1000 ? [`${durationText(Math.round(soFar / 1000) * 1000)} so far`] : []),
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

/** A solve that was cancelled; what stands below answers an earlier request. */
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
